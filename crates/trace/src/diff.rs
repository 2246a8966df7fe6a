//! Two traces beside each other: aligned by tool and arguments, with the first place where they
//! part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::{Step, StepBody, ToolResult, Trace};

/// How the two sides of a row compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// The same on both sides.
    Same,
    /// A call of the same tool with the same arguments gave another result.
    OtherResult,
    /// The same tool was called with other arguments.
    OtherArguments,
    /// The model answered in other words.
    OtherWords,
    /// The same calls, with other words beside them. Two runs of a model seldom share such words,
    /// so the runs do not part here.
    SameCalls,
    /// Only in the left trace.
    OnlyLeft,
    /// Only in the right trace.
    OnlyRight,
}

impl RowKind {
    /// Whether both runs did the same in this row.
    pub fn is_alike(self) -> bool {
        matches!(self, Self::Same | Self::SameCalls)
    }
}

/// One row: a step of the left trace, of the right one, or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffRow {
    /// The number of the step in the left trace, counted from 0.
    pub left: Option<usize>,
    /// The number of the step in the right trace.
    pub right: Option<usize>,
    /// How the two steps compare.
    pub kind: RowKind,
}

/// Two traces beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    /// In the order of both.
    pub rows: Vec<DiffRow>,
    /// The first row where the runs part: neither [`RowKind::Same`] nor [`RowKind::SameCalls`].
    pub first_divergence: Option<usize>,
}

/// What a step is aligned by.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    /// The tool and its arguments, with the members of objects in order.
    Call(String, String),
    /// A turn with calls is aligned by these, whatever it says beside them.
    Turn(Vec<(String, String)>),
    /// A turn without calls: its words are compared afterwards.
    Answer,
    Choice(Vec<String>),
    Other(String),
}

/// The most steps of each side that are aligned at once. Myers' algorithm takes time for the steps
/// times the differences: two long runs that share nothing would take minutes. So the longer ones
/// are aligned block by block, and a step that moved into another block stands in a row of its own.
const BLOCK: usize = 2_000;

/// Compares two traces. Myers' algorithm: O((n + m) d) for n and m steps and d differences, with n,
/// m and d at most 2,000 a block.
pub fn diff(left: &Trace, right: &Trace) -> Diff {
    // Numbers compare faster than names with arguments.
    let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
    let mut number = |trace: &Trace| -> (Vec<Key>, Vec<usize>) {
        let keys: Vec<Key> = trace.steps.iter().map(key).collect();
        let ids = keys
            .iter()
            .map(|k| {
                let next = numbers.len();
                *numbers.entry(k.clone()).or_insert(next)
            })
            .collect();
        (keys, ids)
    };
    let ((a, a_ids), (b, b_ids)) = (number(left), number(right));
    let n_blocks = a.len().max(b.len()).div_ceil(BLOCK);
    let mut rows = Vec::new();
    for block in 0..n_blocks {
        let range = |n: usize| (block * BLOCK).min(n)..((block + 1) * BLOCK).min(n);
        let (ra, rb) = (range(a.len()), range(b.len()));
        for op in capture_diff_slices(Algorithm::Myers, &a_ids[ra.clone()], &b_ids[rb.clone()]) {
            let old = op.old_range().start + ra.start..op.old_range().end + ra.start;
            let new = op.new_range().start + rb.start..op.new_range().end + rb.start;
            match op {
                DiffOp::Equal { .. } => rows.extend(old.zip(new).map(|(l, r)| DiffRow {
                    left: Some(l),
                    right: Some(r),
                    kind: compare(&left.steps[l], &right.steps[r]),
                })),
                DiffOp::Delete { .. } => rows.extend(old.map(only_left)),
                DiffOp::Insert { .. } => rows.extend(new.map(only_right)),
                DiffOp::Replace { .. } => {
                    replaced((&a[old.clone()], old.start), (&b[new.clone()], new.start), &mut rows)
                }
            }
        }
    }
    let first_divergence = rows.iter().position(|r| !r.kind.is_alike());
    Diff { rows, first_divergence }
}

fn only_left(left: usize) -> DiffRow {
    DiffRow { left: Some(left), right: None, kind: RowKind::OnlyLeft }
}

fn only_right(right: usize) -> DiffRow {
    DiffRow { left: None, right: Some(right), kind: RowKind::OnlyRight }
}

/// Within a stretch that differs, calls of the same tool stand beside each other, in order.
fn replaced((a, a0): (&[Key], usize), (b, b0): (&[Key], usize), rows: &mut Vec<DiffRow>) {
    let kind_of = |key: &Key| match key {
        Key::Call(name, _) => format!("call {name}"),
        Key::Turn(calls) => {
            format!("turn {}", calls.iter().map(|c| c.0.as_str()).collect::<Vec<_>>().join(" "))
        }
        Key::Answer => "answer".into(),
        Key::Choice(_) => "choice".into(),
        Key::Other(_) => "other".into(),
    };
    let (ka, kb): (Vec<String>, Vec<String>) =
        (a.iter().map(kind_of).collect(), b.iter().map(kind_of).collect());
    for op in capture_diff_slices(Algorithm::Myers, &ka, &kb) {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            for (l, r) in old.zip(new) {
                let kind = if a[l] == b[r] { RowKind::Same } else { RowKind::OtherArguments };
                rows.push(DiffRow { left: Some(a0 + l), right: Some(b0 + r), kind });
            }
        } else {
            rows.extend(old.map(|l| only_left(a0 + l)));
            rows.extend(new.map(|r| only_right(b0 + r)));
        }
    }
}

fn compare(left: &Step, right: &Step) -> RowKind {
    match (&left.body, &right.body) {
        (StepBody::Call { result: l, .. }, StepBody::Call { result: r, .. }) if !same(l, r) => {
            RowKind::OtherResult
        }
        (StepBody::Model { message: l, .. }, StepBody::Model { message: r, .. })
            if l.content.trim() != r.content.trim() =>
        {
            if l.tool_calls.is_empty() {
                RowKind::OtherWords
            } else {
                RowKind::SameCalls
            }
        }
        _ => RowKind::Same,
    }
}

/// Two refusals are the same if they are of one kind and code: their words may quote.
fn same(left: &ToolResult, right: &ToolResult) -> bool {
    match (left, right) {
        (ToolResult::Error(l), ToolResult::Error(r)) => (l.kind, &l.code) == (r.kind, &r.code),
        _ => left == right,
    }
}

fn key(step: &Step) -> Key {
    match &step.body {
        StepBody::Call { call, .. } => Key::Call(call.name.clone(), canonical(&call.arguments)),
        StepBody::Model { message, .. } if message.tool_calls.is_empty() => Key::Answer,
        StepBody::Model { message, .. } => Key::Turn(
            message.tool_calls.iter().map(|c| (c.name.clone(), canonical(&c.arguments))).collect(),
        ),
        StepBody::Choice { tools, .. } => Key::Choice(tools.clone()),
        StepBody::Note { text } => Key::Other(text.clone()),
        // What came of it depends on the machine as well.
        StepBody::Program { code, .. } => Key::Other(code.clone()),
        StepBody::Prompt { messages, .. } => {
            Key::Other(messages.iter().map(|m| format!("{}\n", m.content)).collect())
        }
        StepBody::Findings { stage, findings } => {
            let list: String = findings.iter().map(|f| format!("{} {:?} ", f.rule, f.at)).collect();
            Key::Other(format!("{stage} {list}"))
        }
        StepBody::Vote { tallies, .. } => {
            Key::Other(tallies.iter().map(|t| format!("{}×{} ", t.answer, t.runs.len())).collect())
        }
    }
}

/// A place where two steps differ, with what stands there on each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place, such as `edges[2].weight`; the name of a call before it where a turn makes several.
    pub at: String,
    /// What the left step has there.
    pub left: Option<String>,
    /// What the right step has there.
    pub right: Option<String>,
}

/// Changes of one pair of steps that are listed at most.
const MOST_CHANGES: usize = 200;
/// Longer lists are not aligned item by item.
const MOST_ITEMS: usize = 2_000;

/// Where two steps differ: arguments and results member by member, words as a whole; at most 200
/// places.
///
/// # Complexity
/// O(size of both), and Myers' algorithm for lists of at most 2,000 items.
pub fn changes(left: &Step, right: &Step) -> Vec<Difference> {
    let mut out = Vec::new();
    match (&left.body, &right.body) {
        (
            StepBody::Call { call: l, result: lr, .. },
            StepBody::Call { call: r, result: rr, .. },
        ) => {
            between("", parsed(&l.arguments).as_ref(), parsed(&r.arguments).as_ref(), &mut out);
            if !same(lr, rr) {
                between("result", Some(&outcome(lr)), Some(&outcome(rr)), &mut out);
            }
        }
        (StepBody::Model { message: l, .. }, StepBody::Model { message: r, .. }) => {
            let calls = l.tool_calls.len().max(r.tool_calls.len());
            for i in 0..calls {
                let (l, r) = (l.tool_calls.get(i), r.tool_calls.get(i));
                let name = l.or(r).map_or("", |c| c.name.as_str());
                let value = |call: Option<&llm::ToolCall>| call.and_then(|c| parsed(&c.arguments));
                between(name, value(l).as_ref(), value(r).as_ref(), &mut out);
            }
            let words = |text: &str| Value::String(text.trim().to_owned());
            between("words", Some(&words(&l.content)), Some(&words(&r.content)), &mut out);
        }
        _ => {}
    }
    out
}

fn parsed(arguments: &str) -> Option<Value> {
    let value = serde_json::from_str(arguments);
    Some(value.unwrap_or_else(|_| Value::String(arguments.trim().to_owned())))
}

fn outcome(result: &ToolResult) -> Value {
    match result {
        ToolResult::Value { value, .. } => value.clone(),
        ToolResult::Error(error) => Value::String(error.message.clone()),
    }
}

fn between(at: &str, left: Option<&Value>, right: Option<&Value>, out: &mut Vec<Difference>) {
    if left == right || out.len() >= MOST_CHANGES {
        return;
    }
    match (left, right) {
        (Some(Value::Object(l)), Some(Value::Object(r))) => {
            let more = r.keys().filter(|name| !l.contains_key(*name));
            for name in l.keys().chain(more) {
                let dot = if at.is_empty() { "" } else { "." };
                between(&format!("{at}{dot}{name}"), l.get(name), r.get(name), out);
            }
        }
        (Some(Value::Array(l)), Some(Value::Array(r))) if l.len().max(r.len()) <= MOST_ITEMS => {
            let texts = |list: &[Value]| list.iter().map(Value::to_string).collect::<Vec<_>>();
            for op in capture_diff_slices(Algorithm::Myers, &texts(l), &texts(r)) {
                if matches!(op, DiffOp::Equal { .. }) {
                    continue;
                }
                let (old, new) = (op.old_range(), op.new_range());
                for i in 0..old.len().max(new.len()) {
                    let (a, b) = (old.clone().nth(i), new.clone().nth(i));
                    let place = a.or(b).unwrap_or_default();
                    let (a, b) = (a.and_then(|a| l.get(a)), b.and_then(|b| r.get(b)));
                    between(&format!("{at}[{place}]"), a, b, out);
                }
            }
        }
        _ => {
            let words = |value: Option<&Value>| {
                value.map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned))
            };
            out.push(Difference { at: at.to_owned(), left: words(left), right: words(right) });
        }
    }
}

/// Arguments with the members of objects in order, so that `{"a":1,"b":2}` is `{"b":2,"a":1}`.
fn canonical(arguments: &str) -> String {
    fn sorted(value: Value) -> Value {
        match value {
            Value::Object(map) => {
                let mut members: Vec<_> = map.into_iter().collect();
                members.sort_by(|a, b| a.0.cmp(&b.0));
                members.into_iter().map(|(k, v)| (k, sorted(v))).collect()
            }
            Value::Array(list) => list.into_iter().map(sorted).collect(),
            other => other,
        }
    }
    serde_json::from_str::<Value>(arguments)
        .map_or_else(|_| arguments.trim().to_owned(), |v| sorted(v).to_string())
}

#[cfg(test)]
mod tests {
    use llm::{FinishReason, Message, ToolCall, Usage};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::trace::tests::call_step;

    fn trace(steps: Vec<Step>) -> Trace {
        Trace { steps, ..Trace::new("grounded", "m".into(), Vec::new()) }
    }

    fn answer(text: &str) -> Step {
        let body = StepBody::Model {
            message: Message::assistant(text),
            finish: FinishReason::Stop,
            usage: Usage::default(),
            request_hash: String::new(),
        };
        Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body }
    }

    fn kinds(diff: &Diff) -> Vec<RowKind> {
        diff.rows.iter().map(|r| r.kind).collect()
    }

    #[test]
    fn calls_are_aligned_by_tool_and_arguments() {
        let left = trace(vec![
            call_step("a", r#"{"x":1,"y":2}"#, json!(1)),
            call_step("b", "{}", json!(1)),
            call_step("c", r#"{"n":1}"#, json!(1)),
            answer("yes"),
        ]);
        let right = trace(vec![
            call_step("a", r#"{"y":2, "x":1}"#, json!(1)),
            call_step("extra", "{}", json!(0)),
            call_step("b", "{}", json!(2)),
            call_step("c", r#"{"n":2}"#, json!(1)),
            answer("no"),
        ]);
        let diff = diff(&left, &right);
        use RowKind::{OnlyRight, OtherArguments, OtherResult, OtherWords, Same};
        assert_eq!(kinds(&diff), [Same, OnlyRight, OtherResult, OtherArguments, OtherWords]);
        assert_eq!(diff.first_divergence, Some(1));
    }

    #[test]
    fn the_places_where_two_steps_differ_are_named() {
        let at = |left: &Step, right: &Step| -> Vec<String> {
            let words = |side: Option<String>| side.unwrap_or("–".into());
            let one = |c: Difference| format!("{}: {} | {}", c.at, words(c.left), words(c.right));
            changes(left, right).into_iter().map(one).collect()
        };
        let call = |arguments: &str, value: Value| call_step("f", arguments, value);
        let left = call(r#"{"edges":[{"u":0,"w":3},{"u":5}],"d":true,"s":"a"}"#, json!({"n": 1}));
        let right = call(r#"{"edges":[{"u":0,"w":4}],"s":"a","t":null}"#, json!({"n": 2}));
        let found = at(&left, &right);
        let wanted = [
            "edges[0].w: 3 | 4",
            "edges[1]: {\"u\":5} | –",
            "d: true | –",
            "t: – | null",
            "result.n: 1 | 2",
        ];
        assert_eq!(found, wanted);
        // One item that comes first moves no other; members have no order.
        let (left, right) = (call("[1,2,3]", json!(0)), call("[0,1,2,3]", json!(0)));
        assert_eq!(at(&left, &right), ["[0]: – | 0"]);
        let (left, right) =
            (call(r#"{"a":1,"b":2}"#, json!(0)), call(r#"{"b":2,"a":1}"#, json!(0)));
        assert_eq!(at(&left, &right), [""; 0]);
        assert_eq!(at(&call("{", json!(0)), &call("{}", json!(0))), [": { | {}"]);
        assert_eq!(at(&answer("yes "), &answer("no")), ["words: yes | no"]);
        let long = |from: usize| {
            let list: Vec<usize> = (from..from + 1_000).collect();
            call("{}", json!(list))
        };
        assert_eq!(changes(&long(0), &long(5_000)).len(), MOST_CHANGES);
    }

    #[test]
    fn words_beside_a_call_are_told_and_part_nothing() {
        let turn = |text: &str| {
            let mut step = answer(text);
            if let StepBody::Model { message, .. } = &mut step.body {
                message.tool_calls =
                    vec![ToolCall { id: "1".into(), name: "f".into(), arguments: "{}".into() }];
            }
            step
        };
        let diff = diff(&trace(vec![turn("I will")]), &trace(vec![turn("Let me")]));
        assert_eq!(kinds(&diff), [RowKind::SameCalls]);
        assert_eq!(diff.first_divergence, None);
    }

    #[test]
    fn two_long_runs_that_share_nothing_are_compared_too() {
        let steps = |name: &str| {
            trace((0..5_000).map(|i| call_step(&format!("{name}{i}"), "{}", json!(i))).collect())
        };
        let found = diff(&steps("left"), &steps("right"));
        assert_eq!(found.first_divergence, Some(0));
        let lefts: Vec<usize> = found.rows.iter().filter_map(|r| r.left).collect();
        assert_eq!(lefts, (0..5_000).collect::<Vec<_>>());
        assert_eq!(found.rows.iter().filter(|r| r.right.is_some()).count(), 5_000);
    }

    proptest! {
        #[test]
        fn every_step_stands_in_one_row_and_in_order(
            a in prop::collection::vec((0..4u8, 0..3u8), 0..30),
            b in prop::collection::vec((0..4u8, 0..3u8), 0..30),
        ) {
            let steps = |s: &[(u8, u8)]| {
                trace(s.iter().map(|(f, x)| call_step(&format!("f{f}"), &format!("[{x}]"), json!(x))).collect())
            };
            let (left, right) = (steps(&a), steps(&b));
            let found = diff(&left, &right);
            let lefts: Vec<usize> = found.rows.iter().filter_map(|r| r.left).collect();
            let rights: Vec<usize> = found.rows.iter().filter_map(|r| r.right).collect();
            prop_assert_eq!(lefts, (0..a.len()).collect::<Vec<_>>());
            prop_assert_eq!(rights, (0..b.len()).collect::<Vec<_>>());
            for row in &found.rows {
                match (row.left, row.right) {
                    (Some(l), Some(r)) => prop_assert_eq!(row.kind == RowKind::Same, a[l] == b[r]),
                    (Some(_), None) => prop_assert_eq!(row.kind, RowKind::OnlyLeft),
                    (None, Some(_)) => prop_assert_eq!(row.kind, RowKind::OnlyRight),
                    (None, None) => prop_assert!(false, "an empty row"),
                }
            }
            prop_assert_eq!(found.first_divergence.is_none(), a == b);
        }

        #[test]
        fn a_trace_is_the_same_as_itself(a in prop::collection::vec((0..4u8, 0..3u8), 0..30)) {
            let left = trace(a.iter().map(|(f, x)| call_step(&format!("f{f}"), "{}", json!(x))).collect());
            prop_assert_eq!(diff(&left, &left).first_divergence, None);
        }
    }
}
