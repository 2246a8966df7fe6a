//! A trace as its viewer tells it: one line a step, the graph at any step, what of it is in sight.

use std::ops::Range;
use std::sync::Arc;

use draw::Marks;
use graph::{Delta, Graph};
use serde_json::Value;
use trace::{Step, StepBody, Stop, ToolResult, Trace};

use super::marks;

/// Why a run ended without an answer.
pub fn end_words(trace: &Trace) -> Option<String> {
    match trace.stop.as_ref()? {
        Stop::Answered => None,
        Stop::ModelFailed { message, .. } => Some(format!("The run failed: {message}")),
        other => {
            let words = other.title();
            let mut letters = words.chars();
            let first = letters.next()?.to_uppercase();
            Some(format!("{first}{}.", letters.as_str()))
        }
    }
}

/// Which steps are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Every step.
    #[default]
    All,
    /// Turns of the model.
    Turns,
    /// Tool calls.
    Calls,
    /// Calls that changed the graph.
    Writes,
    /// Mistakes of the model.
    Mistakes,
    /// What is neither: choices, votes, notes.
    Notes,
}

impl Filter {
    /// All filters, with their names for people.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::All, "All steps"),
        (Self::Turns, "Model"),
        (Self::Calls, "Calls"),
        (Self::Writes, "Changes"),
        (Self::Mistakes, "Mistakes"),
        (Self::Notes, "Notes"),
    ];

    fn lets(self, step: &Step) -> bool {
        let kind = StepKind::of(step);
        match self {
            Self::All => true,
            Self::Turns => matches!(kind, StepKind::Turn | StepKind::Answer),
            Self::Calls => matches!(kind, StepKind::Reads | StepKind::Writes | StepKind::Refused),
            Self::Writes => kind == StepKind::Writes,
            Self::Mistakes => kind == StepKind::Refused,
            Self::Notes => kind == StepKind::Note,
        }
    }
}

/// What a step is, for its colour and its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The model calls tools.
    Turn,
    /// The model answers.
    Answer,
    /// A call that only read.
    Reads,
    /// A call that changed the graph.
    Writes,
    /// A call that went wrong.
    Refused,
    /// Anything else.
    Note,
}

impl StepKind {
    /// What a step is.
    pub fn of(step: &Step) -> Self {
        match &step.body {
            StepBody::Model { message, .. } if message.tool_calls.is_empty() => Self::Answer,
            StepBody::Model { .. } => Self::Turn,
            StepBody::Call { result: ToolResult::Error(_), .. } => Self::Refused,
            StepBody::Call { effects, .. } if effects.deltas.is_empty() => Self::Reads,
            StepBody::Call { .. } => Self::Writes,
            _ => Self::Note,
        }
    }

    /// Its word.
    pub fn title(self) -> &'static str {
        match self {
            Self::Turn => "Model",
            Self::Answer => "Answer",
            Self::Reads => "Asks",
            Self::Writes => "Changes",
            Self::Refused => "Refused",
            Self::Note => "Note",
        }
    }

    /// Its class in the style sheets.
    pub fn class(self) -> &'static str {
        match self {
            Self::Turn => "k-turn",
            Self::Answer => "k-answer",
            Self::Reads => "k-reads",
            Self::Writes => "k-writes",
            Self::Refused => "k-bad",
            Self::Note => "k-note",
        }
    }
}

/// Characters that a line of the list shows at most.
const LINE: usize = 160;

/// A text on one line, as long as a line of the list.
pub fn cut(text: &str) -> String {
    // A step may hold megabytes: no more is looked at than is shown.
    let mut out: String =
        text.chars().take(LINE).map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// A step in one line.
pub fn line(step: &Step) -> String {
    match &step.body {
        StepBody::Model { message, .. } => {
            if !message.content.trim().is_empty() {
                return cut(message.content.trim_start());
            }
            let names: Vec<&str> =
                message.tool_calls.iter().take(8).map(|c| c.name.as_str()).collect();
            cut(&format!("calls {}", names.join(", ")))
        }
        StepBody::Call { call, result, .. } => {
            let outcome = match result {
                ToolResult::Value { value, .. } => cut(&value_line(value)),
                ToolResult::Error(e) => cut(&e.message),
            };
            cut(&format!("{} → {outcome}", call.name))
        }
        StepBody::Note { text } => cut(text),
        StepBody::Program { .. } => cut(&step.body.program_text()),
        StepBody::Prompt { messages, .. } => {
            cut(messages.last().map(|m| m.content.trim_start()).unwrap_or_default())
        }
        StepBody::Findings { stage, findings } => match findings.as_slice() {
            [] => cut(&format!("{stage}: nothing wrong")),
            [one] => cut(&format!("{stage}: {} {}", one.rule, one.message)),
            [one, ..] => cut(&format!("{stage}: {} findings, {}", findings.len(), one.message)),
        },
        StepBody::Choice { tools, n_tools, .. } => {
            format!("{} of {n_tools} functions", tools.len())
        }
        StepBody::Vote { tallies, tie } => {
            let votes: Vec<String> =
                tallies.iter().map(|t| format!("{} × {}", t.runs.len(), t.answer)).collect();
            cut(&format!("{}{}", votes.join(", "), if *tie { " (a tie)" } else { "" }))
        }
        _ => String::new(),
    }
}

/// A value without the cost of writing all of it.
pub fn value_line(value: &Value) -> String {
    match value {
        Value::Array(list) if list.len() > 12 => format!("a list of {}", list.len()),
        Value::String(text) => cut(text),
        Value::Object(map) => {
            let members: Vec<String> = map
                .iter()
                .filter(|(_, v)| !v.is_null())
                .take(6)
                .map(|(k, v)| format!("{k}: {}", value_line(v)))
                .collect();
            members.join(", ")
        }
        other => cut(&other.to_string()),
    }
}

/// The numbers of the steps that a filter lets through and that have a word in them.
pub fn listed(trace: &Trace, filter: Filter, search: &str) -> Vec<usize> {
    let wanted = search.trim().to_lowercase();
    trace
        .steps
        .iter()
        .enumerate()
        .filter(|(_, s)| filter.lets(s) && (wanted.is_empty() || has(s, &wanted)))
        .map(|(i, _)| i)
        .collect()
}

fn has(step: &Step, wanted: &str) -> bool {
    let found = |text: &str| text.to_lowercase().contains(wanted);
    match &step.body {
        StepBody::Model { message, .. } => {
            found(&message.content) || message.tool_calls.iter().any(|c| found(&c.name))
        }
        StepBody::Call { call, result, .. } => {
            found(&call.name) || found(&call.arguments) || found(&result.to_model_text())
        }
        _ => found(&line(step)),
    }
}

/// Where a trace is read from: its first mistake, or its first step.
pub fn start(trace: &Trace) -> usize {
    let mistake = trace.steps.iter().position(|s| Filter::Mistakes.lets(s));
    mistake.map_or(usize::from(!trace.steps.is_empty()), |at| at + 1)
}

/// The rows of a long list that are in sight, with some to either side.
pub fn in_sight(scroll: f64, height: f64, row: f64, n: usize) -> Range<usize> {
    let first = (scroll / row).floor().max(0.0) as usize;
    let last = ((scroll + height) / row).ceil().max(0.0) as usize;
    first.saturating_sub(8).min(n)..(last + 8).min(n)
}

/// A stretch of a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSpan {
    /// The first step in it.
    pub step: usize,
    /// Where it begins, from 0 to 1.
    pub from: f64,
    /// The end as a share of the whole, 0 to 1.
    pub to: f64,
    /// The gravest kind in it: a refusal before a change, a change before the rest.
    pub kind: StepKind,
}

/// Stretches of a line: more are narrower than a pixel or two.
const STRETCHES: usize = 300;

/// The steps along a line; each as wide as it took, but no narrower than one can see.
pub fn timeline(trace: &Trace, most: usize) -> Vec<TimeSpan> {
    stretches(&trace.steps.iter().collect::<Vec<_>>(), most)
}

/// The same of steps that several views hold.
pub fn line_of(steps: &[Arc<Step>]) -> Vec<TimeSpan> {
    stretches(&steps.iter().map(Arc::as_ref).collect::<Vec<_>>(), STRETCHES)
}

/// Steps along a line, as many stretches as it can show.
fn stretches(steps: &[&Step], most: usize) -> Vec<TimeSpan> {
    let n = steps.len();
    if n == 0 {
        return Vec::new();
    }
    let per = n.div_ceil(most.max(1));
    let took = |s: &Step| if s.took_ms.is_finite() { s.took_ms.max(0.0) } else { 0.0 };
    let total: f64 = steps.iter().map(|s| took(s)).sum();
    let mut out: Vec<TimeSpan> = Vec::new();
    let chunks = steps.chunks(per);
    let n_chunks = chunks.len() as f64;
    let mut at = 0.0;
    for (i, chunk) in chunks.enumerate() {
        // Half of the width by time, half shared out evenly.
        let share =
            if total > 0.0 { chunk.iter().map(|s| took(s)).sum::<f64>() / total } else { 0.0 };
        let even = 1.0 / n_chunks;
        let wide = if total > 0.0 { 0.5 * share + 0.5 * even } else { even };
        let rank = |k: StepKind| match k {
            StepKind::Refused => 4,
            StepKind::Writes => 3,
            StepKind::Answer => 2,
            StepKind::Turn => 1,
            StepKind::Reads | StepKind::Note => 0,
        };
        let kind = chunk
            .iter()
            .map(|s| StepKind::of(s))
            .max_by_key(|k| rank(*k))
            .unwrap_or(StepKind::Note);
        out.push(TimeSpan { step: i * per, from: at, to: at + wide, kind });
        at += wide;
    }
    out
}

/// A trace with the graph at any of its steps: a snapshot every so many steps, so that seeking does
/// not fold from the start.
#[derive(Clone, Debug)]
pub struct Graphs {
    trace: Arc<Trace>,
    snapshots: Vec<(usize, Arc<Graph>)>,
    whole: Arc<Graph>,
}

/// Steps between two snapshots.
const EVERY: usize = 512;

impl PartialEq for Graphs {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.trace, &other.trace)
    }
}

impl Graphs {
    /// Folds once over the trace.
    pub fn new(trace: Arc<Trace>) -> Self {
        let mut graph = trace.graph_after(0).unwrap_or_default();
        let mut snapshots = vec![(0, Arc::new(graph.clone()))];
        let mut changed = false;
        for (i, step) in trace.steps.iter().enumerate() {
            changed |= fold(&mut graph, step);
            if (i + 1) % EVERY == 0 {
                let last = snapshots.last().map(|(_, g)| g.clone());
                let same = last.filter(|_| !changed);
                snapshots.push((i + 1, same.unwrap_or_else(|| Arc::new(graph.clone()))));
                changed = false;
            }
        }
        let mut whole = graph;
        for step in &trace.steps {
            let StepBody::Call { effects, .. } = &step.body else { continue };
            for delta in &effects.deltas {
                if let Delta::AddNode { node } = delta
                    && !whole.has_node(node)
                {
                    let _ = whole.apply(delta);
                }
            }
        }
        Self { trace, snapshots, whole: Arc::new(whole) }
    }

    /// The graph after the first `n` steps.
    pub fn at(&self, n: usize) -> Graph {
        let nearest = self.snapshots.iter().rev().find(|(at, _)| *at <= n);
        let (from, graph) =
            nearest.map_or((0, Graph::undirected()), |(at, g)| (*at, (**g).clone()));
        let mut graph = graph;
        for step in self.trace.steps.iter().take(n).skip(from) {
            fold(&mut graph, step);
        }
        graph
    }

    /// What the step before the cursor read and changed.
    pub fn marks(&self, n: usize) -> Marks {
        match n.checked_sub(1).and_then(|i| self.trace.steps.get(i)).map(|s| &s.body) {
            Some(StepBody::Call { effects, .. }) => marks::of_effects(effects),
            _ => Marks::default(),
        }
    }

    /// Everything that is ever in the graph, for places that hold from the first step to the last.
    pub fn whole(&self) -> &Graph {
        &self.whole
    }
}

/// Applies what a step did; what does not fit, in a trace that somebody changed, is left out.
fn fold(graph: &mut Graph, step: &Step) -> bool {
    let StepBody::Call { effects, .. } = &step.body else { return false };
    for delta in &effects.deltas {
        let _ = graph.apply(delta);
    }
    !effects.deltas.is_empty()
}

#[cfg(test)]
mod tests {
    use llm::{FinishReason, Message, ToolCall, Usage};
    use trace::{Effects, MistakeKind, ToolError};

    use super::*;

    #[test]
    fn a_run_says_why_it_ended_without_an_answer() {
        let mut trace = Trace::new("grounded", "m".into(), Vec::new());
        assert_eq!(end_words(&trace), None);
        trace.stop = Some(Stop::Answered);
        assert_eq!(end_words(&trace), None);
        trace.stop = Some(Stop::Calls);
        let words = end_words(&trace).unwrap();
        assert_eq!(words, "Stopped: the limit on calls was reached.");
        let message = "the pier is closed".to_owned();
        trace.stop = Some(Stop::ModelFailed { message, is_overflow: false });
        assert_eq!(end_words(&trace).unwrap(), "The run failed: the pier is closed");
    }

    fn call(name: &str, deltas: Vec<Delta>) -> Step {
        let body = StepBody::Call {
            call: ToolCall { id: "1".into(), name: name.into(), arguments: "{\"n\":1}".into() },
            result: ToolResult::Value { value: Value::Null, notes: vec![] },
            effects: Effects { deltas, ..Effects::default() },
            told: None,
        };
        Step { at_ms: 0.0, took_ms: 1.0, by_person: false, body }
    }

    fn trace(steps: Vec<Step>) -> Arc<Trace> {
        Arc::new(Trace { steps, ..Trace::new("grounded", "m".into(), Vec::new()) })
    }

    fn adds(n: usize) -> Step {
        call("add_nodes", vec![Delta::AddNode { node: n.into() }])
    }

    #[test]
    fn the_graph_at_any_step_is_the_fold_up_to_it() {
        let trace = trace((0..2000).map(adds).collect());
        let graphs = Graphs::new(trace.clone());
        for n in [0, 1, 511, 512, 513, 1024, 1999, 2000] {
            assert_eq!(graphs.at(n), trace.graph_after(n).unwrap(), "{n}");
        }
    }

    #[test]
    fn what_was_removed_keeps_its_place() {
        let graphs =
            Graphs::new(trace(vec![adds(1), call("clear_graph", vec![Delta::Clear]), adds(2)]));
        assert_eq!(graphs.at(3).n_nodes(), 1);
        assert_eq!(graphs.whole().n_nodes(), 2);
    }

    #[test]
    fn steps_are_filtered_and_searched() {
        let mut refused = call("has_path", Vec::new());
        if let StepBody::Call { result, .. } = &mut refused.body {
            *result = ToolResult::Error(ToolError {
                kind: MistakeKind::Library,
                code: "unknown_node".into(),
                message: "there is no node 7".into(),
                witness: None,
            });
        }
        let answer = Step {
            body: StepBody::Model {
                message: Message::assistant("Yes, by the bridge"),
                finish: FinishReason::Stop,
                usage: Usage::default(),
                request_hash: String::new(),
            },
            ..adds(0)
        };
        let trace = trace(vec![adds(1), refused, answer]);
        let list = |f, s: &str| listed(&trace, f, s);
        assert_eq!(list(Filter::All, ""), [0, 1, 2]);
        assert_eq!(list(Filter::Writes, ""), [0]);
        assert_eq!(list(Filter::Mistakes, ""), [1]);
        assert_eq!(list(Filter::Turns, ""), [2]);
        assert_eq!(list(Filter::All, "NODE 7"), [1]);
        assert_eq!(list(Filter::Calls, "bridge"), Vec::<usize>::new());
        assert_eq!(line(&trace.steps[1]), "has_path → there is no node 7");
        assert_eq!(start(&trace), 2, "it opens at the mistake");
    }

    #[test]
    fn a_line_of_a_huge_step_is_short() {
        let mut huge = adds(0);
        huge.body = StepBody::Note { text: "x".repeat(10_000_000) };
        assert!(line(&huge).len() < 200);
    }

    #[test]
    fn rows_in_sight() {
        assert_eq!(in_sight(0.0, 400.0, 40.0, 30_000), 0..18);
        assert_eq!(in_sight(40_000.0, 400.0, 40.0, 30_000), 992..1018);
        assert_eq!(in_sight(0.0, 400.0, 40.0, 3), 0..3);
        assert_eq!(in_sight(9e9, 400.0, 40.0, 3), 3..3);
    }

    #[test]
    fn a_timeline_covers_the_line_and_shows_what_is_gravest() {
        let mut steps: Vec<Step> = (0..1000).map(adds).collect();
        steps[500].took_ms = 3000.0;
        let line = timeline(&trace(steps), 100);
        assert_eq!(line.len(), 100);
        assert!(line[0].from == 0.0 && (line[99].to - 1.0).abs() < 1e-9);
        assert!(line.windows(2).all(|w| (w[0].to - w[1].from).abs() < 1e-9));
        assert!(line[50].to - line[50].from > 0.3, "what took long is wide");
        assert_eq!(line[50].step, 500);
        assert!(timeline(&trace(Vec::new()), 100).is_empty());
    }
}
