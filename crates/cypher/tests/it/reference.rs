//! `MATCH`, `OPTIONAL MATCH` and `WHERE` held against their definition: on small graphs, every way
//! to give nodes and edges to a pattern is tried, and no edge is used twice in one clause.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use cypher::{CypherValue, Parameters, Query, QueryLimits};
use kg::property::{Properties, PropertyGraph, PropertyValue};
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const LABELS: [&str; 3] = ["A", "B", "C"];
const TYPES: [&str; 2] = ["R", "S"];
type Test = fn(Ordering) -> bool; // What orders of two values an operator takes.
const OPERATORS: [(&str, Test); 3] =
    [("=", Ordering::is_eq), ("<", Ordering::is_lt), (">=", Ordering::is_ge)];

#[derive(Clone, Debug)]
struct Graph {
    /// Labels and a value.
    nodes: Vec<(Vec<&'static str>, Option<i64>)>,
    /// From where to where, the type and a value.
    edges: Vec<(usize, usize, &'static str, Option<i64>)>,
}

#[derive(Clone, Debug)]
struct NodePattern {
    name: Option<usize>,
    /// One of them is enough.
    labels: Vec<&'static str>,
    v: Option<i64>,
}

#[derive(Clone, Debug)]
struct EdgePattern {
    named: bool,
    /// May it leave the node it is met at, may it come in?
    ways: (bool, bool),
    kinds: Vec<&'static str>,
    /// How many edges, at least and at most, in either of two notations.
    length: Option<(usize, usize, bool)>,
}

type PathPattern = (NodePattern, Vec<(EdgePattern, NodePattern)>);

/// Numbers choose among the names that are known.
#[derive(Clone, Debug)]
enum Condition {
    Compare(usize, usize, Result<usize, Option<i64>>),
    IsNull(usize),
    Not(Box<Condition>),
    /// AND, or else OR.
    Both(bool, Box<[Condition; 2]>),
}

/// Whether it is optional, its paths, and its condition.
type Clause = (bool, Vec<PathPattern>, Option<Condition>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Null,
    Node(usize),
    Edge(usize),
    Edges(Vec<usize>),
}

type Row = BTreeMap<String, Bound>;

impl NodePattern {
    fn text(&self) -> String {
        let mut text = self.name.map_or_else(String::new, |n| format!("n{n}"));
        if !self.labels.is_empty() {
            let _ = write!(text, ":{}", self.labels.join("|"));
        }
        let v = self.v.map_or_else(String::new, |v| format!(" {{v: {v}}}"));
        format!("({text}{v})")
    }

    fn fits(&self, (labels, v): &(Vec<&str>, Option<i64>)) -> bool {
        let labels = self.labels.is_empty() || self.labels.iter().any(|l| labels.contains(l));
        labels && (self.v.is_none() || self.v == *v)
    }
}

impl EdgePattern {
    fn text(&self, name: &str) -> String {
        let name = if self.named { name } else { "" };
        let kinds = if self.kinds.is_empty() { "" } else { ":" }.to_owned() + &self.kinds.join("|");
        let (length, after) = match self.length {
            None => (String::new(), String::new()),
            Some((least, most, false)) => (format!("*{least}..{most}"), String::new()),
            Some((least, most, true)) => (String::new(), format!("{{{least},{most}}}")),
        };
        let ways = [("<-", "-"), ("-", "->"), ("-", "-")];
        let (before, behind) =
            ways[usize::from(self.ways.0) + usize::from(self.ways == (true, true))];
        format!("{before}[{name}{kinds}{length}]{behind}{after}")
    }

    /// Where the edge leads from a node.
    fn follow(&self, edge: &(usize, usize, &str, Option<i64>), from: usize) -> Option<usize> {
        let (source, target, kind, _) = *edge;
        let kind = self.kinds.is_empty() || self.kinds.contains(&kind);
        let out = (kind && self.ways.0 && source == from).then_some(target);
        out.or((kind && self.ways.1 && target == from).then_some(source))
    }
}

impl Condition {
    fn text(&self, scope: &[String]) -> String {
        let number = |v: Option<i64>| v.map_or("null".to_owned(), |v| v.to_string());
        let value = |i: usize| format!("{}.v", scope[i % scope.len()]);
        match self {
            Self::Compare(a, op, b) => value(*a) + OPERATORS[*op].0 + &b.map_or_else(number, value),
            Self::IsNull(a) => format!("{} IS NULL", value(*a)),
            Self::Not(a) => format!("NOT ({})", a.text(scope)),
            Self::Both(true, two) => format!("({} AND {})", two[0].text(scope), two[1].text(scope)),
            Self::Both(false, two) => format!("({} OR {})", two[0].text(scope), two[1].text(scope)),
        }
    }

    /// True, false, or unknown.
    fn holds(&self, scope: &[String], row: &Row, graph: &Graph) -> Option<bool> {
        let value = |i: usize| match row.get(&scope[i % scope.len()]) {
            Some(Bound::Node(n)) => graph.nodes[*n].1,
            Some(Bound::Edge(e)) => graph.edges[*e].3,
            _ => None,
        };
        match self {
            Self::Compare(a, op, b) => {
                let ordering = value(*a)?.cmp(&b.map_or_else(|constant| constant, value)?);
                Some(OPERATORS[*op].1(ordering))
            }
            Self::IsNull(a) => Some(value(*a).is_none()),
            Self::Not(a) => a.holds(scope, row, graph).map(|a| !a),
            Self::Both(and, two) => {
                let two = [two[0].holds(scope, row, graph), two[1].holds(scope, row, graph)];
                let known = if two.contains(&None) { None } else { Some(*and) };
                if two.contains(&Some(!and)) { Some(!and) } else { known }
            }
        }
    }
}

/// All ways to match what is left of a clause.
struct Matching<'m> {
    graph: &'m Graph,
    paths: &'m [PathPattern],
    clause: usize,
    used: Vec<usize>,
    found: Vec<Row>,
    left: usize,
}

impl Matching<'_> {
    fn node(&self, pattern: &NodePattern, n: usize, row: &Row) -> Option<Row> {
        let name = pattern.name.map(|name| format!("n{name}"));
        let old = name.as_ref().and_then(|name| row.get(name));
        let fits = pattern.fits(&self.graph.nodes[n]);
        (fits && old.is_none_or(|old| *old == Bound::Node(n))).then(|| {
            row.clone().into_iter().chain(name.map(|name| (name, Bound::Node(n)))).collect()
        })
    }

    fn path(&mut self, p: usize, row: &Row) {
        let paths = self.paths;
        let Some((start, _)) = paths.get(p) else { return self.found.push(row.clone()) };
        for n in 0..self.graph.nodes.len() {
            if let Some(row) = self.node(start, n, row) {
                self.steps(p, 0, n, &mut Vec::new(), &row);
            }
        }
    }

    /// Goes on at `from`, where the step `s` has taken some edges already.
    fn steps(&mut self, p: usize, s: usize, from: usize, taken: &mut Vec<usize>, row: &Row) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return;
        }
        let paths = self.paths;
        let Some((edge, node)) = paths[p].1.get(s) else { return self.path(p + 1, row) };
        let (least, most, _) = edge.length.unwrap_or((1, 1, false));
        if taken.len() >= least
            && let Some(mut row) = self.node(node, from, row)
        {
            let all = || Bound::Edges(taken.clone());
            let bound = edge.length.map_or_else(|| Bound::Edge(taken[0]), |_| all());
            edge.named.then(|| row.insert(format!("e{}{p}{s}", self.clause), bound));
            self.steps(p, s + 1, from, &mut Vec::new(), &row);
        }
        for e in 0..self.graph.edges.len() {
            let to = edge.follow(&self.graph.edges[e], from);
            if let Some(to) = to.filter(|_| taken.len() < most && !self.used.contains(&e)) {
                self.used.push(e);
                taken.push(e);
                self.steps(p, s, to, taken, row);
                taken.pop();
                self.used.pop();
            }
        }
    }
}

/// The query's text, the names it returns, and the rows that it must give.
fn by_definition(graph: &Graph, clauses: &[Clause]) -> Option<(String, Vec<String>, Vec<Row>)> {
    let (mut text, mut known) =
        ("WITH null AS one ".to_owned(), Row::from([("one".to_owned(), Bound::Null)]));
    let mut rows = vec![known.clone()];
    for (c, (is_optional, paths, condition)) in clauses.iter().enumerate() {
        let mut texts = Vec::new();
        for (p, (start, steps)) in paths.iter().enumerate() {
            let mut text = start.text();
            known.extend(start.name.map(|n| (format!("n{n}"), Bound::Node(0))));
            for (s, (edge, node)) in steps.iter().enumerate() {
                let name = format!("e{c}{p}{s}");
                text += &(edge.text(&name) + &node.text());
                let bound = edge.length.map_or(Bound::Edge(0), |_| Bound::Null);
                known.extend(edge.named.then_some((name, bound)));
                known.extend(node.name.map(|n| (format!("n{n}"), Bound::Node(0))));
            }
            texts.push(text);
        }
        let scope = known.iter().filter(|(_, bound)| **bound != Bound::Null);
        let scope: Vec<String> = scope.map(|(name, _)| name.clone()).collect();
        let optional = if *is_optional { "OPTIONAL " } else { "" };
        let _ = write!(text, "{optional}MATCH {} ", texts.join(", "));
        let condition = condition.as_ref().filter(|_| !scope.is_empty());
        if let Some(condition) = condition {
            let _ = write!(text, "WHERE {} ", condition.text(&scope));
        }
        let mut matching =
            Matching { graph, paths, clause: c, used: vec![], found: vec![], left: 100_000 };
        let mut next = Vec::new();
        for mut row in rows {
            matching.path(0, &row);
            let mut found = std::mem::take(&mut matching.found);
            found.retain(|row| condition.is_none_or(|c| c.holds(&scope, row, graph) == Some(true)));
            if *is_optional && found.is_empty() {
                known.keys().for_each(|name| _ = row.entry(name.clone()).or_insert(Bound::Null));
                found.push(row);
            }
            next.append(&mut found);
        }
        if matching.left == 0 {
            return None;
        }
        rows = next;
    }
    let columns: Vec<String> = known.into_keys().collect();
    Some((format!("{text}RETURN {}", columns.join(", ")), columns, rows))
}

fn built(graph: &Graph) -> PropertyGraph {
    let mut built = PropertyGraph::default();
    let properties = |v: Option<i64>| -> Properties {
        v.map(|v| ("v".to_owned(), PropertyValue::Int(v))).into_iter().collect()
    };
    let mut ids = Vec::new();
    for (labels, v) in &graph.nodes {
        ids.push(built.create_node(labels.clone(), properties(*v)).expect("a node"));
    }
    for (source, target, kind, v) in &graph.edges {
        built.create_edge(ids[*source], kind, ids[*target], properties(*v)).expect("an edge");
    }
    built
}

fn number() -> impl Strategy<Value = Option<i64>> {
    weighted(0.8, 0i64..4)
}

fn graphs() -> impl Strategy<Value = Graph> {
    let labels = subsequence(LABELS.to_vec(), 0..=2);
    vec((labels, number()), 1..8).prop_flat_map(|nodes| {
        let n = nodes.len();
        let edge = (0..n, 0..n, select(TYPES.to_vec()), number());
        vec(edge, 0..12).prop_map(move |edges| Graph { nodes: nodes.clone(), edges })
    })
}

fn node_pattern() -> impl Strategy<Value = NodePattern> {
    let labels = prop_oneof![2 => Just(vec![]), 1 => subsequence(LABELS.to_vec(), 1..=2)];
    (weighted(0.8, 0usize..4), labels, weighted(0.1, 0i64..4))
        .prop_map(|(name, labels, v)| NodePattern { name, labels, v })
}

fn path_pattern() -> impl Strategy<Value = PathPattern> {
    let kinds = subsequence(TYPES.to_vec(), 0..=2);
    let ways = select(vec![(true, false), (false, true), (true, true)]);
    let length = weighted(0.35, (0usize..3, 0usize..3, any::<bool>()));
    let length = length.prop_map(|length| length.map(|(a, b, n)| (a, (a + b).clamp(1, 3), n)));
    let edge = (any::<bool>(), ways, kinds, length)
        .prop_map(|(named, ways, kinds, length)| EdgePattern { named, ways, kinds, length });
    (node_pattern(), vec((edge, node_pattern()), 0..=3))
}

fn condition() -> impl Strategy<Value = Condition> {
    let one = prop_oneof![
        4 => (0usize..9, 0usize..3, prop_oneof![(0usize..9).prop_map(Ok), number().prop_map(Err)])
            .prop_map(|(a, op, b)| Condition::Compare(a, op, b)),
        1 => (0usize..9).prop_map(Condition::IsNull),
    ];
    one.prop_recursive(3, 6, 2, |inner| {
        let two = (any::<bool>(), inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|a| Condition::Not(Box::new(a))),
            two.prop_map(|(and, a, b)| Condition::Both(and, Box::new([a, b]))),
        ]
    })
}

fn clauses() -> impl Strategy<Value = Vec<Clause>> {
    let paths = prop_oneof![3 => vec(path_pattern(), 1), 1 => vec(path_pattern(), 2)];
    vec((prop::bool::weighted(0.3), paths, of(condition())), 1..=2)
}

fn bound(value: &CypherValue) -> Bound {
    let edge = |value: &CypherValue| {
        if let CypherValue::Edge(id) = value { Some(id.0 as usize) } else { None }
    };
    match value {
        CypherValue::Node(id) => Bound::Node(id.0 as usize),
        CypherValue::List(list) => Bound::Edges(list.iter().filter_map(edge).collect()),
        other => edge(other).map_or(Bound::Null, Bound::Edge),
    }
}

proptest! {
    #[test]
    fn matches_are_those_of_the_definition(graph in graphs(), clauses in clauses()) {
        let Some((text, columns, mut expected)) = by_definition(&graph, &clauses) else {
            return Err(TestCaseError::reject("too large"));
        };
        let table = Query::parse(&text)
            .and_then(|q| q.read(&built(&graph), &Parameters::new(), &QueryLimits::default()))
            .map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        let row = |row: &Vec<CypherValue>| -> Row {
            columns.iter().cloned().zip(row.iter().map(bound)).collect()
        };
        let mut gave: Vec<Row> = table.rows.iter().map(row).collect();
        gave.sort();
        expected.sort();
        prop_assert_eq!(gave, expected, "{}", text);
    }
}
