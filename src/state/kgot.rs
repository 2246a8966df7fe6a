//! A knowledge graph that grows: what it is at each step of a run, and its drawing.

use std::collections::{BTreeMap, BTreeSet};

use draw::{LayoutKind, Mark, Marks, Places, Scene, layout};
use graph::{Graph, NodeName};
use serde_json::{Map, Value, json};
use systems::experiment::{Finished, Score};
use systems::kgot::{GraphGrowth, GrownEdge, GrownNode, KgotOutcome};
use trace::{Step, StepBody, Stop, Trace};

use super::story::Steps;

/// With more edges than this, only marked ones say their types.
const MOST_WORDS: usize = 24;
/// The letters of a name beside its node.
const NAME: usize = 26;

/// A graph at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphNow {
    /// The nodes by id.
    pub nodes: BTreeMap<u64, GrownNode>,
    /// The edges by id.
    pub edges: BTreeMap<u64, GrownEdge>,
    /// What the step in view made or changed.
    pub fresh_nodes: BTreeSet<u64>,
    /// The same of edges.
    pub fresh_edges: BTreeSet<u64>,
}

impl GraphNow {
    fn take(&mut self, growth: &GraphGrowth) {
        if growth.is_anew {
            self.nodes.clear();
            self.edges.clear();
        }
        for id in &growth.gone_edges {
            self.edges.remove(id);
        }
        for id in &growth.gone_nodes {
            self.nodes.remove(id);
        }
        self.nodes.extend(growth.nodes.iter().map(|n| (n.id, n.clone())));
        self.edges.extend(growth.edges.iter().map(|e| (e.id, e.clone())));
    }

    /// The graph as the text of a snapshot file, for an engine that no longer has it.
    pub fn snapshot(&self) -> String {
        let node = |n: &GrownNode| {
            json!({
                "type": "node",
                "id": n.id.to_string(),
                "labels": n.labels,
                "properties": n.properties,
            })
        };
        let edge = |e: &GrownEdge| {
            json!({
                "type": "relationship",
                "id": e.id.to_string(),
                "label": e.edge_type,
                "properties": e.properties,
                "start": { "id": e.source.to_string() },
                "end": { "id": e.target.to_string() },
            })
        };
        let lines = self.nodes.values().map(node).chain(self.edges.values().map(edge));
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// The node that drawings call so.
    pub fn named(&self, name: &str) -> Option<&GrownNode> {
        self.nodes.values().find(|n| n.name == name)
    }

    /// What queries can name: labels, types of edges and names of properties, each in their order.
    pub fn words(&self) -> Vocabulary {
        let mut words = Vocabulary::default();
        for node in self.nodes.values() {
            words.labels.extend(node.labels.iter().cloned());
            words.properties.extend(node.properties.keys().cloned());
        }
        for edge in self.edges.values() {
            words.types.insert(edge.edge_type.clone());
            words.properties.extend(edge.properties.keys().cloned());
        }
        words
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::directed();
        join(&mut graph, self, self.nodes.values(), self.edges.values());
        graph
    }

    fn ends(&self, edge: &GrownEdge) -> Option<(&str, &str)> {
        let name = |id: &u64| self.nodes.get(id).map(|n| n.name.as_str());
        Some((name(&edge.source)?, name(&edge.target)?))
    }
}

/// Adds nodes and edges of a graph, by their names, to one that is drawn.
fn join<'a>(
    graph: &mut Graph,
    now: &GraphNow,
    nodes: impl Iterator<Item = &'a GrownNode>,
    edges: impl Iterator<Item = &'a GrownEdge>,
) {
    for node in nodes {
        // Names are distinct, and within the length of a node's name.
        let _ = graph.ensure_node(node.name.as_str());
    }
    for edge in edges {
        if let Some((source, target)) = now.ends(edge)
            && source != target
        {
            let _ = graph.link(source, target);
        }
    }
}

/// A task that was solved, or not.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedTask {
    /// What happened.
    pub run: Finished<KgotOutcome>,
    /// Whether the right answer is known.
    pub is_known: bool,
}

impl SolvedTask {
    /// How good the answer is, where the right one is known.
    pub fn score(&self) -> Option<&Score> {
        self.is_known.then_some(&self.run.score)
    }
}

/// The trace of a run whose engine ended before its end: the steps until then, and why there are no more.
pub fn broken_off(begun: Trace, steps: &Steps, why: String) -> Trace {
    let mut steps: Vec<Step> = steps.iter().map(|step| (**step).clone()).collect();
    let at_ms = steps.last().map_or(0.0, |last| last.at_ms + last.took_ms);
    let body = StepBody::Note { text: format!("The run broke off: {why}") };
    steps.push(Step { at_ms, took_ms: 0.0, by_person: false, body });
    let stop = Some(Stop::ModelFailed { message: why, is_overflow: false });
    Trace { steps, stop, ..begun }
}

/// What queries can name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// Labels of nodes.
    pub labels: BTreeSet<String>,
    /// Types of edges.
    pub types: BTreeSet<String>,
    /// Names of properties.
    pub properties: BTreeSet<String>,
}

impl Vocabulary {
    /// What may be meant by the word that ends at the cursor of a query, with how many bytes of it
    /// are typed already: labels and types after a colon, names of properties after a dot or inside
    /// braces.
    pub fn complete(&self, before: &str) -> (usize, Vec<String>) {
        let typed: String = {
            let tail = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_');
            tail.collect::<Vec<_>>().into_iter().rev().collect()
        };
        let head = before[..before.len() - typed.len()].trim_end();
        let in_edge = head.rfind('[').is_some_and(|open| !head[open..].contains(']'));
        let lists: Vec<&BTreeSet<String>> = match head.chars().last() {
            Some(':' | '|') if in_edge => vec![&self.types],
            Some(':') => vec![&self.labels, &self.types],
            Some('.' | '{' | ',') => vec![&self.properties],
            _ if typed.len() >= 2 => vec![&self.labels, &self.types, &self.properties],
            _ => Vec::new(),
        };
        let wanted = typed.to_lowercase();
        let fits = |w: &&String| w.to_lowercase().starts_with(&wanted) && **w != typed;
        let mut found: Vec<String> = lists.into_iter().flatten().filter(fits).cloned().collect();
        found.dedup();
        found.truncate(12);
        (typed.len(), found)
    }
}

/// How a graph has grown, step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Growing {
    /// What there was before the first step.
    pub base: GraphGrowth,
    /// What each step that wrote made of it: how many steps there were then, and the change.
    steps: Vec<(usize, GraphGrowth)>,
    /// Where the nodes stand.
    pub places: Places,
}

impl Growing {
    /// A graph to begin with. What has a place keeps it.
    pub fn open(base: GraphGrowth, before: &Places) -> Self {
        let mut growing = Self { base, ..Self::default() };
        growing.places = placed(&growing.newest().graph(), before);
        growing
    }

    /// A step, the last of so many, has changed the graph. What stands somewhere stays there.
    pub fn push(&mut self, n_steps: usize, growth: GraphGrowth) {
        self.steps.push((n_steps, growth));
        self.places = placed(&self.newest().graph(), &self.places);
    }

    /// Places all nodes anew, those that are gone among them.
    pub fn tidy(&mut self) {
        let mut now = GraphNow::default();
        let mut all = Graph::directed();
        for growth in std::iter::once(&self.base).chain(self.steps.iter().map(|(_, g)| g)) {
            now.take(growth);
            // By name: another graph gives the ids anew.
            join(&mut all, &now, growth.nodes.iter(), growth.edges.iter());
        }
        self.places = layout(&all, LayoutKind::Force, 1, &Places::default());
    }

    /// How often the graph had changed up to a step.
    pub fn n_growths(&self, cursor: usize) -> usize {
        self.steps.iter().take_while(|(n, _)| *n <= cursor).count()
    }

    /// The graph after so many steps.
    ///
    /// # Complexity
    /// O(what was written up to there).
    pub fn at(&self, cursor: usize) -> GraphNow {
        let mut now = GraphNow::default();
        now.take(&self.base);
        for (n, growth) in self.steps.iter().take_while(|(n, _)| *n <= cursor) {
            now.take(growth);
            if *n == cursor && !growth.is_anew {
                now.fresh_nodes.extend(growth.nodes.iter().map(|x| x.id));
                now.fresh_edges.extend(growth.edges.iter().map(|x| x.id));
            }
        }
        now
    }

    /// The graph as it is last.
    pub fn newest(&self) -> GraphNow {
        self.at(usize::MAX)
    }
}

/// Places for all nodes; what has one keeps it, also where it is gone now: it was there at earlier
/// steps.
fn placed(graph: &Graph, before: &Places) -> Places {
    let mut places = layout(graph, LayoutKind::Force, 1, before);
    for (name, at) in before.iter() {
        if places.get(name).is_none() {
            places.set(name.clone(), at);
        }
    }
    places
}

/// The types of the edges between two nodes, and their mark.
type Said = (Vec<String>, Option<Mark>);

/// What is pointed at in a drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pointed {
    /// The names of the nodes that the answer stands on.
    pub support: BTreeSet<String>,
    /// The names of the nodes that a query has read.
    pub read: BTreeSet<String>,
    /// The id of the node that is picked.
    pub picked: Option<u64>,
}

/// Draws a graph.
pub fn drawn(now: &GraphNow, places: &Places, pointed: &Pointed) -> Scene {
    let graph = now.graph();
    let mut marks = Marks::default();
    for node in now.nodes.values() {
        let name = NodeName::from(node.name.as_str());
        let is_long = !draw::fits(&node.name);
        let tag = is_long.then(|| cut(&node.name));
        let mut kinds = Vec::new();
        if now.fresh_nodes.contains(&node.id) {
            kinds.push(Mark::Written);
        }
        if pointed.read.contains(&node.name) {
            kinds.push(Mark::Read);
        }
        if pointed.support.contains(&node.name) {
            kinds.push(Mark::True);
        }
        if pointed.picked == Some(node.id) {
            kinds.push(Mark::Picked);
        }
        marks.nodes.extend(kinds.into_iter().map(|kind| (name.clone(), kind, tag.clone())));
    }
    let says_all = now.edges.len() <= MOST_WORDS;
    // What stands on the line between two nodes, and its mark.
    let mut said: BTreeMap<(&str, &str), Said> = BTreeMap::new();
    for edge in now.edges.values() {
        let Some(ends) = now.ends(edge) else { continue };
        let holds = |name: &str| pointed.support.contains(name);
        let mark = if now.fresh_edges.contains(&edge.id) {
            Some(Mark::Written)
        } else if holds(ends.0) && holds(ends.1) {
            Some(Mark::True)
        } else {
            None
        };
        let (words, marked) = said.entry(ends).or_default();
        let word = edge.edge_type.replace('_', " ").to_lowercase();
        if !words.contains(&word) {
            words.push(word);
        }
        *marked = marked.or(mark);
    }
    let name = |text: &str| NodeName::from(text);
    for ((source, target), (_, mark)) in &said {
        if let Some(mark) = mark {
            marks.edges.push((name(source), name(target), *mark, None));
        }
    }
    let mut scene = Scene::new(&graph, places, &marks);
    for node in &mut scene.nodes {
        let text = node.name.to_string();
        if !draw::fits(&text) {
            node.tag = Some(cut(&text));
            node.label = initials(&text);
        }
    }
    for edge in &mut scene.edges {
        let ends = (edge.source.to_string(), edge.target.to_string());
        if let Some((words, mark)) = said.get(&(ends.0.as_str(), ends.1.as_str()))
            && (says_all || mark.is_some())
        {
            edge.tag = Some(words.join(", "));
        }
    }
    scene.arrange();
    scene
}

fn cut(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    format!("{}…", name.chars().take(NAME - 1).collect::<String>())
}

/// The first letters of the first words, or the number at the end: what has its whole name beside it
/// needs no more inside.
fn initials(name: &str) -> String {
    let last = name.split_whitespace().next_back().unwrap_or_default();
    if last.len() <= 4 && last.bytes().all(|b| b.is_ascii_digit()) {
        return last.to_owned();
    }
    name.split(|c: char| !c.is_alphanumeric())
        .filter_map(|w| w.chars().next())
        .take(3)
        .collect::<String>()
        .to_uppercase()
}

/// Values as one line of text.
pub fn properties_text(properties: &Map<String, Value>) -> String {
    let one = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}: {text}"),
        other => format!("{name}: {other}"),
    };
    properties.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A name between the marks of Cypher.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A text as Cypher writes it.
fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\'', "\\'").replace(['\n', '\r'], " ");
    format!("'{escaped}'")
}

/// The query that adds a fact: both nodes are made where no node has that name.
pub fn add_fact(now: &GraphNow, head: &str, relation: &str, tail: &str) -> Result<String, String> {
    let (head, relation, tail) = (head.trim(), relation.trim(), tail.trim());
    if head.is_empty() || relation.is_empty() || tail.is_empty() {
        return Err("A fact has three parts: who, which relation, and what.".into());
    }
    let end = |variable: &str, name: &str| match now.named(name) {
        Some(node) => format!("MATCH ({variable}) WHERE id({variable}) = {}", node.id),
        None => format!("MERGE ({variable}:Thing {{name: {}}})", literal(name)),
    };
    let edge_type = quoted(&relation.to_uppercase().replace(' ', "_"));
    let mut ends = [end("a", head), end("b", tail)];
    // Cypher wants WITH between what writes and what reads.
    ends.sort_by_key(|text| text.starts_with("MERGE"));
    Ok(format!("{} {} MERGE (a)-[:{edge_type}]->(b)", ends[0], ends[1]))
}

/// The query that drops an edge.
pub fn drop_edge(id: u64) -> String {
    format!("MATCH ()-[r]->() WHERE id(r) = {id} DELETE r")
}

/// The query that drops a node with its edges.
pub fn drop_node(id: u64) -> String {
    format!("MATCH (n) WHERE id(n) = {id} DETACH DELETE n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(id: u64, name: &str) -> GrownNode {
        let properties = json!({ "name": name }).as_object().cloned().unwrap_or_default();
        GrownNode { id, name: name.into(), labels: vec!["Village".into()], properties }
    }

    fn edge(id: u64, source: u64, target: u64) -> GrownEdge {
        let edge_type = "ROAD_TO".to_owned();
        GrownEdge { id, source, target, edge_type, properties: Map::new() }
    }

    fn growing() -> Growing {
        let mut growing = Growing::default();
        let (nodes, edges) = (vec![node(1, "Alder"), node(2, "Birchwood Mill")], Vec::new());
        growing.push(3, GraphGrowth { nodes, edges, ..GraphGrowth::default() });
        growing.push(5, GraphGrowth { edges: vec![edge(1, 1, 2)], ..GraphGrowth::default() });
        let gone = GraphGrowth { gone_edges: vec![1], gone_nodes: vec![1], ..Default::default() };
        growing.push(9, gone);
        growing
    }

    #[test]
    fn the_graph_at_a_step_is_what_was_written_up_to_it() {
        let growing = growing();
        assert!(growing.at(2).nodes.is_empty());
        let three = growing.at(3);
        assert_eq!((three.nodes.len(), three.fresh_nodes.len()), (2, 2));
        let four = growing.at(4);
        assert_eq!((four.nodes.len(), four.fresh_nodes.len()), (2, 0));
        assert_eq!(growing.at(5).edges.len(), 1);
        let last = growing.newest();
        assert_eq!((last.nodes.len(), last.edges.len()), (1, 0));
        assert_eq!([2, 3, 8, 9].map(|c| growing.n_growths(c)), [0, 1, 2, 3]);
    }

    #[test]
    fn a_graph_that_takes_the_place_of_another_is_all_there_is() {
        let mut growing = growing();
        let (nodes, is_anew) = (vec![node(1, "Cove")], true);
        growing.push(10, GraphGrowth { is_anew, nodes, ..GraphGrowth::default() });
        let now = growing.newest();
        assert_eq!(now.nodes.values().map(|n| n.name.as_str()).collect::<Vec<_>>(), ["Cove"]);
        assert!(now.edges.is_empty() && growing.at(10).fresh_nodes.is_empty());
        assert_eq!((growing.at(9).nodes.len(), growing.n_growths(10)), (1, 4));
        assert!(growing.at(9).named("Birchwood Mill").is_some());
        growing.tidy();
        for name in ["Alder", "Birchwood Mill", "Cove"] {
            assert!(growing.places.get(&NodeName::from(name)).is_some(), "{name}");
        }
    }

    #[test]
    fn a_snapshot_of_the_page_has_the_ids_and_values_of_the_graph() {
        let now = growing().at(5);
        let graph = kg::property::snapshot_file::read(&now.snapshot()).unwrap().graph;
        let read: Vec<u64> = graph.nodes().map(|(id, _)| id.0).collect();
        assert_eq!(read, [1, 2]);
        let (_, edge) = graph.edges().next().unwrap();
        assert_eq!((edge.source.0, edge.target.0, edge.edge_type.as_str()), (1, 2, "ROAD_TO"));
        let (_, alder) = graph.nodes().next().unwrap();
        assert_eq!(alder.properties["name"].to_json(), json!("Alder"));
        assert!(alder.labels.contains("Village"));
        assert_eq!(GraphNow::default().snapshot(), "");
    }

    #[test]
    fn a_run_that_broke_off_has_its_steps_and_why() {
        let start = Trace::new("kgot-direct", "m".into(), vec![llm::Message::user("How many?")]);
        let body = StepBody::Note { text: "a".into() };
        let steps = crate::state::story::shared(&[Step {
            at_ms: 1.0,
            took_ms: 1.0,
            by_person: false,
            body,
        }]);
        let trace = broken_off(start, &steps, "the engine ended".into());
        assert_eq!((trace.system.as_str(), trace.steps.len()), ("kgot-direct", 2));
        assert!((trace.steps[1].at_ms - 2.0).abs() < f64::EPSILON);
        assert_eq!(trace.stop.unwrap().title(), "the engine ended");
    }

    #[test]
    fn nodes_stay_where_they_stand_while_the_graph_grows() {
        let mut growing = growing();
        let before = growing.places.clone();
        let nodes = vec![node(7, "Cove")];
        growing.push(11, GraphGrowth { nodes, ..GraphGrowth::default() });
        for (name, at) in before.iter() {
            assert_eq!(growing.places.get(name), Some(at), "{name}");
        }
        assert!(growing.places.get(&NodeName::from("Cove")).is_some());
    }

    #[test]
    fn what_is_new_and_what_the_answer_stands_on_is_marked() {
        let growing = growing();
        let support = BTreeSet::from(["Alder".to_owned(), "Birchwood Mill".to_owned()]);
        let pointed = Pointed { support, ..Pointed::default() };
        let scene = drawn(&growing.at(5), &growing.places, &pointed);
        assert_eq!(scene.edges[0].marks, [Mark::Written]);
        assert_eq!(scene.edges[0].tag.as_deref(), Some("road to"));
        let mill = scene.nodes.iter().find(|n| n.name.to_string() == "Birchwood Mill").unwrap();
        assert_eq!((mill.label.as_str(), mill.tag.as_deref()), ("BM", Some("Birchwood Mill")));
        assert_eq!(mill.marks, [Mark::True]);
        let later = drawn(&growing.at(6), &growing.places, &pointed);
        assert_eq!(later.edges[0].marks, [Mark::True]);
    }

    #[test]
    fn words_are_offered_by_the_place_where_they_stand() {
        let words = growing().at(5).words();
        let offered = |text: &str| words.complete(text);
        assert_eq!(offered("MATCH (n:"), (0, vec!["Village".to_owned(), "ROAD_TO".to_owned()]));
        assert_eq!(offered("MATCH (n:vi"), (2, vec!["Village".to_owned()]));
        assert_eq!(offered("MATCH (n)-[:ro"), (2, vec!["ROAD_TO".to_owned()]));
        assert_eq!(offered("RETURN n.na"), (2, vec!["name".to_owned()]));
        assert_eq!(offered("MATCH (n:Village"), (7, Vec::new()));
        assert_eq!(offered("M"), (1, Vec::new()));
        assert_eq!(offered(""), (0, Vec::new()));
        assert_eq!(offered("„ü"), (2, Vec::new()));
    }

    #[test]
    fn facts_become_queries_in_which_nothing_can_break_out() {
        let now = growing().at(5);
        let query = add_fact(&now, "Alder", "road to", "O'Hara\\' }) DETACH DELETE n //").unwrap();
        let expected = "MATCH (a) WHERE id(a) = 1 MERGE (b:Thing {name: 'O\\'Hara\\\\\\' }) DETACH \
                        DELETE n //'}) MERGE (a)-[:`ROAD_TO`]->(b)";
        assert_eq!(query, expected);
        assert!(cypher::Query::parse(&query).is_ok());
        let both_new = add_fact(&now, "x", "is `a`", "y").unwrap();
        assert!(cypher::Query::parse(&both_new).is_ok(), "{both_new}");
        let old_end = add_fact(&now, "x", "knows", "Alder").unwrap();
        assert!(cypher::Query::parse(&old_end).is_ok(), "{old_end}");
        assert!(add_fact(&now, "x", " ", "y").is_err());
        for query in [drop_edge(3), drop_node(4)] {
            assert!(cypher::Query::parse(&query).is_ok());
        }
    }
}
