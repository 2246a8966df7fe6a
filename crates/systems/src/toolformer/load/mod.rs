//! What `GL(name, nodes, links)` loads: a dataset, a graph of a set, a file, or a part of one.

mod facts;
mod network;

use std::rc::Rc;

use graph::{NodeName, nearest_names};

use super::data::{Data, Member};
use super::error::CallError;
use super::execute::Mode;
use super::files::{is_address, is_path};
use super::hubs::{DatasetKind, Hubs};
use super::toolx::graphs;
use super::tree::Value;
use super::tree::bare;

/// A graph that a call loaded, or a part of one.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The name of the dataset.
    pub name: String,
    /// What it is about.
    pub kind: DatasetKind,
    /// The part that was asked for.
    pub data: Data,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

impl Loaded {
    /// It in words: `gpr: bull_graph, 5 nodes and 5 links`.
    pub fn words(&self) -> String {
        let profile = self.data.profile();
        let which = match &self.data {
            Data::Set(all) if all.len() <= 3 => {
                all.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", ")
            }
            Data::Set(all) => format!("{} graphs", all.len()),
            Data::Network(_) => "one network".to_owned(),
            Data::Knowledge(_) => "a knowledge graph".to_owned(),
        };
        let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (nodes, links) = (plural(profile.n_nodes, "node"), plural(profile.n_links, "link"));
        format!("{}: {which}, {nodes} and {links}", self.name)
    }
}

/// Which nodes or links.
enum Part<'v> {
    /// All; whether only those that the other part needs.
    All {
        is_related: bool,
    },
    Some(&'v [Value]),
}

/// Loads what the arguments of a call name.
///
/// # Errors
/// There is no such dataset or its data are not here; a graph, node or link is not in it; an
/// argument says nothing that can be loaded.
pub fn load(hubs: &Hubs, arguments: &[Value], mode: Mode) -> Result<Loaded, CallError> {
    let wrong = |found: &Value| CallError::Arguments {
        function: "GL".to_owned(),
        expected: "a dataset's name, then nodes and links where not all are wanted".to_owned(),
        found: found.to_string(),
    };
    let (first, mut rest) =
        arguments.split_first().ok_or_else(|| wrong(&Value::Set(Vec::new())))?;
    let name = match first {
        Value::Text(name) | Value::Name(name) => name,
        other => return Err(wrong(other)),
    };
    let mut notes = Vec::new();
    let (id, kind, mut data) = match hubs.data(name) {
        Err(CallError::UnknownDataset { name, known }) => match graphs::find(&name) {
            Some(graph) if mode == Mode::Ours => {
                notes.push(format!("{name:?} is no dataset; {graph} of gpr was loaded"));
                let (id, kind, data) = hubs.data("gpr")?;
                (id, kind, chosen("gpr", data, &[Value::Text(graph.to_owned())])?)
            }
            _ if mode == Mode::Ours && is_address(&name) => {
                return Err(CallError::Address { address: name });
            }
            _ if mode == Mode::Ours && is_path(&name) => {
                let file = hubs.file(&name)?;
                notes.extend(file.notes);
                (file.name, file.kind, file.data)
            }
            _ => return Err(CallError::UnknownDataset { name, known }),
        },
        other => other?,
    };
    if let (Data::Set(_), Some((which, after))) = (&data, rest.split_first()) {
        rest = after;
        data = match part(which, "graphs")? {
            Part::All { .. } => data,
            Part::Some(names) => {
                if mode == Mode::Reference && !matches!(which, Value::Set(_)) {
                    let why =
                        "it takes names of graphs in a set, as in {\"bull_graph\"}".to_owned();
                    return Err(CallError::Reference { why });
                }
                chosen(&id, data, names)?
            }
        };
    }
    if let Some(extra) = rest.get(2) {
        return Err(wrong(extra));
    }
    let all = Part::All { is_related: true };
    let nodes = rest.first().map_or(Ok(all), |v| part(v, "nodes"))?;
    let links = rest.get(1).map_or(Ok(Part::All { is_related: true }), |v| part(v, "links"))?;
    if let (Part::All { .. }, Part::All { .. }) = (&nodes, &links) {
        return Ok(Loaded { name: id, kind, data, notes });
    }
    if mode == Mode::Reference {
        let why = "it never loads a part of a network".to_owned();
        return Err(CallError::Reference { why });
    }
    let data = match &data {
        Data::Network(network) => Data::network(network::cut(network, &nodes, &links)?),
        Data::Set(all) => match all.as_slice() {
            [member] => {
                let network = Rc::new(network::cut(&member.network, &nodes, &links)?);
                Data::Set(vec![Member { network, ..member.clone() }])
            }
            _ => {
                let what = "a part of one of several graphs".to_owned();
                return Err(CallError::DoesNotApply {
                    function: "GL".to_owned(),
                    dataset: id,
                    does: format!("name one graph to load {what}"),
                });
            }
        },
        Data::Knowledge(kg) => Data::Knowledge(Rc::new(facts::cut(kg, &nodes, &links)?)),
    };
    Ok(Loaded { name: id, kind, data, notes })
}

fn part<'v>(value: &'v Value, what: &str) -> Result<Part<'v>, CallError> {
    match value {
        Value::Set(all) if !all.is_empty() => Ok(Part::Some(all)),
        Value::Text(text) | Value::Name(text) => {
            let lower = text.trim().to_lowercase();
            if lower == "all" || lower.starts_with("all ") {
                let is_related =
                    ["related", "internal", "between"].iter().any(|w| lower.contains(w));
                return Ok(Part::All { is_related });
            }
            Ok(Part::Some(std::slice::from_ref(value)))
        }
        Value::Reference { .. } | Value::Number(_) => Ok(Part::Some(std::slice::from_ref(value))),
        other => Err(CallError::Subset { what: what.to_owned(), found: other.to_string() }),
    }
}

/// The name that an element of a subset gives: `node#3` and 3 are the same node.
fn name_of(value: &Value, what: &str) -> Result<String, CallError> {
    let plain = match value {
        Value::Text(text) => bare(text).unwrap_or_else(|| value.clone()),
        other => other.clone(),
    };
    plain
        .words()
        .ok_or_else(|| CallError::Subset { what: what.to_owned(), found: value.to_string() })
}

fn chosen(dataset: &str, data: Data, names: &[Value]) -> Result<Data, CallError> {
    let Data::Set(all) = data else { return Ok(data) };
    let mut members: Vec<Member> = Vec::new();
    for value in names {
        let name = name_of(value, "graphs")?;
        let same = |m: &&Member| {
            m.name == name || (dataset == "gpr" && graphs::find(&name) == Some(m.name.as_str()))
        };
        let Some(member) = all.iter().find(same) else {
            let names: Vec<NodeName> = all.iter().map(|m| m.name.as_str().into()).collect();
            let near = nearest_names(&name.as_str().into(), names.iter(), 5);
            return Err(CallError::UnknownGraph {
                dataset: dataset.to_owned(),
                graph: name,
                near: near.iter().map(NodeName::to_string).collect(),
            });
        };
        if members.iter().all(|m| m.name != member.name) {
            members.push(member.clone());
        }
    }
    Ok(Data::Set(members))
}
