//! Problems as the page holds them: with words and places.

use draw::{LayoutKind, Places, layout, suited};
use graph::Graph;
use tasks::{Problem, Style, Wording, parse_question};

use crate::Output;
use crate::message::ProblemView;

/// The most nodes of a graph that is asked about in the page.
const MOST_NODES: usize = 200_000;
/// The most edges of one.
const MOST_EDGES: usize = 200_000;

/// Refuses a graph that is larger than a page can hold beside everything else.
fn bounded(graph: &Graph) -> Result<(), String> {
    for (n, what, most) in
        [(graph.n_nodes(), "nodes", MOST_NODES), (graph.n_edges(), "edges", MOST_EDGES)]
    {
        if n > most {
            return Err(format!("this graph has {n} {what}; the page asks about at most {most}"));
        }
    }
    Ok(())
}

pub(crate) fn placed(graph: &Graph) -> (LayoutKind, Places) {
    let kind = suited(graph);
    // Of a graph that is not drawn whole the page shows neighbourhoods, and places those itself.
    let places = if draw::is_drawn_whole(graph) {
        layout(graph, kind, 1, &Places::default())
    } else {
        Places::default()
    };
    (kind, places)
}

pub(crate) fn view(problem: Problem, wording: Wording, style: Style) -> ProblemView {
    let question = problem.question(wording, style);
    worded(problem, question)
}

pub(crate) fn worded(problem: Problem, question: String) -> ProblemView {
    let (layout, places) = placed(&problem.graph);
    let Problem { difficulty, seed, graph, query } = problem;
    let task = query.task();
    ProblemView { task, difficulty, seed, graph, query, question, layout, places }
}

/// The same problem without words and places.
pub(crate) fn core(view: &ProblemView) -> Problem {
    Problem {
        difficulty: view.difficulty,
        seed: view.seed,
        graph: view.graph.clone(),
        query: view.query.clone(),
    }
}

/// New words for a problem.
pub(crate) fn reworded(view: &ProblemView, wording: Wording, style: Style) -> Output {
    Output::Question { question: core(view).question(wording, style) }
}

/// A problem of a file, with the level that the file says.
pub(crate) fn read_entry(entry: &tasks::dataset::Entry) -> Result<Output, String> {
    let mut problem = parse_question(&entry.question).map_err(|e| e.to_string())?;
    problem.difficulty = entry.level();
    Ok(Output::Problem { problem: worded(problem, entry.question.clone()) })
}

/// A question of the benchmark, or a graph in any format that is known.
pub(crate) fn read(text: &str) -> Result<Output, String> {
    let error = match parse_question(text) {
        Ok(problem) => {
            bounded(&problem.graph)?;
            return Ok(Output::Problem { problem: worded(problem, text.trim_end().to_owned()) });
        }
        Err(error) => error.to_string(),
    };
    // Prose is no edge list, so only text without the benchmark's words is tried as a graph.
    if text.contains("Q:") || text.contains("nodes are numbered") {
        return Err(error);
    }
    let format = graph::formats::sniff(text);
    let graph = (format.parse)(text).map_err(|e| {
        format!("this is none of NLGraph's questions ({error}), and no {}: {e}", format.title)
    })?;
    bounded(&graph)?;
    let (layout, places) = placed(&graph);
    Ok(Output::Graph { format: format.title.to_owned(), graph, layout, places })
}
