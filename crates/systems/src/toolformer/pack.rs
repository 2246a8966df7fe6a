//! Data in one file: what `graphground data pack` writes and a person drops on the page.
//!
//! JSON lines. The first says what it is ([`PackHead`]); then come nodes, links, and, in a set, the
//! graphs that they belong to, each before its own. `docs/data.md` has the fields.

use std::rc::Rc;

use graph::{Graph, GraphError};
use kg::{KgBuilder, KgError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::data::{Data, Member, Network, Profile};
use super::hubs::DatasetKind;

/// What the first line of a pack calls itself.
pub const FORMAT: &str = "graphground-data";
/// The newest version; what has no times is written as version 1, which older programs read.
pub const VERSION: u32 = 2;
/// The most bytes that are read, unpacked.
pub const MAX_BYTES: usize = 400_000_000;
/// The longest line, in bytes.
const MAX_LINE: usize = 4_000_000;

/// Of which shape data are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataShape {
    /// One network.
    Network,
    /// A set of networks.
    Set,
    /// Facts about entities.
    Knowledge,
}

/// The first line of a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackHead {
    /// The name of the format, always [`FORMAT`].
    pub format: String,
    /// The version of the format, at most [`VERSION`]: links have times since 2.
    pub version: u32,
    /// What calls name it by.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is about.
    pub kind: DatasetKind,
    /// Whether it is one network, a set of them, or facts.
    pub shape: DataShape,
    /// Whether links have a direction.
    #[serde(default)]
    pub is_directed: bool,
    /// What is in it; held against what comes.
    pub profile: Profile,
    /// Where it comes from, and under which terms.
    pub card: Card,
}

/// Where data come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Who made them, and where they were had.
    pub source: String,
    /// The terms under which the data may be used.
    pub licence: String,
    /// What was changed on the way, and what to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Why a pack cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The first line is not that of a pack.
    #[error(
        "line 1: expected {{\"format\": \"{FORMAT}\", \"version\": {VERSION}, …}}, as `graphground \
         data pack` writes it: {reason}"
    )]
    Head {
        /// What is wrong with the file.
        reason: String,
    },
    /// The file is of a newer version.
    #[error("the pack has version {found}; this program reads up to {VERSION}")]
    Version {
        /// The version that the file says.
        found: u32,
    },
    /// A line that cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// Not what the head says.
    #[error("the pack says {told} {what}, and has {found}; it was cut off or changed")]
    Profile {
        /// What is counted, such as nodes.
        what: &'static str,
        /// How many the head tells.
        told: usize,
        /// How many there are.
        found: usize,
    },
    /// The file is too large.
    #[error("the pack has {found} bytes; at most {MAX_BYTES} are read")]
    TooLong {
        /// How many it has.
        found: usize,
    },
}

/// One line after the first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// A graph of a set begins.
    g: Option<String>,
    /// The name of a node.
    n: Option<String>,
    /// The class of a graph or node.
    l: Option<String>,
    /// The features that a node has.
    f: Option<Vec<u32>>,
    /// Their values, where not all are 1.
    v: Option<Vec<f32>>,
    /// The type of an entity.
    t: Option<String>,
    /// The name of an entity.
    name: Option<String>,
    /// A link: its ends, a weight (null for none) and a time; or head, relation and tail.
    e: Option<Vec<Value>>,
}

/// Writes data. O(size).
pub fn write(name: &str, title: &str, kind: DatasetKind, data: &Data, card: &Card) -> String {
    let profile = data.profile();
    let has_times = matches!(data, Data::Network(network) if !network.times.is_empty());
    let shape = match data {
        Data::Network(_) => DataShape::Network,
        Data::Set(_) => DataShape::Set,
        Data::Knowledge(_) => DataShape::Knowledge,
    };
    let head = PackHead {
        format: FORMAT.to_owned(),
        version: if has_times { VERSION } else { 1 },
        name: name.to_owned(),
        title: title.to_owned(),
        kind,
        shape,
        is_directed: profile.is_directed,
        profile,
        card: card.clone(),
    };
    // Every type in here can be written as JSON.
    let mut out = serde_json::to_string(&head).unwrap_or_default();
    out.push('\n');
    match data {
        Data::Network(network) => write_network(&mut out, network),
        Data::Set(all) => {
            for member in all {
                let mut line = json!({ "g": member.name });
                if let Some(label) = &member.label {
                    line["l"] = json!(label);
                }
                put(&mut out, &line);
                write_network(&mut out, &member.network);
            }
        }
        Data::Knowledge(kg) => {
            for node in kg.nodes() {
                let of = &kg.schema().node_type(kg.node_type(node)).name;
                let mut line = json!({ "n": kg.id(node), "t": of });
                if kg.name(node) != kg.id(node) {
                    line["name"] = json!(kg.name(node));
                }
                put(&mut out, &line);
            }
            for (head, relation, tail) in kg.edges() {
                let relation = &kg.schema().edge_type(relation).name;
                put(&mut out, &json!({ "e": [kg.id(head), relation, kg.id(tail)] }));
            }
        }
    }
    out
}

fn put(out: &mut String, line: &Value) {
    out.push_str(&line.to_string());
    out.push('\n');
}

fn write_network(out: &mut String, network: &Network) {
    for (i, name) in network.graph.names().enumerate() {
        let mut line = Map::new();
        line.insert("n".into(), json!(name.to_string()));
        if let Some(Some(label)) = network.labels.get(i) {
            line.insert("l".into(), json!(label));
        }
        if let Some(features) = network.features.get(i).filter(|f| !f.is_empty()) {
            line.insert("f".into(), features.iter().map(|(f, _)| *f).collect());
            if features.iter().any(|(_, v)| *v != 1.0) {
                line.insert("v".into(), features.iter().map(|(_, v)| *v).collect());
            }
        }
        put(out, &Value::Object(line));
    }
    for (i, edge) in network.graph.edges().enumerate() {
        let (a, b) = (edge.source.to_string(), edge.target.to_string());
        match (edge.weight, network.times.get(i)) {
            (weight, Some(time)) => put(out, &json!({ "e": [a, b, weight, time] })),
            (Some(w), None) => put(out, &json!({ "e": [a, b, w] })),
            (None, None) => put(out, &json!({ "e": [a, b] })),
        }
    }
}

/// A network as it is put together.
struct Building {
    graph: Graph,
    features: Vec<Vec<(u32, f32)>>,
    labels: Vec<Option<String>>,
    times: Vec<u64>,
}

impl Building {
    fn new(is_directed: bool) -> Self {
        let graph = if is_directed { Graph::directed() } else { Graph::undirected() };
        Self { graph, features: Vec::new(), labels: Vec::new(), times: Vec::new() }
    }

    fn take(&mut self, line: Line) -> Result<(), String> {
        let told = |e: GraphError| e.to_string();
        if let Some(name) = line.n {
            if self.graph.has_node(&name.as_str().into()) {
                return Err(format!("node {name:?} comes twice"));
            }
            self.graph.ensure_node(name.as_str()).map_err(told)?;
            let ids = line.f.unwrap_or_default();
            let values = line.v.unwrap_or_else(|| vec![1.0; ids.len()]);
            if values.len() != ids.len() {
                let (n, m) = (ids.len(), values.len());
                return Err(format!("{n} features with {m} values"));
            }
            if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
                return Err(format!("a feature's value is {bad}"));
            }
            self.features.push(ids.into_iter().zip(values).collect());
            self.labels.push(line.l);
            return Ok(());
        }
        let ends = line.e.unwrap_or_default();
        let text = |v: &Value| v.as_str().map(str::to_owned);
        let number = |w: &Value| w.as_f64().ok_or("a weight is no number");
        let (a, b, weight, time) = match ends.as_slice() {
            [a, b] => (text(a), text(b), None, None),
            [a, b, w] => (text(a), text(b), Some(number(w)?), None),
            [a, b, w, time] => {
                let weight = if w.is_null() { None } else { Some(number(w)?) };
                (text(a), text(b), weight, Some(time.as_u64().ok_or("a time is no number")?))
            }
            _ => (None, None, None, None),
        };
        let (Some(a), Some(b)) = (a, b) else {
            return Err("a link is [\"a\", \"b\"], [\"a\", \"b\", weight] or [\"a\", \"b\", \
                        weight, time]"
                .to_owned());
        };
        if time.is_some() && self.times.len() != self.graph.n_edges() {
            return Err("a link has a time, and one before it has none".to_owned());
        }
        if let Some(time) = time {
            self.times.push(time);
        } else if !self.times.is_empty() {
            return Err("a link has no time, and those before it have one".to_owned());
        }
        let (a, b) = (graph::NodeName::from(a), graph::NodeName::from(b));
        if let Some(missing) = [&a, &b].into_iter().find(|n| !self.graph.has_node(n)) {
            return Err(format!("a link names node {missing}, which no line before it has"));
        }
        match weight {
            Some(w) => self.graph.link_weighted(a, b, w).map_err(told),
            None => self.graph.link(a, b).map_err(told),
        }
    }

    fn finish(self) -> Network {
        let has = |f: &Vec<(u32, f32)>| !f.is_empty();
        let features = if self.features.iter().any(has) { self.features } else { Vec::new() };
        let is_told = self.labels.iter().any(Option::is_some);
        let labels = if is_told { self.labels } else { Vec::new() };
        Network { graph: self.graph, features, labels, times: self.times }
    }
}

/// Reads a pack. O(size).
///
/// # Errors
/// It is none, a line cannot be read, or it is not what its head says.
pub fn read(text: &str) -> Result<(PackHead, Data), PackError> {
    if text.len() > MAX_BYTES {
        return Err(PackError::TooLong { found: text.len() });
    }
    let mut lines = text.lines().enumerate();
    let first = lines.next().map_or("", |(_, l)| l);
    let head: PackHead = serde_json::from_str(first.trim_start_matches('\u{feff}'))
        .map_err(|e| PackError::Head { reason: e.to_string() })?;
    if head.format != FORMAT {
        return Err(PackError::Head { reason: format!("its format is {:?}", head.format) });
    }
    if head.version > VERSION {
        return Err(PackError::Version { found: head.version });
    }
    let mut one = Building::new(head.is_directed);
    let mut set: Vec<Member> = Vec::new();
    let mut open: Option<(String, Option<String>)> = None;
    let mut facts = KgBuilder::new(head.title.as_str());
    for (i, text) in lines.filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |reason: String| PackError::Line { line: i + 1, reason };
        if text.len() > MAX_LINE {
            return Err(wrong(format!("it has {} bytes; at most {MAX_LINE}", text.len())));
        }
        let mut line: Line = serde_json::from_str(text)
            .map_err(|e| wrong(format!("expected a node, a link or a graph: {e}")))?;
        match (head.shape, line.g.take()) {
            (DataShape::Set, Some(name)) => {
                if let Some(before) = open.replace((name, line.l)) {
                    let whole = std::mem::replace(&mut one, Building::new(head.is_directed));
                    set.push(member(before, whole));
                }
            }
            (_, Some(name)) => return Err(wrong(format!("graph {name:?} in what is no set"))),
            (DataShape::Set, None) if open.is_none() => {
                return Err(wrong("the first graph of the set has not begun".into()));
            }
            (DataShape::Knowledge, None) => {
                fact(&mut facts, line).map_err(wrong)?;
            }
            (_, None) => one.take(line).map_err(wrong)?,
        }
    }
    let data = match head.shape {
        DataShape::Network => Data::network(one.finish()),
        DataShape::Set => {
            set.extend(open.map(|of| member(of, one)));
            Data::Set(set)
        }
        DataShape::Knowledge => {
            let kg = facts.build();
            Data::Knowledge(Rc::new(kg.map_err(|e| PackError::Head { reason: e.to_string() })?))
        }
    };
    let (told, found) = (&head.profile, data.profile());
    for (what, told, found) in [
        ("graphs", told.n_graphs, found.n_graphs),
        ("nodes", told.n_nodes, found.n_nodes),
        ("links", told.n_links, found.n_links),
    ] {
        if told != found {
            return Err(PackError::Profile { what, told, found });
        }
    }
    Ok((head, data))
}

fn member((name, label): (String, Option<String>), whole: Building) -> Member {
    Member { name, network: Rc::new(whole.finish()), label }
}

fn fact(facts: &mut KgBuilder, line: Line) -> Result<(), String> {
    let told = |e: KgError| e.to_string();
    if let Some(id) = line.n {
        let (of, name) = (line.t.unwrap_or_else(|| "Entity".into()), line.name.unwrap_or_default());
        return facts.node(&id, &of, &name, Map::new()).map_err(told);
    }
    let ends = line.e.unwrap_or_default();
    let texts: Vec<&str> = ends.iter().filter_map(Value::as_str).collect();
    match texts.as_slice() {
        [head, relation, tail] if ends.len() == 3 => facts.edge(head, relation, tail).map_err(told),
        _ => Err("a fact is [\"head\", \"relation\", \"tail\"]".to_owned()),
    }
}
