//! Taking a run over: the trace up to a step, with what a person changed there.

use serde_json::Value;
use trace::{StepBody, ToolResult, Trace};

/// What a person changes at the step from which a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Nothing: the run continues after the step.
    Nothing,
    /// The step is taken back: the model is asked again in its place, or the call made again.
    Again,
    /// Other arguments for the call.
    Arguments(String),
    /// Another result of the call.
    Result(Value),
}

/// The system with which a run goes on: that of its trace. One that is not here, as in a trace that
/// another program wrote, goes on with graph tools, and the second words say so.
pub fn system_of(trace: &Trace) -> (&'static str, Option<String>) {
    let Some(system) = systems::nlgraph::find(&trace.system) else {
        let of = match trace.system.trim() {
            "" => "This trace names no system".to_owned(),
            name => format!("There is no system {name:?} here"),
        };
        return ("grounded", Some(format!("{of}: the run goes on with graph tools.")));
    };
    (system.id, None)
}

/// The trace from which the run goes on; marked as the person's where it was changed.
///
/// # Errors
/// The change does not fit the step; the message says what would.
pub fn forked(trace: &Trace, step: usize, change: &Change) -> Result<Trace, String> {
    let Some(at) = trace.steps.get(step) else {
        return Err(format!("there is no step {}", step + 1));
    };
    match change {
        Change::Nothing => {
            // Behind a final answer there is nothing left to do: the model answers anew.
            let ends = matches!(&at.body, StepBody::Model { message, .. } if message.tool_calls.is_empty());
            Ok(trace.fork(if ends { step } else { step + 1 }))
        }
        Change::Again => Ok(trace.fork(step)),
        Change::Arguments(arguments) => {
            let StepBody::Call { call, .. } = &at.body else {
                return Err("only a call has arguments; choose the step of a call".into());
            };
            let mut fork = trace.fork(step);
            let turn = fork.steps.iter().rposition(|s| matches!(s.body, StepBody::Model { .. }));
            let turn = turn.and_then(|i| fork.steps.get_mut(i));
            if let Some(turn) = turn
                && let StepBody::Model { message, .. } = &mut turn.body
                && let Some(asked) = message.tool_calls.iter_mut().find(|c| c.id == call.id)
            {
                asked.arguments.clone_from(arguments);
                turn.by_person = true;
                return Ok(fork);
            }
            Err("the turn that made this call is not in the trace".into())
        }
        Change::Result(value) => {
            let mut fork = trace.fork(step + 1);
            let Some(last) = fork.steps.last_mut() else { return Ok(fork) };
            let StepBody::Call { result, told, .. } = &mut last.body else {
                return Err("only a call has a result; choose the step of a call".into());
            };
            *result = ToolResult::Value { value: value.clone(), notes: Vec::new() };
            *told = None;
            last.by_person = true;
            Ok(fork)
        }
    }
}

/// Runs as the tree of their forks: what goes on from another stands under it, one level deeper, and
/// the order of the rest is kept. Takes the key of each and that of the one it goes on from; gives the
/// depth and the place of each. One whose origin is not in the list stands at the top.
pub fn tree<K: PartialEq>(list: &[(K, Option<K>)]) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::with_capacity(list.len());
    let is_here = |key: &K| list.iter().any(|(k, _)| k == key);
    let mut open: Vec<(usize, usize)> = (0..list.len())
        .rev()
        .filter(|i| list[*i].1.as_ref().is_none_or(|origin| !is_here(origin)))
        .map(|i| (0, i))
        .collect();
    let mut seen = vec![false; list.len()];
    while let Some((depth, i)) = open.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        out.push((depth, i));
        let under = (0..list.len()).rev().filter(|j| list[*j].1.as_ref() == Some(&list[i].0));
        open.extend(under.map(|j| (depth + 1, j)));
    }
    // A circle, which only a changed store can hold, loses none of its runs.
    out.extend((0..list.len()).filter(|i| !seen[*i]).map(|i| (0, i)));
    out
}

#[cfg(test)]
mod tests {
    use llm::{FinishReason, Message, ToolCall, Usage};
    use serde_json::json;
    use trace::{Effects, Step, Stop};

    use super::*;

    #[test]
    fn forks_stand_under_what_they_go_on_from() {
        let list = [(5, Some(2)), (4, Some(9)), (3, Some(2)), (2, None), (1, Some(5))];
        assert_eq!(tree(&list), [(0, 1), (0, 3), (1, 0), (2, 4), (1, 2)]);
        assert_eq!(tree::<u8>(&[]), []);
        let circle = [(1, Some(2)), (2, Some(1))];
        assert_eq!(tree(&circle), [(0, 0), (0, 1)]);
    }

    fn trace() -> Trace {
        let call = |n: usize| ToolCall {
            id: format!("c{n}"),
            name: "f".into(),
            arguments: format!("{{\"n\":{n}}}"),
        };
        let step = |body| Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body };
        let turn = |calls: Vec<ToolCall>, text: &str| {
            step(StepBody::Model {
                message: Message { tool_calls: calls, ..Message::assistant(text) },
                finish: FinishReason::Stop,
                usage: Usage::default(),
                request_hash: String::new(),
            })
        };
        let result = |n: usize| {
            step(StepBody::Call {
                call: call(n),
                result: ToolResult::Value { value: json!(n), notes: Vec::new() },
                effects: Effects::default(),
                told: None,
            })
        };
        Trace {
            steps: vec![
                turn(vec![call(1), call(2)], ""),
                result(1),
                result(2),
                turn(vec![], "done"),
            ],
            stop: Some(Stop::Answered),
            ..Trace::new("grounded", "m".into(), Vec::new())
        }
    }

    #[test]
    fn a_run_goes_on_behind_a_step_or_in_its_place() {
        let go = |step, change: Change| forked(&trace(), step, &change).unwrap();
        assert_eq!(go(1, Change::Nothing).steps.len(), 2);
        assert_eq!(go(1, Change::Nothing).open_calls().len(), 1, "the second call is still open");
        assert_eq!(go(3, Change::Nothing).steps.len(), 3, "the answer is given anew");
        assert_eq!(go(0, Change::Again).steps.len(), 0);
        assert_eq!(go(0, Change::Again).stop, None);
    }

    #[test]
    fn a_run_of_a_system_that_is_not_here_goes_on_with_words() {
        assert_eq!(system_of(&trace()), ("grounded", None));
        for (name, told) in [("elsewhere", "no system \"elsewhere\""), ("", "names no system")] {
            let (system, words) = system_of(&Trace { system: name.into(), ..trace() });
            assert_eq!(system, "grounded");
            assert!(words.unwrap().contains(told), "{name:?}");
        }
    }

    #[test]
    fn other_arguments_are_called_and_marked() {
        let fork = forked(&trace(), 2, &Change::Arguments("{\"n\":9}".into())).unwrap();
        assert_eq!(fork.steps.len(), 2);
        assert!(fork.steps[0].by_person);
        let open = fork.open_calls();
        assert_eq!((open.len(), open[0].arguments.as_str()), (1, "{\"n\":9}"));
    }

    #[test]
    fn another_result_is_the_persons() {
        let fork = forked(&trace(), 1, &Change::Result(json!("mine"))).unwrap();
        assert!(fork.steps[1].by_person);
        let read = fork.messages_before(2);
        assert_eq!(read.last().unwrap().content, "{\"result\":\"mine\"}");
    }

    #[test]
    fn what_does_not_fit_says_so() {
        assert!(forked(&trace(), 0, &Change::Result(json!(1))).unwrap_err().contains("call"));
        assert!(forked(&trace(), 3, &Change::Arguments("{}".into())).unwrap_err().contains("call"));
        assert!(forked(&trace(), 9, &Change::Nothing).is_err());
    }
}
