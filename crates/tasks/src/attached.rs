//! Questions about a graph that is handed over beside the words instead of in them.
//!
//! Paper: Graph-Grounded LLMs §IV, "Context Length Limitations": the largest problems failed because
//! their edges, written out, did not fit the context. A graph that is attached takes no words.

use graph::{Delta, Graph};

use crate::{Problem, Query, Style, Wording};

const START: &str = "A graph is attached and already loaded into the functions:";

impl Problem {
    /// The question without the graph's edges: what the graph is like, and what is asked.
    pub fn attached_question(&self, wording: Wording) -> String {
        let graph = &self.graph;
        // The graph that is attached has nodes, not cities.
        let wording = if wording == Wording::City { Wording::Benchmark } else { wording };
        let whole = self.question(wording, Style::ZeroShot);
        let asked = whole.rfind("Q:").map_or("", |at| whole[at..].trim_end());
        let asked = asked.strip_suffix("A:").unwrap_or(asked).trim_end();
        format!(
            "{START} {}, {}, {} nodes, {} edges. Do not build it again.\n{asked}\nA:",
            if graph.is_directed() { "directed" } else { "undirected" },
            if graph.is_weighted() { "weighted" } else { "unweighted" },
            graph.n_nodes(),
            graph.n_edges(),
        )
    }
}

/// Reads such a question. The problem's graph has the right kind and no nodes: it is elsewhere.
pub fn parse_attached(text: &str) -> Option<Problem> {
    let rest = text.trim_start().strip_prefix(START)?;
    let (kind, asked) = rest.split_once('\n')?;
    let (directed, weighted) = (!kind.contains("undirected"), !kind.contains("unweighted"));
    let graph = Graph::from_deltas(&[Delta::Create { directed, weighted }]).ok()?;
    // The two nodes of the question, where it has two.
    let pair = || {
        let mut names = asked.split("node ").skip(1).map(|after| {
            let name: String =
                after.chars().take_while(|c| !c.is_whitespace() && !".,?".contains(*c)).collect();
            name.as_str().into()
        });
        Some((names.next()?, names.next()?))
    };
    let query = if asked.contains("shortest path") {
        let (source, target) = pair()?;
        Query::ShortestPath { source, target }
    } else if asked.contains("maximum flow") {
        let (source, sink) = pair()?;
        Query::MaxFlow { source, sink }
    } else if asked.contains("path between node") {
        let (source, target) = pair()?;
        Query::Connectivity { source, target }
    } else if asked.contains("cycle") {
        Query::Cycle
    } else if asked.contains("visits every node exactly once") {
        Query::HamiltonPath
    } else if asked.contains("all the nodes be visited") {
        Query::TopologicalSort
    } else if asked.contains("assignment of jobs") {
        Query::Matching { n_applicants: 0, n_jobs: 0 }
    } else if asked.contains("embedding") {
        let count = asked.split_once("after ")?.1.split(' ').next()?;
        let layers = match count {
            "one" => 1,
            "two" => 2,
            "three" => 3,
            digits => digits.parse().ok()?,
        };
        Query::Convolution { layers }
    } else {
        return None;
    };
    Some(Problem { difficulty: None, seed: None, graph, query })
}
