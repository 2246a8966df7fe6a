//! What programs that trace others keep: turns of models, calls of tools and the spans around
//! them, each with its time and its place in a tree. Every format of such programs is read into
//! [`Span`]s, and these become one conversation here.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use llm::{FinishReason, Message, Role, ToolCall, ToolSpec, Usage};

use serde_json::{Map, Value};

use super::messages::{Said, Turn};
use super::report::Report;
use super::{FormatError, moment, parts};
use crate::{Record, RecordScore, StepBody, Stop, ToolError};

/// A step of a program.
pub(super) struct Span {
    pub(super) trace: String,
    pub(super) id: String,
    /// The id of the span around it; empty at the top.
    pub(super) parent: String,
    pub(super) name: String,
    // Whole numbers: nanoseconds since 1970 are more than a float holds exactly.
    pub(super) start_ns: u64,
    pub(super) end_ns: u64,
    /// What went wrong, where the span says that something did.
    pub(super) failure: Option<String>,
    pub(super) what: What,
}

/// What a span is of.
pub(super) enum What {
    /// A turn of a model.
    Turn(Box<Exchange>),
    /// A call of a tool; its id is empty where the program does not keep it.
    Call {
        call: ToolCall,
        /// What came back; nothing where the program does not keep it.
        result: Option<String>,
        /// What kind of error it is, where it failed.
        code: String,
    },
    /// A span around others, with what went in and came out.
    Around { input: Vec<Said>, output: Vec<Said> },
    /// A step as it is.
    Step(StepBody),
}

/// What a model was asked and answered.
#[derive(Default)]
pub(super) struct Exchange {
    pub(super) input: Vec<Said>,
    pub(super) output: Vec<Said>,
    pub(super) model: String,
    pub(super) tools: Vec<ToolSpec>,
    pub(super) usage: Usage,
    pub(super) finish: Option<FinishReason>,
}

/// What a file says of a trace as a whole.
#[derive(Default)]
pub(super) struct About {
    pub(super) id: String,
    pub(super) task: String,
    pub(super) system: String,
    pub(super) started_at: Option<String>,
    pub(super) score: Option<RecordScore>,
    pub(super) metadata: Map<String, Value>,
    pub(super) stop: Option<Stop>,
    pub(super) tools: Vec<ToolSpec>,
}

/// Spans by their traces, in the order in which these begin.
pub(super) fn by_trace(mut spans: Vec<Span>) -> Vec<Vec<Span>> {
    // The sort is stable: spans of one moment stay in the file's order.
    spans.sort_by_key(|s| s.start_ns);
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<Vec<Span>> = Vec::new();
    for span in spans {
        let at = *places.entry(span.trace.clone()).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(span);
    }
    groups
}

/// Which spans have a turn of a model within them, by their places.
fn around_turns(spans: &[Span]) -> HashSet<usize> {
    let by_id: HashMap<&str, usize> =
        spans.iter().enumerate().map(|(i, s)| (s.id.as_str(), i)).collect();
    let mut found = HashSet::new();
    for span in spans {
        let What::Turn(turn) = &span.what else { continue };
        if turn.input.is_empty() && turn.output.is_empty() {
            continue;
        }
        let mut parent = by_id.get(span.parent.as_str());
        // The spans above one that is found are found already.
        while let Some(at) = parent.filter(|at| found.insert(**at)) {
            parent = by_id.get(spans[*at].parent.as_str());
        }
    }
    found
}

/// What of a conversation that spans repeat is there already.
///
/// Programs write the same message differently in the span that made it and in those that repeat
/// it, so a call is known by its id or by what it calls, and a result by the call that it answers.
/// What people say is known by its text; behind the model's last turn it is new, even in words that
/// were said before.
#[derive(Default)]
struct Known {
    /// How often each thing was said, by a key.
    counts: HashMap<String, usize>,
    /// What was said since the model's last turn.
    tail: HashMap<String, usize>,
    /// The calls that wait for a result, by what they call.
    waiting: HashMap<String, VecDeque<String>>,
    /// What each call calls.
    names: HashMap<String, String>,
    has_turns: bool,
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is said to a model, by its text.
pub(super) fn said_key(message: &Message) -> String {
    let role = if message.role == Role::System { "system" } else { "user" };
    format!("{role} {}", words(&message.content))
}

/// A call as what it calls, however its arguments are written.
fn call_key(call: &ToolCall) -> String {
    let arguments = match serde_json::from_str::<Value>(&call.arguments) {
        Ok(value) => value.to_string(),
        Err(_) => words(&call.arguments),
    };
    format!("{} {arguments}", call.name)
}

/// A turn by what it calls or says, and by the ids of its calls.
pub(super) fn turn_keys(message: &Message) -> Vec<String> {
    let calls = &message.tool_calls;
    if calls.is_empty() {
        return vec![format!("said {}", words(&message.content))];
    }
    let mut keys =
        vec![format!("calls {}", calls.iter().map(call_key).collect::<Vec<_>>().join("\n"))];
    if calls.iter().all(|c| !c.id.is_empty()) {
        keys.push(format!(
            "ids {}",
            calls.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join("\n")
        ));
    }
    keys
}

impl Known {
    fn announce(&mut self, message: &Message) {
        for call in message.tool_calls.iter().filter(|c| !c.id.is_empty()) {
            self.names.insert(call.id.clone(), call.name.clone());
            self.waiting.entry(call.name.clone()).or_default().push_back(call.id.clone());
        }
    }

    /// By what the result of a call is known: by the call's id, else by what it calls.
    fn result_keys(&self, said: &Said) -> Vec<String> {
        let (message, turn) = said;
        let id = message.tool_call_id.as_deref().unwrap_or_default();
        let name = turn
            .call
            .as_ref()
            .map(|c| c.name.as_str())
            .or_else(|| self.names.get(id).map(String::as_str));
        let mut keys = Vec::new();
        if !id.is_empty() {
            keys.push(format!("result {id}"));
        }
        match name {
            Some(name) if !name.is_empty() => keys.push(format!("result of {name}")),
            _ => keys.push(format!("result text {}", words(&message.content))),
        }
        keys
    }

    fn add(&mut self, said: &Said) {
        match said.0.role {
            Role::Assistant => {
                self.has_turns = true;
                self.tail.clear();
                self.announce(&said.0);
                for key in turn_keys(&said.0) {
                    *self.counts.entry(key).or_default() += 1;
                }
            }
            Role::Tool => {
                let keys = self.result_keys(said);
                // Where the id is known, the name would stand for another call of the same tool.
                *self.counts.entry(keys[0].clone()).or_default() += 1;
            }
            Role::System | Role::User => {
                let key = said_key(&said.0);
                *self.tail.entry(key.clone()).or_default() += 1;
                *self.counts.entry(key).or_default() += 1;
            }
        }
    }

    /// The id of the first call that waits for a result of a tool of that name.
    fn waiting_id(&mut self, name: &str, id: &str) -> String {
        let Some(queue) = self.waiting.get_mut(name) else { return id.to_owned() };
        if id.is_empty() {
            return queue.pop_front().unwrap_or_default();
        }
        if queue.front().is_some_and(|first| first == id) {
            queue.pop_front();
        }
        id.to_owned()
    }

    /// What is new in a conversation, which is known from then on.
    fn new_in(&mut self, input: Vec<Said>) -> Vec<Said> {
        let last_turn = input.iter().rposition(|(m, _)| m.role == Role::Assistant);
        let is_known = |keys: &[String],
                        there: &mut HashMap<String, usize>,
                        counts: &HashMap<String, usize>| {
            let mut known = false;
            for key in keys {
                let n = there.entry(key.clone()).or_default();
                *n += 1;
                known |= counts.get(key).is_some_and(|have| *have >= *n);
            }
            known
        };
        let (mut there, mut there_last) = (HashMap::new(), HashMap::new());
        let mut is_new = Vec::with_capacity(input.len());
        let mut begins_again = last_turn.is_none() && self.has_turns;
        let mut n_repeated = 0;
        for (i, said) in input.iter().enumerate() {
            let known = match said.0.role {
                _ if said.1.body.is_some() => {
                    is_known(&[format!("{:?}", said.1.body)], &mut there, &self.counts)
                }
                Role::Assistant => is_known(&turn_keys(&said.0), &mut there, &self.counts),
                Role::Tool => {
                    begins_again = false;
                    is_known(&self.result_keys(said), &mut there, &self.counts)
                }
                Role::System | Role::User => {
                    let key = [said_key(&said.0)];
                    let before = is_known(&key, &mut there, &self.counts);
                    let since = is_known(&key, &mut there_last, &self.tail);
                    begins_again &= !since;
                    n_repeated += usize::from(before);
                    if last_turn.is_none_or(|last| i > last) && self.has_turns {
                        since
                    } else {
                        before
                    }
                }
            };
            is_new.push(!known);
        }
        let mut new = Vec::new();
        for (said, is_new) in input.into_iter().zip(is_new) {
            if is_new {
                match &said.1.body {
                    Some(body) => *self.counts.entry(format!("{body:?}")).or_default() += 1,
                    None => self.add(&said),
                }
                new.push(said);
            }
        }
        // A conversation of its own repeats what was said and knows nothing of the turns.
        if begins_again && n_repeated > 0 && !new.is_empty() {
            let messages = new.into_iter().map(|(message, _)| message).collect();
            let body = Some(StepBody::Prompt { messages, fresh: true });
            new = vec![(Message::system(""), Turn { body, ..Turn::default() })];
        }
        new
    }
}

/// Messages that a span repeats, without what is said of the spans that made them.
fn repeated(messages: Vec<Said>) -> Vec<Said> {
    let of = |t: Turn| Turn {
        call: t.call,
        failed: t.failed,
        body: t.body,
        finish: t.finish,
        ..Turn::default()
    };
    messages.into_iter().map(|(m, t)| (m, of(t))).collect()
}

fn note(text: String, turn: &Turn) -> Said {
    let body = Some(StepBody::Note { text });
    (
        Message::system(""),
        Turn { body, at_ms: turn.at_ms, took_ms: turn.took_ms, ..Turn::default() },
    )
}

/// A record of each trace, with what is known about it, by its id.
pub(super) fn records(
    spans: Vec<Span>,
    mut about: BTreeMap<String, About>,
    report: &mut Report,
) -> Result<Vec<Record>, FormatError> {
    let groups = by_trace(spans).into_iter().enumerate();
    groups
        .map(|(i, group)| {
            let id = group.first().map(|s| s.trace.clone()).unwrap_or_default();
            let about = about.remove(&id).unwrap_or_else(|| About { id, ..About::default() });
            record(group, i, about, report)
        })
        .collect()
}

/// One trace from its spans, which are in the order of their starts.
pub(super) fn record(
    mut spans: Vec<Span>,
    index: usize,
    mut about: About,
    report: &mut Report,
) -> Result<Record, FormatError> {
    let start = spans.iter().map(|s| s.start_ns).filter(|ns| *ns > 0).min().unwrap_or(0);
    let around = around_turns(&spans);
    // What each span calls, if anything.
    let called: HashMap<String, String> = spans
        .iter()
        .map(|s| match &s.what {
            What::Call { call, .. } => (s.id.clone(), call.name.clone()),
            _ => (s.id.clone(), String::new()),
        })
        .collect();
    for (i, span) in spans.iter_mut().enumerate() {
        // A turn around another is the library's view of it.
        if let What::Turn(turn) = &mut span.what
            && around.contains(&i)
        {
            let turn = std::mem::take(&mut **turn);
            span.what = What::Around { input: turn.input, output: turn.output };
        }
    }
    // The result of a call within which models are asked comes after what they say.
    let mut order: Vec<usize> = (0..spans.len()).collect();
    let key = |i: &usize| {
        let span = &spans[*i];
        let is_late = matches!(span.what, What::Call { .. }) && around.contains(i);
        if is_late { span.end_ns } else { span.start_ns }
    };
    order.sort_by_key(key);
    let mut first_inputs = Vec::new();
    let mut next_input: Option<bool> = None;
    // For each span: whether the next turn keeps what it was asked.
    for i in order.iter().rev() {
        if let What::Turn(turn) = &spans[*i].what {
            next_input = Some(!turn.input.is_empty());
        }
        first_inputs.push(next_input);
    }
    first_inputs.reverse();
    let has_turns = spans
        .iter()
        .any(|s| matches!(&s.what, What::Turn(t) if !t.output.is_empty() || !t.input.is_empty()));
    let mut slots: Vec<Option<Span>> = spans.into_iter().map(Some).collect();
    let mut known = Known::default();
    let mut messages: Vec<Said> = Vec::new();
    let mut model = String::new();
    let mut tools = std::mem::take(&mut about.tools);
    let mut stop = None;
    let mut without_results: Vec<(ToolCall, Turn)> = Vec::new();
    let mut ends: Vec<(String, Vec<Said>, Option<String>, u64)> = Vec::new();
    for (place, next_has_input) in order.into_iter().zip(first_inputs) {
        let Some(span) = slots[place].take() else { continue };
        let turn = Turn {
            at_ms: span.start_ns.saturating_sub(start) as f64 / 1e6,
            took_ms: span.end_ns.saturating_sub(span.start_ns) as f64 / 1e6,
            ..Turn::default()
        };
        match span.what {
            What::Turn(exchange) => {
                let Exchange { input, mut output, model: named, tools: offered, usage, finish } =
                    *exchange;
                if model.is_empty() {
                    model = named;
                }
                if tools.is_empty() {
                    tools = offered;
                }
                if input.is_empty() && output.is_empty() && span.failure.is_none() {
                    report.left_out(
                        "turn| of a model without the messages, in spans named",
                        &span.name,
                    );
                    continue;
                }
                messages.extend(timed(known.new_in(repeated(input)), &turn));
                stop = None;
                if let Some(message) = span.failure {
                    messages.push(note(
                        format!("{} failed: {message}", name_of(&span.name, "the model")),
                        &turn,
                    ));
                    if output.is_empty() {
                        stop = Some(Stop::ModelFailed { message, is_overflow: false });
                    }
                }
                let last = output.iter().rposition(|(m, _)| m.role == Role::Assistant);
                for (i, (message, said)) in output.iter_mut().enumerate() {
                    if message.role == Role::Assistant {
                        let finish =
                            finish.clone().filter(|_| Some(i) == last).or(said.finish.take());
                        let spent = if usage.total().is_some() { usage } else { said.usage };
                        let usage = if Some(i) == last { spent } else { Usage::default() };
                        *said = Turn { finish, usage, ..turn.clone() };
                    }
                }
                output.iter().filter(|said| said.1.body.is_none()).for_each(|said| known.add(said));
                messages.extend(output);
            }
            What::Call { call, result, code } => {
                // Some libraries trace a call twice, one within the other.
                let is_inner =
                    called.get(&span.parent).is_some_and(|n| *n == call.name && !n.is_empty());
                if is_inner {
                    report.left_out("span| of a call within that call, named", &span.name);
                    continue;
                }
                let id = known.waiting_id(&call.name, &call.id);
                let call = ToolCall { id: id.clone(), ..call };
                // A later turn may have the result among what it was asked.
                let Some(result) = result.or_else(|| span.failure.as_ref().map(|_| String::new()))
                else {
                    without_results.push((call, turn));
                    continue;
                };
                let failed = span.failure.map(|message| ToolError {
                    kind: parts::kind_of(&code),
                    code: if code.is_empty() { "error".to_owned() } else { code },
                    message,
                    witness: None,
                });
                let call = (!call.name.is_empty()).then_some(call);
                let said = (Message::tool(&id, result), Turn { call, failed, ..turn });
                known.add(&said);
                messages.push(said);
            }
            What::Around { input, output } => {
                // What a model is asked says it too, often in a larger text.
                let is_top = span.parent.is_empty() || !called.contains_key(&span.parent);
                if next_has_input != Some(true) || (is_top && !has_turns) {
                    messages.extend(timed(known.new_in(repeated(input)), &turn));
                }
                if is_top || span.failure.is_some() {
                    ends.push((span.name, output, span.failure, span.end_ns));
                }
            }
            What::Step(body) => {
                messages.push((Message::system(""), Turn { body: Some(body), ..turn }))
            }
        }
    }
    let mut answered: HashMap<String, usize> = HashMap::new();
    for (i, (message, _)) in messages.iter().enumerate() {
        if let Some(id) = message.tool_call_id.as_ref().filter(|id| !id.is_empty()) {
            answered.insert(id.clone(), i);
        }
    }
    for (call, turn) in without_results {
        match answered.get(&call.id) {
            Some(at) => {
                let of = &mut messages[*at].1;
                (of.at_ms, of.took_ms) = (turn.at_ms, turn.took_ms);
            }
            None => {
                report.left_out("result| that the file does not have, of calls of", &call.name);
                let message = Message::tool(&call.id, "");
                messages.push((message, Turn { call: Some(call), ..turn }));
            }
        }
    }
    for (name, output, failure, end_ns) in ends {
        let at_ms = end_ns.saturating_sub(start) as f64 / 1e6;
        let turn = Turn { at_ms, ..Turn::default() };
        for said in known.new_in(repeated(output)) {
            // Beside turns of models it is what the program made of them.
            let is_said =
                !has_turns || said.0.role != Role::Assistant || !said.0.tool_calls.is_empty();
            let said = if is_said {
                said
            } else {
                note(
                    format!("{} returns: {}", name_of(&name, "the program"), said.0.content),
                    &turn,
                )
            };
            messages.extend(timed(vec![said], &turn));
        }
        if let Some(message) = failure {
            messages
                .push(note(format!("{} failed: {message}", name_of(&name, "the program")), &turn));
            stop = Some(Stop::ModelFailed { message, is_overflow: false });
        }
    }
    let mut trace =
        parts::assemble(&about.system, &model, messages, about.stop.take().or(stop), report)?;
    trace.tools = tools;
    let About { id, task, score, metadata, started_at, .. } = about;
    let id = if id.is_empty() { (index + 1).to_string() } else { id };
    let began = || (start > 0).then(|| moment::write(start as f64 / 1e6));
    let started_at = started_at.or_else(began);
    Ok(Record { id, task, started_at, score, metadata, ..Record::of(trace) })
}

fn name_of<'a>(name: &'a str, else_: &'a str) -> &'a str {
    if name.is_empty() { else_ } else { name }
}

fn timed(mut said: Vec<Said>, turn: &Turn) -> Vec<Said> {
    for (_, of) in &mut said {
        of.at_ms = turn.at_ms;
    }
    said
}
