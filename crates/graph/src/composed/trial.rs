//! Tries a proposal: on its examples, and on small random graphs.

use std::collections::BTreeMap;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::data::is_same;
use super::evaluate::{MAX_STEPS, Trouble};
use super::fault::ProposalFault;
use super::proposal::{ParameterType, Proposal};
use super::{ComposedFunction, MAX_COMPOSED};
use crate::functions::FunctionError;
use crate::{Graph, NodeName, generators};

/// What came of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProposalReport {
    /// What is wrong; nothing where it is accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ProposalFault>,
    /// The type of its result in words; empty where the body was not understood.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub returns: String,
    /// The graph functions that it calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// What came of each example, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ExampleResult>,
    /// What came of random graphs.
    #[serde(default)]
    pub random: RandomChecks,
}

impl ProposalReport {
    /// Whether the function may be used.
    pub fn is_accepted(&self) -> bool {
        self.faults.is_empty()
    }
}

/// What came of an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleResult {
    /// The result that the proposal names.
    pub expected: Value,
    /// What was computed; absent where nothing came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Value>,
    /// Why nothing came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<FunctionError>,
    /// Whether both are the same.
    pub passed: bool,
}

/// What came of random graphs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomChecks {
    /// How many graphs it was run on.
    pub n_graphs: usize,
    /// On how many it gave a result.
    pub n_results: usize,
    /// How often a graph function refused, by the code of its error.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, usize>,
}

impl Proposal {
    /// Checks the proposal: its form, its body, its types, its examples, and that it does not fail on
    /// small random graphs. `taken` are names beside the library's that it may not have, those of the
    /// composed functions that there are.
    ///
    /// On a random graph a graph function may refuse, such as a matching on a graph that is not
    /// bipartite; on all of them it may not. The same proposal gives the same report everywhere.
    ///
    /// # Errors
    /// The report, with the faults that stand in the way.
    ///
    /// # Complexity
    /// That of the body on at most ten examples and some sixty graphs of up to eight nodes; at most 60
    /// million steps in all.
    pub fn check(
        self,
        taken: &[&str],
    ) -> Result<(ComposedFunction, ProposalReport), ProposalReport> {
        let refused = |faults| ProposalReport { faults, ..ProposalReport::default() };
        if taken.contains(&self.name.as_str()) {
            let message = format!("there is a function {:?} already: take another name", self.name);
            return Err(refused(vec![ProposalFault::new("name_taken", message)]));
        }
        if taken.len() >= MAX_COMPOSED {
            let message = format!("there are {MAX_COMPOSED} composed functions; that is the most");
            return Err(refused(vec![ProposalFault::new("too_many", message)]));
        }
        let function = ComposedFunction::compile(self).map_err(refused)?;
        let report = function.report();
        if report.is_accepted() { Ok((function, report)) } else { Err(report) }
    }
}

impl ComposedFunction {
    /// Runs the examples and random graphs.
    pub fn report(&self) -> ProposalReport {
        let mut report = ProposalReport {
            returns: self.returns_words(),
            calls: self.calls().into_iter().map(str::to_owned).collect(),
            ..ProposalReport::default()
        };
        // One budget for all that is tried: sixty tries may take no longer than one call.
        let mut budget = MAX_STEPS;
        for (i, example) in self.proposal().examples.iter().enumerate() {
            let result = self.try_example(example, &mut budget);
            if !result.passed {
                let came = match (&result.got, &result.error) {
                    (Some(got), _) => format!("gives {}", short(&got.to_string())),
                    (None, Some(error)) => format!("fails: {}", error.message),
                    (None, None) => "gives nothing".into(),
                };
                let message = format!(
                    "example {} {came}, and should give {}: one of the two is wrong",
                    i + 1,
                    short(&result.expected.to_string())
                );
                report.faults.push(ProposalFault::new("example_differs", message));
            }
            report.examples.push(result);
        }
        self.try_random(&mut report, &mut budget);
        report
    }

    fn try_example(&self, example: &super::ProposedExample, budget: &mut u64) -> ExampleResult {
        let expected = example.result.clone();
        let failed = |code: &str, message: String| ExampleResult {
            expected: expected.clone(),
            got: None,
            error: Some(FunctionError::new(code, message)),
            passed: false,
        };
        let graph = match example.graph.build() {
            Ok(graph) => graph,
            Err(why) => return failed("bad_graph", format!("there is no such graph: {why}")),
        };
        match self.call_within(&graph, &Proposal::arguments_of(example), budget) {
            Ok(outcome) => ExampleResult {
                passed: is_same(&outcome.value, &expected),
                expected,
                got: Some(outcome.value),
                error: None,
            },
            Err(error) => failed(&error.code, error.message),
        }
    }

    fn try_random(&self, report: &mut ProposalReport, budget: &mut u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let parameters = &self.proposal().parameters;
        for graph in small_graphs() {
            let needs_nodes = parameters.iter().any(|p| p.kind == ParameterType::Node);
            if needs_nodes && graph.n_nodes() == 0 {
                continue;
            }
            let mut arguments = json!({});
            for parameter in parameters {
                arguments[&parameter.name] = drawn(parameter.kind, &graph, &mut rng);
            }
            report.random.n_graphs += 1;
            match self.evaluate(&graph, &arguments, budget) {
                Ok(_) => report.random.n_results += 1,
                Err(Trouble::Refused(error)) => {
                    *report.random.refused.entry(error.code).or_default() += 1;
                }
                Err(Trouble::Broken(error)) => {
                    let message = format!(
                        "it fails on {} with the arguments {arguments}: {}",
                        words(&graph),
                        error.message
                    );
                    report.faults.push(ProposalFault::new(&error.code, message));
                    return;
                }
            }
        }
        if report.random.n_results == 0 {
            let codes: Vec<&str> = report.random.refused.keys().map(String::as_str).collect();
            let message = format!(
                "it gives a result on none of {} small random graphs: its calls are refused ({})",
                report.random.n_graphs,
                codes.join(", ")
            );
            report.faults.push(ProposalFault::new("always_refused", message));
        }
    }
}

fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(120).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// A small graph in words.
fn words(graph: &Graph) -> String {
    let direction = if graph.is_directed() { "directed" } else { "undirected" };
    let edges: Vec<String> =
        graph.edges().map(|e| format!("({},{})", e.source, e.target)).collect();
    let edges = if edges.is_empty() { "no edges".into() } else { edges.join(" ") };
    format!("the {direction} graph of {} nodes with {edges}", graph.n_nodes())
}

/// Small graphs of many kinds, always the same.
fn small_graphs() -> Vec<Graph> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut graphs = vec![Graph::undirected(), Graph::directed()];
    for n in 1..=8_usize {
        for (i, p) in [0.15, 0.4, 0.8].into_iter().enumerate() {
            let seed = (n * 10 + i) as u64;
            for directed in [false, true] {
                let Ok(graph) = generators::gnp(n, p, directed, seed) else { continue };
                graphs.push(if i == 1 { numbered(&graph, &mut rng) } else { graph });
            }
        }
    }
    let known = [
        generators::path(6),
        generators::cycle(5),
        generators::star(5),
        generators::complete(4),
        generators::random_tree(7, 3),
        generators::random_dag(6, 0.5, 4),
        generators::random_bipartite(3, 4, 0.5, 5),
    ];
    graphs.extend(known.into_iter().flatten());
    graphs
}

/// The graph with small weights and capacities at its edges.
fn numbered(graph: &Graph, rng: &mut ChaCha8Rng) -> Graph {
    let mut made = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    for name in graph.names() {
        // The names are those of a graph, so they cannot be refused.
        let _ = made.ensure_node(name.clone());
    }
    for edge in graph.edges() {
        let (a, b) = (edge.source.clone(), edge.target.clone());
        let number = f64::from(rng.random_range(1..=9_u32));
        let _ = if made.n_nodes() % 2 == 0 {
            made.link_weighted(a, b, number)
        } else {
            made.link_capacity(a, b, number)
        };
    }
    made
}

/// An argument that fits the graph.
fn drawn(kind: ParameterType, graph: &Graph, rng: &mut ChaCha8Rng) -> Value {
    let names: Vec<&NodeName> = graph.names().collect();
    match kind {
        ParameterType::Node => json!(names[rng.random_range(0..names.len())]),
        ParameterType::Number => json!(rng.random_range(0..=5_u32)),
        ParameterType::Boolean => json!(rng.random_bool(0.5)),
        ParameterType::Text => json!("a"),
        ParameterType::Nodes => {
            names.iter().filter(|_| rng.random_bool(0.4)).map(|n| json!(n)).collect()
        }
        ParameterType::Numbers => {
            (0..rng.random_range(0..4_u32)).map(|_| json!(rng.random_range(0..=5_u32))).collect()
        }
        ParameterType::Edges => graph
            .edges()
            .filter(|_| rng.random_bool(0.4))
            .map(|e| json!([e.source, e.target]))
            .collect(),
    }
}
