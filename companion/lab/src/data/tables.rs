//! Data in tables of text: LINQS's citations, RecBole's ratings, HetRec's, reviews, edge lists,
//! triples.

use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use graph::Graph;
use kg::KgBuilder;
use serde_json::Map;
use systems::toolformer::data::{Data, Network};

use super::link_new;

/// LINQS: `NAME.content` has id, features and class, `NAME.cites` the cited and the citing paper.
/// Citations of papers that are not in it are left out. With `by_row` papers are called by their
/// row, from 0, not by their id.
pub(super) fn linqs(content: &str, cites: &str, by_row: bool) -> Result<Data> {
    // A pair of papers may cite each other; the paper counts both.
    let mut graph = Graph::directed();
    let (mut features, mut labels) = (Vec::new(), Vec::new());
    let mut names = std::collections::BTreeMap::new();
    for (i, line) in content.lines().filter(|l| !l.trim().is_empty()).enumerate() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [id, words @ .., class] = cells.as_slice() else {
            bail!("content, line {}: expected an id, words and a class", i + 1);
        };
        let name = if by_row { i.to_string() } else { (*id).to_owned() };
        if names.insert((*id).to_owned(), name.clone()).is_some() {
            bail!("content, line {}: paper {id} comes twice", i + 1);
        }
        graph.ensure_node(name)?;
        let mut has = Vec::new();
        for (k, word) in words.iter().enumerate() {
            let value: f32 = word
                .parse()
                .with_context(|| format!("content, line {}, word {k}: {word:?}", i + 1))?;
            if value != 0.0 {
                has.push((k as u32, value));
            }
        }
        features.push(has);
        labels.push(Some((*class).to_owned()));
    }
    for line in cites.lines().filter(|l| !l.trim().is_empty()) {
        let mut ends = line.split_whitespace().map(|id| names.get(id));
        if let (Some(Some(a)), Some(Some(b))) = (ends.next(), ends.next()) {
            link_new(&mut graph, a, b)?;
        }
    }
    Ok(Data::network(Network { graph, features, labels, times: Vec::new() }))
}

/// How the ends of a table's links are called.
#[derive(Clone, Copy)]
pub(super) struct Links<'a> {
    /// What parts the columns.
    pub(super) between: Option<char>,
    /// Lines at the beginning that are no links.
    pub(super) n_head: usize,
    /// What stands before the ids of the first and the second column.
    pub(super) before: [&'a str; 2],
    /// Whether the third column is a weight.
    pub(super) is_weighted: bool,
    /// Whether the fourth column is a time, in seconds since 1970.
    pub(super) has_times: bool,
}

/// Links, one a line, and their times where there are any. Lines that begin with `#` say nothing.
fn links(network: &mut Network, text: &str, how: Links<'_>) -> Result<()> {
    let Network { graph, times, .. } = network;
    let lines = text.lines().enumerate().skip(how.n_head);
    for (i, line) in lines.filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
        let cells: Vec<&str> = match how.between {
            Some(c) => line.split(c).map(str::trim).collect(),
            None => line.split_whitespace().collect(),
        };
        let [a, b, rest @ ..] = cells.as_slice() else {
            bail!("line {}: expected two ends of a link, found {line:?}", i + 1);
        };
        let (a, b) = (format!("{}{a}", how.before[0]), format!("{}{b}", how.before[1]));
        if how.is_weighted {
            let weight = rest.first().and_then(|w| w.parse::<f64>().ok());
            let weight =
                weight.with_context(|| format!("line {}: the third column is no number", i + 1))?;
            graph.link_weighted(a, b, weight)?;
        } else {
            link_new(graph, &a, &b)?;
        }
        // Of a link that comes again the first time stays.
        if how.has_times && graph.n_edges() > times.len() {
            let time = rest.get(1).and_then(|t| t.parse::<u64>().ok());
            let time =
                time.with_context(|| format!("line {}: the fourth column is no time", i + 1));
            times.push(time?);
        }
    }
    Ok(())
}

/// A network of links alone.
pub(super) fn network(parts: &[(&str, Links<'_>)]) -> Result<Data> {
    let mut network = Network::from(Graph::undirected());
    for (text, how) in parts {
        links(&mut network, text, *how)?;
    }
    Ok(Data::network(network))
}

/// Facts, one a line: head, relation and tail between tabs. With `ids`, numbers that stand for the
/// lines of `entity2id` and `relation2id`, in the order head, tail, relation.
pub(super) fn facts(
    texts: &[&str],
    ids: Option<(&str, &str)>,
    named: impl Fn(&str) -> String,
) -> Result<Data> {
    let mut builder = KgBuilder::new("");
    let table = |text: &str| -> std::collections::BTreeMap<String, String> {
        let pairs = text.lines().filter_map(|l| l.trim().rsplit_once(char::is_whitespace));
        pairs.map(|(name, id)| (id.to_owned(), name.trim().to_owned())).collect()
    };
    let tables = ids.map(|(entities, relations)| (table(entities), table(relations)));
    for text in texts {
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let fact = match (&tables, cells.as_slice()) {
                (None, [head, relation, tail]) => {
                    (named(head), (*relation).to_owned(), named(tail))
                }
                // The first line of such a file is the number of its facts.
                (Some(_), [_]) if i == 0 => continue,
                (Some((entities, relations)), [head, tail, relation]) => {
                    let known = |of: &std::collections::BTreeMap<String, String>, id: &str| {
                        let name = of.get(id).cloned();
                        name.with_context(|| format!("line {}: nothing has number {id}", i + 1))
                    };
                    (
                        named(&known(entities, head)?),
                        known(relations, relation)?,
                        named(&known(entities, tail)?),
                    )
                }
                _ => bail!("line {}: expected three columns, found {line:?}", i + 1),
            };
            let (head, relation, tail) = fact;
            for id in [&head, &tail] {
                builder.node(id, "Entity", "", Map::new())?;
            }
            builder.edge(&head, &relation, &tail)?;
        }
    }
    Ok(Data::Knowledge(Rc::new(builder.build()?)))
}
