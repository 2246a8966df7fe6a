//! Makes pairs from templates and data.

use std::collections::BTreeSet;

use graph::Graph;
use kg::Kg;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::say::{About, load, silent};
use super::{LOAD, Pair, TEMPLATES, Template};
use crate::toolformer::data::{Data, Member};
use crate::toolformer::error::CallError;
use crate::toolformer::hubs::{DatasetKind, Function, HubTask, Hubs, datasets, tasks};
use crate::toolformer::instance::{BETWEEN_ANSWERS, PLACEHOLDER};
use crate::toolformer::load::Loaded;
use crate::toolformer::reasoner::{Argument, Reasoner as _, ReasonerRequest};
use crate::toolformer::toolx::Toolx;
use crate::toolformer::tree::Bracket;

/// The most pairs that are made at once.
pub const MAX_PAIRS: usize = 200_000;
/// How often another draw is tried where a pair was there already.
const TRIES: usize = 20;

/// What a template is filled with.
#[derive(Default)]
struct Drawn {
    /// The name of a graph of a set.
    graph: Option<String>,
    /// What stands behind the function in the call.
    arguments: Vec<(&'static str, String)>,
    /// What stands for `{a}`, `{b}`, `{r}` and `{k}` in sentences.
    words: Vec<(&'static str, String)>,
    /// The true answer, where the data tell.
    truth: Option<String>,
}

/// Makes pairs about a dataset: templates in turn, wordings and what they are about by chance, no
/// input twice. There may be fewer than were asked for, where the data have no more to say. The same
/// seed makes the same pairs.
///
/// # Errors
/// The data are not here.
///
/// # Complexity
/// O(n) draws; each looks at one graph.
pub fn make(hubs: &Hubs, dataset: &str, n: usize, seed: u64) -> Result<Vec<Pair>, CallError> {
    let (id, kind, data) = hubs.data(dataset)?;
    // What a template calls; nothing where it loads alone.
    type Called = Option<(&'static HubTask, &'static Function)>;
    let all: Vec<(&Template, Called)> = TEMPLATES
        .iter()
        .map(|t| (t, tasks::function(t.function)))
        // Sentences about "the … graph" need a graph with a name.
        .filter(|(t, called)| {
            called.map_or(t.function == LOAD, |(task, _)| task.kinds.contains(&kind))
        })
        .collect();
    let title = datasets::find(&id).map_or_else(|| id.clone(), |d| d.title.to_owned());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut pairs = Vec::new();
    let n = n.min(MAX_PAIRS);
    let mut rounds = 0;
    while pairs.len() < n && rounds < TRIES && !all.is_empty() {
        let before = pairs.len();
        for (template, called) in &all {
            if pairs.len() == n {
                break;
            }
            let pair = match called {
                None => loading(&id, &title, kind, &data, template, &mut rng),
                Some((task, function)) => {
                    let Some(drawn) = draw(&data, template, function, &mut rng) else { continue };
                    let (dataset, title, data) = (&id, &title, &data);
                    let maker = Maker { dataset, title, task, function, drawn, data };
                    maker.pair(template, &mut rng)
                }
            };
            let Some(pair) = pair else { continue };
            if seen.insert(pair.input.clone()) {
                pairs.push(pair);
            }
        }
        rounds = if pairs.len() == before { rounds + 1 } else { 0 };
    }
    Ok(pairs)
}

/// A pair that loads and asks nothing.
fn loading(
    dataset: &str,
    title: &str,
    kind: DatasetKind,
    data: &Data,
    template: &Template,
    rng: &mut ChaCha8Rng,
) -> Option<Pair> {
    let mut graph = None;
    let mut it = format!("{title} data");
    if let (Data::Set(all), DatasetKind::Properties) = (data, kind) {
        let name = &all.choose(rng)?.name;
        graph = Some(name.as_str());
        it = name.replace('_', " ");
    }
    let call = Bracket { calls: vec![load(dataset, graph)], tag: None }.to_string();
    let statement = template.statements.choose(rng)?;
    let (input, statement) = match template.questions.choose(rng) {
        Some(question) if rng.random_bool(0.5) => {
            ((*question).to_owned(), template.statements.first()?)
        }
        _ => (statement.replace("[GL] ", ""), statement),
    };
    Some(Pair {
        input: input.replace("{it}", &it),
        output: statement.replace("[GL]", &call).replace("{it}", &it),
        answer: None,
        template: template.id.to_owned(),
        dataset: dataset.to_owned(),
    })
}

fn draw(
    data: &Data,
    template: &Template,
    function: &Function,
    rng: &mut ChaCha8Rng,
) -> Option<Drawn> {
    match data {
        Data::Set(all) => from_set(all, template, function, rng),
        Data::Network(network) => from_network(&network.graph, &network.labels, function, rng),
        Data::Knowledge(facts) => from_facts(facts, function, rng),
    }
}

/// A name that can stand in a call.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || ",)]}{([\"“”".contains(c))
}

fn nodes(graph: &Graph, n: usize, rng: &mut ChaCha8Rng) -> Option<Vec<String>> {
    let mut picked: Vec<String> = Vec::new();
    while picked.len() < n.min(graph.n_nodes()) {
        let name = graph.names().nth(rng.random_range(0..graph.n_nodes()))?.to_string();
        if !picked.contains(&name) {
            picked.push(name);
        }
    }
    (picked.len() == n && picked.iter().all(|id| is_plain(id))).then_some(picked)
}

fn from_set(
    all: &[Member],
    template: &Template,
    function: &Function,
    rng: &mut ChaCha8Rng,
) -> Option<Drawn> {
    let member = all.choose(rng)?;
    if function.name == "molecule_function" {
        let id = member.name.clone();
        return Some(Drawn {
            graph: None,
            arguments: vec![("instance", id.clone())],
            words: vec![("{a}", id)],
            truth: member.label.clone(),
        });
    }
    let uses = |slot: &str| template.statements.iter().any(|s| s.contains(slot));
    let n = usize::from(uses("{a}")) + usize::from(uses("{b}"));
    let ids = nodes(&member.network.graph, n, rng)?;
    Some(Drawn {
        graph: Some(member.name.clone()),
        arguments: ids.iter().map(|id| ("node", id.clone())).collect(),
        words: ["{a}", "{b}"].into_iter().zip(ids).collect(),
        truth: None,
    })
}

fn from_network(
    graph: &Graph,
    labels: &[Option<String>],
    function: &Function,
    rng: &mut ChaCha8Rng,
) -> Option<Drawn> {
    let mut drawn = Drawn::default();
    let mut say = |slot: &'static str, kind: &'static str, id: &str| {
        drawn.words.push((slot, id.to_owned()));
        drawn.arguments.push((kind, id.to_owned()));
    };
    match function.name {
        "topic" => {
            let place = rng.random_range(0..graph.n_nodes().max(1));
            let id = graph.names().nth(place)?.to_string();
            say("{a}", "paper", &id);
            drawn.truth = labels.get(place).cloned().flatten();
        }
        "recommendation" | "topk_recommendation" => {
            // Links lead from users to what they like.
            let links: usize = graph.n_edges();
            let mut end = |is_user: bool| {
                let edge = graph.edges().nth(rng.random_range(0..links.max(1)))?;
                Some((if is_user { edge.source } else { edge.target }).to_string())
            };
            let (user, item) = (end(true)?, end(false)?);
            say("{a}", "user", &user);
            if function.name == "recommendation" {
                say("{b}", "item", &item);
            } else {
                let k = ["1", "3", "5", "10"].choose(rng).copied().unwrap_or("10");
                say("{k}", "", k);
            }
        }
        "common_community_check" => {
            let two = nodes(graph, 2, rng)?;
            say("{a}", "user", &two[0]);
            say("{b}", "user", &two[1]);
        }
        _ if function.takes.is_empty() => {}
        _ => say("{a}", "user", nodes(graph, 1, rng)?.first()?),
    }
    drawn.arguments.iter().all(|(_, id)| is_plain(id)).then_some(drawn)
}

fn from_facts(facts: &Kg, function: &Function, rng: &mut ChaCha8Rng) -> Option<Drawn> {
    let (head, kind, tail) = facts.edges().nth(rng.random_range(0..facts.n_edges().max(1)))?;
    let (head, tail) = (facts.id(head).to_owned(), facts.id(tail).to_owned());
    let relation = facts.schema().edge_type(kind).name.clone();
    let (a, b) = (("entity", head.clone()), ("entity", tail.clone()));
    let r = ("relation", relation.clone());
    let (arguments, truth) = match function.name {
        "relation" => (vec![a, b], &relation),
        "head_entity" => (vec![r, b], &head),
        _ => (vec![a, r], &tail),
    };
    let truth = Some(truth.clone());
    let words = vec![("{a}", head), ("{b}", tail), ("{r}", relation)];
    let drawn = Drawn { graph: None, arguments, words, truth };
    drawn.arguments.iter().all(|(_, id)| is_plain(id)).then_some(drawn)
}

struct Maker<'m> {
    dataset: &'m str,
    title: &'m str,
    task: &'static HubTask,
    function: &'static Function,
    drawn: Drawn,
    data: &'m Data,
}

impl Maker<'_> {
    fn pair(&self, template: &Template, rng: &mut ChaCha8Rng) -> Option<Pair> {
        let n_statements = template.statements.len();
        let picked = rng.random_range(0..n_statements + template.questions.len());
        let (input, statement) = match template.statements.get(picked) {
            Some(statement) => (silent(statement).0, *statement),
            None => (
                template.questions.get(picked - n_statements)?.to_string(),
                *template.statements.first()?,
            ),
        };
        let about = About {
            dataset: self.dataset,
            title: self.title,
            task: self.task,
            function: self.function,
            graph: self.drawn.graph.as_deref(),
            arguments: &self.drawn.arguments,
            words: &self.drawn.words,
        };
        let (output, silents) = about.output(statement)?;
        let mut answers: Vec<Option<String>> =
            silents.into_iter().map(|function| self.truth(function, &[])).collect();
        let own = self.truth(self.function, &self.drawn.arguments);
        // Answers stand in the order of the calls.
        let is_last = statement.rfind('<').is_none_or(|i| statement.find(PLACEHOLDER) > Some(i));
        answers.insert(if is_last { answers.len() } else { 0 }, own);
        let answers: Option<Vec<String>> = answers.into_iter().collect();
        Some(Pair {
            input: about.fill(&input),
            output,
            answer: answers.map(|a| a.join(BETWEEN_ANSWERS)),
            template: template.id.to_owned(),
            dataset: self.dataset.to_owned(),
        })
    }

    /// What is true, from the data alone.
    fn truth(
        &self,
        function: &'static Function,
        arguments: &[(&'static str, String)],
    ) -> Option<String> {
        let Some(name) = &self.drawn.graph else { return self.drawn.truth.clone() };
        let Data::Set(all) = self.data else { return None };
        let member = all.iter().find(|m| m.name == *name)?;
        let data = Loaded {
            name: self.dataset.to_owned(),
            kind: DatasetKind::Properties,
            data: Data::Set(vec![member.clone()]),
            notes: Vec::new(),
        };
        let arguments: Vec<Argument> =
            arguments.iter().map(|(_, id)| Argument { kind: None, id: id.clone() }).collect();
        let ask = ReasonerRequest { data: &data, function, arguments: &arguments };
        Toolx.reason(&ask).ok().map(|found| found.text)
    }
}
