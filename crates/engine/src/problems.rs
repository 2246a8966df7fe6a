//! Problems as the page holds them: with words and places.

use draw::{LayoutKind, Places, layout, suited};
use graph::Graph;
use graph::formats::{FormatError, GraphRead, TableSample};
use graph::functions::FunctionError;
use protocol::exact::Exact;
use protocol::problem::{
    CallFunction, CallOutput, FindClaims, GenerateProblem, GraphView, JudgedAnswer, MOST_EDGES,
    PlaceNodes, ProblemView, ReadProblem, ReadReply, RewordProblem, SolveProblem, TableView,
    VerifyAnswer,
};
use tasks::claims::Claim;
use tasks::{Problem, Style, Wording, parse_question};

use crate::context::{Context, Ended};

/// The most nodes of a graph that is asked about in the page.
const MOST_NODES: usize = 200_000;

/// Refuses a graph that is larger than a page can hold beside everything else.
pub(crate) fn bounded(graph: &Graph) -> Result<(), String> {
    for (n, what, most) in
        [(graph.n_nodes(), "nodes", MOST_NODES), (graph.n_edges(), "edges", MOST_EDGES)]
    {
        if n > most {
            return Err(format!("this graph has {n} {what}; the page asks about at most {most}"));
        }
    }
    Ok(())
}

pub(crate) fn lay_out(graph: &Graph) -> (LayoutKind, Places) {
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
    let question = problem.question_alone(wording, style);
    worded(problem, question)
}

pub(crate) fn worded(problem: Problem, question: String) -> ProblemView {
    let (layout, places) = lay_out(&problem.graph);
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

/// A problem of a file, with the level that the file says.
pub(crate) fn read_entry(entry: &tasks::dataset::DatasetEntry) -> Result<ProblemView, String> {
    let mut problem = parse_question(&entry.question).map_err(|e| e.to_string())?;
    problem.difficulty = entry.level();
    Ok(worded(problem, entry.question.clone()))
}

/// A graph that was read, without a question.
fn graph_reply(format: &str, read: GraphRead) -> Result<ReadReply, String> {
    let GraphRead { graph, notes } = read;
    let n_graphs = notes.n_other_graphs() + 1;
    let notes = notes.lines();
    bounded(&graph)?;
    let (layout, places) = lay_out(&graph);
    let format = format.to_owned();
    Ok(ReadReply::Graph(Box::new(GraphView { format, graph, notes, layout, places, n_graphs })))
}

/// The rows of a table whose columns are not known; any other error as a sentence.
pub(crate) fn table_view(error: FormatError) -> Result<TableView, String> {
    let FormatError { table: Some(table), message, .. } = error else {
        return Err(sentence(&error));
    };
    let TableSample { columns, rows } = *table;
    Ok(TableView { message: Some(message), columns, rows })
}

/// An error as a sentence.
fn sentence(error: &FormatError) -> String {
    let message = error.to_string();
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Reads a question of the benchmark, or a graph in any format that is known; or a table with the columns
/// that a person named, or another graph of the text than its first.
pub(crate) fn parse(ask: &ReadProblem) -> Result<ReadReply, String> {
    let ReadProblem { text, columns, graph_number } = ask;
    if let Some(columns) = columns {
        let read = graph::formats::open_table(text, columns).map_err(|e| sentence(&e))?;
        return graph_reply("a table", read);
    }
    let error = match parse_question(text) {
        Ok(problem) => {
            bounded(&problem.graph)?;
            let problem = worded(problem, text.trim_end().to_owned());
            return Ok(ReadReply::Problem(Box::new(problem)));
        }
        Err(error) => error.to_string(),
    };
    // Prose is no edge list, so only text without the benchmark's words is tried as a graph.
    if text.contains("Q:") || text.contains("nodes are numbered") {
        return Err(error);
    }
    match graph::formats::open_nth(text, *graph_number) {
        Ok((format, read)) => graph_reply(format.title, read),
        Err(e) if e.table.is_some() => table_view(e).map(|view| ReadReply::Table(Box::new(view))),
        Err(e) if e.form.is_none() => Err(format!(
            "This could not be read as a question or a graph ({e}). A question in \
             words of your own goes to the page Ask."
        )),
        Err(e) => Err(sentence(&e)),
    }
}

pub(crate) async fn generate(
    _: &Context,
    ask: GenerateProblem,
) -> Result<Exact<ProblemView>, Ended> {
    let GenerateProblem { task, difficulty, seed, wording, style } = ask;
    Ok(Exact(view(tasks::task(task).generate(difficulty, seed), wording, style)))
}

pub(crate) async fn read(_: &Context, ask: ReadProblem) -> Result<Exact<ReadReply>, Ended> {
    Ok(Exact(parse(&ask)?))
}

pub(crate) async fn reword(_: &Context, ask: RewordProblem) -> Result<String, Ended> {
    Ok(core(&ask.problem).question(ask.wording, ask.style))
}

pub(crate) async fn place(_: &Context, ask: PlaceNodes) -> Result<Exact<Places>, Ended> {
    let PlaceNodes { graph, kind, seed } = ask;
    if !draw::is_drawn_whole(&graph) {
        return Err(Ended::Failed(format!(
            "a graph of {} nodes and {} edges is not drawn whole; at most {} nodes and {} edges are",
            graph.n_nodes(),
            graph.n_edges(),
            draw::MOST_NODES,
            draw::MOST_EDGES
        )));
    }
    Ok(Exact(layout(&graph, kind, seed, &Places::default())))
}

pub(crate) async fn solve(_: &Context, ask: SolveProblem) -> Result<JudgedAnswer, Ended> {
    let problem = core(&ask.problem);
    let text = tasks::reference_text(&problem, &tasks::solve(&problem));
    let judgement = tasks::verify(&problem, &text);
    Ok(JudgedAnswer { text, judgement })
}

pub(crate) async fn verify(_: &Context, ask: VerifyAnswer) -> Result<JudgedAnswer, Ended> {
    let judgement = tasks::verify(&core(&ask.problem), &ask.text);
    Ok(JudgedAnswer { text: ask.text, judgement })
}

pub(crate) async fn find_claims(_: &Context, ask: FindClaims) -> Result<Exact<Vec<Claim>>, Ended> {
    Ok(Exact(tasks::claims::find_with_answer(&core(&ask.problem), &ask.text)))
}

pub(crate) async fn call(
    _: &Context,
    ask: CallFunction,
) -> Result<Exact<Result<CallOutput, FunctionError>>, Ended> {
    let CallFunction { function, graph, arguments } = ask;
    let found = graph::functions::find(&function);
    let function = found.ok_or_else(|| format!("there is no function {function:?}"))?;
    Ok(Exact(function.call(&graph, arguments).map(|o| CallOutput {
        value: o.value,
        notes: o.notes,
        deltas: o.deltas,
        touched: o.touched,
    })))
}
