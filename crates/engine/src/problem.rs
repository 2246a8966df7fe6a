//! Problems as the page holds them: with words and places.

use draw::{LayoutKind, Places, layout, suited};
use graph::Graph;
use tasks::{Problem, Style, Wording, parse_question};

use crate::Output;
use crate::message::ProblemView;

/// Above this many nodes nothing is placed: the page shows a table and neighbourhoods.
pub(crate) const MAX_PLACED: usize = 500;

pub(crate) fn placed(graph: &Graph) -> (LayoutKind, Places) {
    let kind = suited(graph);
    let places = if graph.n_nodes() <= MAX_PLACED {
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
    let Problem { task, difficulty, seed, graph, query } = problem;
    ProblemView { task, difficulty, seed, graph, query, question, layout, places }
}

/// The same problem without words and places.
pub(crate) fn core(view: &ProblemView) -> Problem {
    Problem {
        task: view.task,
        difficulty: view.difficulty,
        seed: view.seed,
        graph: view.graph.clone(),
        query: view.query.clone(),
    }
}

/// New words for a problem; its places stay.
pub(crate) fn reworded(view: ProblemView, wording: Wording, style: Style) -> ProblemView {
    let question = core(&view).question(wording, style);
    ProblemView { question, ..view }
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
    let (layout, places) = placed(&graph);
    Ok(Output::Graph { format: format.title.to_owned(), graph, layout, places })
}
