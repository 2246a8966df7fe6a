//! Questions about a graph that is handed over beside the words instead of in them.
//!
//! Paper: Graph-Grounded LLMs §IV, "Context Length Limitations": the largest problems failed because
//! their edges, written out, did not fit the context. A graph that is attached takes no words.

use graph::{Delta, Graph};

use crate::problem::question_mark;
use crate::{Problem, Style, TaskId, Wording};

const START: &str = "A graph is attached and already loaded into the functions:";

impl Problem {
    /// The question without the graph's edges: what the graph is like, and what is asked.
    pub fn attached_question(&self, wording: Wording) -> String {
        let graph = &self.graph;
        // The graph that is attached has nodes, not cities.
        let wording = if wording == Wording::City { Wording::Benchmark } else { wording };
        let whole = self.question(wording, Style::ZeroShot);
        let asks = self.task().asks();
        // GraphArena has no such mark.
        let at = question_mark(&whole).or_else(|| whole.rfind(asks));
        let asked = at.map_or("", |at| whole[at..].trim_end());
        // GraphWiz tells the graph behind the `Q:`.
        let asked = match asked.find(asks) {
            Some(at) if at == 0 || asked.contains("the edges are:") => {
                &format!("Q: {}", &asked[at..])
            }
            _ => asked,
        };
        let asked = asked.strip_suffix("A:").unwrap_or(asked).trim_end();
        let beside = self.query.beside();
        let beside = if beside.is_empty() { beside } else { format!(" {beside}") };
        format!(
            "{START} {}, {}, {} nodes, {} edges. Do not build it again.\n{asked}{beside}\nA:",
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
    // Of "shortest path" and "the shortest path between", the longer says more.
    let asks = |task: &TaskId| asked.contains(task.asks());
    let task = TaskId::ALL.into_iter().filter(asks).max_by_key(|task| task.asks().len())?;
    let query = task.in_words(asked)?;
    Some(Problem { difficulty: None, seed: None, graph, query })
}
