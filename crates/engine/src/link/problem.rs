//! A problem in a link: what is asked about which graph.

use draw::LayoutKind;
use graph::Graph;
use serde::{Deserialize, Serialize};
use tasks::{Difficulty, Layers, Problem, Query, Style, Wording, parse_question};

use super::{LinkError, bounded};
use protocol::compact::Compact;
use protocol::problem::ProblemView;
use protocol::share::Linked;

use crate::problems;

/// NLGraph asks for two layers; a link asks for no long computation.
const MAX_LAYERS: u32 = 5;

/// A problem as a link has it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Body {
    graph: Compact,
    query: Query,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    difficulty: Option<Difficulty>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wording: Option<Wording>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    style: Option<Style>,
    /// The words, where no wording of ours gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<String>,
}

pub(super) fn body(view: &ProblemView, wording: Wording, style: Style) -> Body {
    let core = problems::core(view);
    let ours = core.question(wording, style) == view.question;
    Body {
        graph: Compact::of(&view.graph),
        query: view.query.clone(),
        layout: (view.layout != draw::suited(&view.graph)).then_some(view.layout),
        difficulty: view.difficulty,
        wording: ours.then_some(wording),
        style: ours.then_some(style),
        question: (!ours).then(|| view.question.clone()),
    }
}

pub(super) fn read(text: &str) -> Result<Linked, LinkError> {
    let wrong = |reason: String| LinkError::Content { kind: "problem", reason };
    let body: Body = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    Ok(Linked::Problem(Box::new(open(body)?)))
}

/// The problem that a body is about.
pub(super) fn open(body: Body) -> Result<ProblemView, LinkError> {
    let wrong = |reason: String| LinkError::Content { kind: "problem", reason };
    bounded(body.graph.nodes, body.graph.edges.len())?;
    let graph = body.graph.graph().map_err(|reason| LinkError::Graph { reason })?;
    fits(&body.query, &graph).map_err(wrong)?;
    let core = Problem { difficulty: body.difficulty, seed: None, graph, query: body.query };
    // Words are shown beside the graph, so they must be about it.
    let same = |words: &String| {
        parse_question(words).is_ok_and(|p| p.graph == core.graph && p.query == core.query)
    };
    let question = body.question.filter(same).unwrap_or_else(|| {
        core.question(body.wording.unwrap_or(Wording::Improved), body.style.unwrap_or_default())
    });
    let mut problem = problems::worded(core, question);
    if let Some(kind) = body.layout
        && kind != problem.layout
        && draw::is_drawn_whole(&problem.graph)
    {
        problem.layout = kind;
        problem.places = draw::layout(&problem.graph, kind, 1, &draw::Places::default());
    }
    Ok(problem)
}

/// Whether a query can be asked about a graph.
fn fits(query: &Query, graph: &Graph) -> Result<(), String> {
    if graph.n_nodes() == 0 {
        return Err("its graph has no nodes".into());
    }
    let directed = query.is_directed();
    if directed != graph.is_directed() {
        let (has, wants) =
            if directed { ("undirected", "directed") } else { ("directed", "undirected") };
        return Err(format!("its graph is {has}, and its question is about {wants} ones"));
    }
    if let Query::Gnn(Layers { layers }) = query {
        if *layers > MAX_LAYERS {
            return Err(format!("it asks for {layers} layers; 1 to {MAX_LAYERS} are read"));
        }
        let lengths: Vec<Option<usize>> =
            graph.indices().map(|i| graph.embedding(i).map(<[f64]>::len)).collect();
        if lengths.iter().any(|n| n.is_none() || *n != lengths[0]) {
            return Err("not every node has an embedding of the same length".into());
        }
    }
    query.check(graph).map_err(|e| format!("its question {e}"))
}
