//! How an answer of our own model came about, as it is shown: its words to choose from, and where the
//! model looked when it said one.

use draw::{Mark, Marks};
use graph::{Graph, NodeName};
use llm::Message;
use protocol::runs::LookedInside;
use trace::{Step, StepBody, Trace};

/// The most edges that are marked at once.
const MOST_EDGES: usize = 3;
/// The least share of the attention at which an edge is marked.
const LEAST_SHARE: f32 = 0.02;

/// A turn of the model that can be looked into.
#[derive(Clone, Debug, PartialEq)]
pub struct LookTurn {
    /// What it is, in a few words.
    pub title: String,
    /// The conversation before it.
    pub before: Vec<Message>,
    /// What was said.
    pub said: Message,
    /// Whether the graph functions were offered.
    pub has_tools: bool,
}

impl LookTurn {
    /// An answer without tools.
    pub fn alone(question: &str, answer: &str) -> Self {
        Self {
            title: "Answer".into(),
            before: vec![Message::user(question)],
            said: Message::assistant(answer),
            has_tools: false,
        }
    }
}

/// The turns of a run, in their order.
pub fn turns(trace: &Trace) -> Vec<LookTurn> {
    let turn = |(i, step): (usize, &Step)| match &step.body {
        StepBody::Model { message, .. } => {
            let mut calls: Vec<&str> =
                message.tool_calls.iter().map(|call| call.name.as_str()).collect();
            calls.dedup();
            let title = if calls.is_empty() { "Answer".into() } else { calls.join(", ") };
            let (before, has_tools) = (trace.messages_before(i), !trace.tools_before(i).is_empty());
            Some(LookTurn { title, before, said: message.clone(), has_tools })
        }
        _ => None,
    };
    trace.steps.iter().enumerate().filter_map(turn).collect()
}

/// A word of the answer that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidWord {
    /// Its characters.
    pub text: String,
    /// Which token of the answer it is.
    pub token: usize,
}

/// The words of the answer. Tokens without characters say how the next is written, and are no words.
pub fn words(look: &LookedInside) -> Vec<SaidWord> {
    let said = look.pieces.get(look.n_question..).unwrap_or_default();
    let all = said.iter().take(look.said.len()).enumerate();
    all.filter(|(_, text)| !text.trim().is_empty())
        .map(|(token, text)| SaidWord { text: bare(text).to_owned(), token })
        .collect()
}

/// A piece of an answer without what joins it to the one before.
pub fn bare(piece: &str) -> &str {
    let text = piece.trim();
    let word = text.trim_start_matches([',', '(', '[', '-', '–', ':', '>', ' ']);
    if word.is_empty() { text } else { word }
}

/// A piece that was likely, as it is told beside others. In calls the end of an edge, its weight and a
/// number in a list are different words of the model, so their signs stay.
pub fn told(piece: &str) -> &str {
    let text = piece.trim();
    if text.starts_with(['–', ':']) { text } else { bare(text) }
}

/// The token of the last word that is this, without the marks around it.
pub fn find(look: &LookedInside, word: &str) -> Option<usize> {
    let is_it = |w: &&SaidWord| w.text.trim_matches(|c: char| !c.is_alphanumeric()) == word;
    words(look).iter().rfind(is_it).map(|w| w.token)
}

/// The token that is shown first: of calls the end of the first edge that is copied, of an answer its
/// last word.
pub fn first(look: &LookedInside, turn: &LookTurn) -> usize {
    let words = words(look);
    let is_end = |w: &&SaidWord| look.pieces[look.n_question + w.token].starts_with('–');
    let copied = words.iter().find(is_end).filter(|_| !turn.said.tool_calls.is_empty());
    copied.or(words.last()).map(|w| w.token).unwrap_or_default()
}

/// A stretch of the question, and how much the model looked at it, from 0 to 1 where it looked most.
#[derive(Clone, Debug, PartialEq)]
pub struct LookedSpan {
    /// Its characters.
    pub text: String,
    /// The share of the attention that is here.
    pub share: f32,
    /// How strongly it is painted.
    pub heat: f32,
}

/// The question with where the model looked when it said a token of the answer.
///
/// The marks before the first word stand for the whole and get what no other does: where a head of
/// attention has nothing to look for it looks there. They have no characters and are not shown.
pub fn spans(look: &LookedInside, token: usize) -> Vec<LookedSpan> {
    let Some(said) = look.said.get(token) else { return Vec::new() };
    let question = look.pieces.iter().take(look.n_question).zip(&said.looks);
    let mut spans: Vec<LookedSpan> = Vec::new();
    let mut waiting = 0.0;
    for (text, share) in question.skip_while(|(text, _)| text.is_empty()) {
        // A mark without characters belongs to what comes behind it.
        if text.is_empty() {
            waiting += share;
            continue;
        }
        spans.push(LookedSpan { text: text.clone(), share: share + waiting, heat: 0.0 });
        waiting = 0.0;
    }
    let most = spans.iter().map(|s| s.share).fold(0.0, f32::max);
    for span in &mut spans {
        span.heat = if most > 0.0 { span.share / most } else { 0.0 };
    }
    spans
}

/// The edges of a graph that the model looked at most when it said a token, with their share of the
/// attention.
pub fn edges(look: &LookedInside, token: usize, graph: &Graph) -> Vec<(NodeName, NodeName, f32)> {
    let Some(said) = look.said.get(token) else { return Vec::new() };
    let mut edges: Vec<(NodeName, NodeName, f32)> = Vec::new();
    for pair in &look.pairs {
        let [u, v] = pair.nodes.each_ref().map(|node| NodeName::from(node.as_str()));
        let share: f32 = said.looks.get(pair.first..pair.end).unwrap_or_default().iter().sum();
        if share >= LEAST_SHARE && graph.edge(&u, &v).is_some() {
            edges.push((u, v, share));
        }
    }
    edges.sort_by(|a, b| b.2.total_cmp(&a.2));
    edges.truncate(MOST_EDGES);
    edges
}

/// These edges on a drawing.
pub fn marks(edges: &[(NodeName, NodeName, f32)]) -> Marks {
    let edge = |(u, v, share): &(NodeName, NodeName, f32)| {
        (u.clone(), v.clone(), Mark::Read, Some(percent(*share)))
    };
    Marks { nodes: Vec::new(), edges: edges.iter().map(edge).collect() }
}

/// A share in words.
pub fn percent(share: f32) -> String {
    let percent = share * 100.0;
    match percent {
        p if p > 99.5 && p < 100.0 => "over 99 %".into(),
        p if p < 0.5 => "under 1 %".into(),
        p => format!("{p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use graph::Delta;
    use protocol::runs::{NamedPair, SaidToken};

    use super::*;

    fn look() -> LookedInside {
        let pieces = ["", "edges:", "", " (0", ",1)", " Go", " 0", ",1", ""];
        let said = |looks: &[f32]| SaidToken {
            likely: Vec::new(),
            probability: 0.5,
            looks: looks.to_vec(),
        };
        LookedInside {
            pieces: pieces.map(str::to_owned).to_vec(),
            n_question: 6,
            pairs: vec![NamedPair { first: 3, end: 5, nodes: ["0", "1"].map(str::to_owned) }],
            said: vec![
                said(&[0.5, 0.1, 0.1, 0.2, 0.1, 0.0]),
                said(&[0.0; 7]),
                said(&[0.0, 0.0, 0.0, 0.0, 0.01, 0.0, 0.5, 0.49]),
            ],
        }
    }

    #[test]
    fn words_are_chosen_and_found() {
        let texts: Vec<(String, usize)> =
            words(&look()).into_iter().map(|w| (w.text, w.token)).collect();
        assert_eq!(texts, [("0".to_owned(), 0), ("1".to_owned(), 1)]);
        assert_eq!((find(&look(), "1"), find(&look(), "7")), (Some(1), None));
        assert_eq!(["–1", ":1", ",1", " (1"].map(told), ["–1", ":1", "1", "1"]);
    }

    #[test]
    fn the_question_is_whole_and_marks_count_with_what_follows() {
        let spans = spans(&look(), 0);
        let text: String = spans.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(text, "edges: (0,1) Go");
        assert!((spans[1].share - 0.3).abs() < 1e-6 && spans[1].heat == 1.0);
        assert!(super::spans(&look(), 1).iter().all(|s| s.heat == 0.0));
        assert!(super::spans(&look(), 9).is_empty());
    }

    #[test]
    fn a_run_has_its_turns_and_each_a_word_to_begin_with() {
        let turn = LookTurn::alone("edges: (0,1)", "1");
        assert_eq!(first(&look(), &turn), 1, "of an answer the last word");
        let mut copied = look();
        copied.pieces[6..].clone_from_slice(&["add_edges(", " 0", "–1"].map(str::to_owned));
        let call =
            llm::ToolCall { id: "1".into(), name: "add_edges".into(), arguments: "{}".into() };
        let said = Message { tool_calls: vec![call], ..Message::assistant("") };
        assert_eq!(first(&copied, &LookTurn { said: said.clone(), ..turn.clone() }), 2);
        assert_eq!(words(&copied)[2].text, "1");
        let step = |message: Message| Step {
            at_ms: 0.0,
            took_ms: 0.0,
            by_person: false,
            body: StepBody::Model {
                message,
                finish: llm::FinishReason::Stop,
                usage: llm::Usage::default(),
                request_hash: String::new(),
            },
        };
        let mut trace = Trace::new("standalone", "own".into(), turn.before.clone());
        trace.steps = vec![step(said.clone()), step(turn.said.clone())];
        let turns = turns(&trace);
        let titles: Vec<&str> = turns.iter().map(|t| t.title.as_str()).collect();
        assert_eq!(titles, ["add_edges", "Answer"]);
        assert_eq!(turns[1].before, [turn.before[0].clone(), said]);
    }

    #[test]
    fn edges_of_the_graph_are_marked_where_the_model_looked() {
        let mut graph = Graph::undirected();
        let [source, target] = [0_i64, 1].map(NodeName::from);
        for name in [&source, &target] {
            graph.ensure_node(name.clone()).unwrap();
        }
        assert!(edges(&look(), 0, &graph).is_empty(), "a range is no edge");
        graph.apply(&Delta::AddEdge { source, target, weight: None, capacity: None }).unwrap();
        let found = edges(&look(), 0, &graph);
        assert_eq!(found.len(), 1);
        assert_eq!(marks(&found).edges[0].3.as_deref(), Some("30 %"));
        assert!(edges(&look(), 2, &graph).is_empty(), "one percent is nothing");
        assert_eq!(percent(0.999), "over 99 %");
    }
}
