//! A conversation with a model, turn by turn, kept as a trace.

use futures_util::future::join_all;
use llm::{ChatRequest, FinishReason, Message, Model, ToolChoice, ToolSpec, TurnEnd, Usage, Watch};
use serde::Serialize;
use serde::de::DeserializeOwned;
use trace::{Asked, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

use crate::dropped::dropped_tools;
use crate::hearing::{Heard, hear};
use crate::left::take_out;
use crate::{Cancel, Clock, Limits, arguments};

/// What a conversation needs of the place that it happens in.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// How far it may go.
    pub limits: Limits,
    /// A sampling seed, for endpoints that take one.
    pub seed: Option<u64>,
    /// The time.
    pub clock: &'a dyn Clock,
    /// A wish to stop.
    pub cancel: &'a Cancel,
    /// Sees each answer while it comes; `&()` looks away.
    pub watch: &'a dyn Watch,
}

/// A conversation that its caller leads: says something, lets the model answer, answers its calls.
/// All of it is in the trace. [`crate::run`] leads one with tools until the model has answered.
pub struct Conversation<'a> {
    trace: Trace,
    model: &'a dyn Model,
    context: RunContext<'a>,
    began_ms: f64,
    /// The time of the steps that were there at the beginning.
    before_ms: f64,
    on_step: &'a mut dyn FnMut(&Step),
    /// The models whose endpoints were seen to leave the tools out.
    told_dropped: Vec<String>,
    /// The most tokens of the next reply, after one whose call was cut off.
    room: Option<u64>,
    /// Whether the next reply has to be a call.
    tool_choice: ToolChoice,
}

impl<'a> Conversation<'a> {
    /// Goes on where a trace ends, which has at least what was said first.
    pub fn new(
        start: Trace,
        model: &'a dyn Model,
        context: RunContext<'a>,
        on_step: &'a mut dyn FnMut(&Step),
    ) -> Self {
        let trace = Trace { model: model.label(), stop: None, ..start };
        let before_ms = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
        let began_ms = context.clock.now_ms();
        let (told_dropped, room, tool_choice) = (Vec::new(), None, ToolChoice::Auto);
        let mut conversation = Self {
            trace,
            model,
            context,
            began_ms,
            before_ms,
            on_step,
            told_dropped,
            room,
            tool_choice,
        };
        conversation.asks(model);
        conversation
    }

    /// Asks another model from here on.
    pub fn asks(&mut self, model: &'a dyn Model) {
        self.model = model;
        let tool_choice = self.tool_choice;
        let asked = asked(self.trace.steps.len(), model, self.context.seed);
        self.trace.asked.push(Asked { tool_choice, ..asked });
    }

    /// Says whether the next replies have to be calls. The trace keeps it.
    pub fn must_call(&mut self, must: bool) {
        let tool_choice = if must { ToolChoice::Required } else { ToolChoice::Auto };
        if tool_choice == self.tool_choice {
            return;
        }
        self.tool_choice = tool_choice;
        // Nothing was asked yet in the way that this replaces.
        let n_steps = self.trace.steps.len();
        self.trace.asked.pop_if(|asked| asked.from == n_steps);
        self.asks(self.model);
    }

    /// Whether the model that is asked holds its replies to a shape.
    pub fn constrains(&self) -> bool {
        self.model.constrains()
    }

    /// The trace so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The time on the clock of the trace, in milliseconds: it goes on where the last step ended.
    pub fn now_ms(&self) -> f64 {
        self.context.clock.now_ms() - self.began_ms + self.before_ms
    }

    /// Adds a step that began at `began_ms` on the clock of the trace.
    pub fn add(&mut self, began_ms: f64, body: StepBody) {
        self.add_timed(began_ms, self.now_ms() - began_ms, body);
    }

    /// Adds a step that began at `began_ms` on the clock of the trace and took `took_ms`, where
    /// several things happened at the same time.
    pub fn add_timed(&mut self, began_ms: f64, took_ms: f64, body: StepBody) {
        let by_person = matches!(body, StepBody::Model { .. }) && self.model.is_person();
        self.push(Step { at_ms: began_ms, took_ms, by_person, body });
    }

    /// Adds what a person did in the run's place.
    pub fn add_by_person(&mut self, began_ms: f64, body: StepBody) {
        let took_ms = self.now_ms() - began_ms;
        self.push(Step { at_ms: began_ms, took_ms, by_person: true, body });
    }

    /// Adds a call without the keys of the endpoint that is asked: a tool may join what no model said
    /// whole.
    pub async fn add_clean(&mut self, began_ms: f64, took_ms: f64, body: StepBody) {
        let text = "a call is left out: there was a key in it".to_owned();
        let body = clean(self.model, body).await.unwrap_or(StepBody::Note { text });
        self.add_timed(began_ms, took_ms, body);
    }

    /// A text without the keys of the endpoint that is asked.
    pub async fn clean_text(&self, text: String) -> String {
        self.model.clean(Message::assistant(text)).await.content
    }

    /// A tool's result without the keys of the endpoint that is asked.
    pub async fn clean_result(&self, result: ToolResult) -> ToolResult {
        clean(self.model, result).await.unwrap_or_else(|| {
            let (kind, code) = (MistakeKind::Library, "key".to_owned());
            let message = "the result is left out: there was a key in it".to_owned();
            ToolResult::Error(ToolError { kind, code, message, witness: None })
        })
    }

    fn push(&mut self, step: Step) {
        (self.on_step)(&step);
        self.trace.steps.push(step);
    }

    /// Says something to the model; `fresh` begins a conversation that knows nothing of the last.
    pub fn say(&mut self, messages: Vec<Message>, fresh: bool) {
        self.add(self.now_ms(), StepBody::Prompt { messages, fresh });
    }

    /// Lets the model answer. Its calls stand in the message; whoever asks answers them.
    ///
    /// # Errors
    /// Why the conversation ends here: a limit, a wish to stop, a model that failed, an answer that was
    /// cut off, refused or empty. What had come of the answer is a step all the same: it may be all that
    /// there is to see.
    pub async fn ask(&mut self, tools: &[ToolSpec]) -> Result<Message, Stop> {
        let RunContext { limits, seed, cancel, watch, .. } = self.context;
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if let Some(stop) = limit(&self.trace, &limits, self.now_ms() - self.before_ms) {
            return Err(stop);
        }
        self.offer(tools);
        let request = ChatRequest {
            messages: self.trace.messages_before(self.trace.steps.len()),
            tools: tools.to_vec(),
            tool_choice: self.tool_choice,
            seed,
            ..ChatRequest::default()
        };
        let room = self.room.take();
        let began = self.now_ms();
        let roomy = ChatRequest { max_tokens: room, ..request.clone() };
        let mut heard = hear(self.model, &roomy, watch, cancel).await;
        if room.is_some() && matches!(heard.answer, Err(Stop::ModelFailed { .. })) {
            // The endpoint does not give that much.
            heard = hear(self.model, &request, watch, cancel).await;
        }
        let took_ms = self.now_ms() - began;
        self.take(tools, heard, began, took_ms)
    }

    /// Whether the limit on tokens cut off the call that the model made last. Its next reply has more
    /// room, once.
    pub(crate) fn was_call_cut(&mut self) -> bool {
        let last = self.trace.steps.iter().rev().find_map(|s| match &s.body {
            StepBody::Model { finish, usage, .. } => Some((finish, usage.output_tokens)),
            _ => None,
        });
        let Some((FinishReason::Length, used)) = last else { return false };
        self.room = Some(used.unwrap_or(0).saturating_mul(4).clamp(MIN_ROOM, MAX_ROOM));
        true
    }

    /// What the model said last, also where that is no answer: it was cut off.
    pub fn last_said(&self) -> &str {
        let said = self.trace.steps.iter().rev().find_map(|s| match &s.body {
            StepBody::Model { message, .. } => Some(message.content.as_str()),
            _ => None,
        });
        said.unwrap_or_default()
    }

    /// Asks several questions at the same time, each of which begins a conversation of its own. The
    /// trace has them one after the other, each with the time that it began at and took. Where there
    /// are several, nobody sees the answers come: they would come mixed.
    ///
    /// # Errors
    /// A limit or a wish to stop, before anything is asked. What comes of each question is its own
    /// result; limits are not among them.
    pub async fn ask_each(
        &mut self,
        questions: &[FreshQuestion<'a>],
    ) -> Result<Vec<Result<Message, Stop>>, Stop> {
        let RunContext { limits, seed, clock, cancel, watch } = self.context;
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if let Some(stop) = limit(&self.trace, &limits, self.now_ms() - self.before_ms) {
            return Err(stop);
        }
        let began = self.now_ms();
        let began_on_clock = clock.now_ms();
        let watch: &dyn Watch = if questions.len() == 1 { watch } else { &() };
        let mut said = Vec::new();
        for question in questions {
            let mut messages = Vec::new();
            for message in &question.messages {
                messages.push(question.model.clean(message.clone()).await);
            }
            said.push(messages);
        }
        let heard = questions.iter().zip(&said).map(|(question, messages)| async move {
            let request = ChatRequest {
                messages: messages.clone(),
                tools: question.tools.clone(),
                seed: seed.map(|seed| seed.wrapping_add(question.sample)),
                temperature: question.temperature,
                tool_choice: question.tool_choice,
                ..ChatRequest::default()
            };
            let heard = hear(question.model, &request, watch, cancel).await;
            (heard, clock.now_ms() - began_on_clock)
        });
        let heard = join_all(heard).await;
        let mut answers = Vec::new();
        for ((question, messages), (heard, took_ms)) in questions.iter().zip(said).zip(heard) {
            self.model = question.model;
            let seed = seed.map(|seed| seed.wrapping_add(question.sample));
            let asked = Asked {
                role: question.role.to_owned(),
                temperature: question.temperature,
                tool_choice: question.tool_choice,
                ..asked(self.trace.steps.len(), question.model, seed)
            };
            self.trace.asked.push(asked);
            self.offer(&question.tools);
            self.add(began, StepBody::Prompt { messages, fresh: true });
            answers.push(self.take(&question.tools, heard, began, took_ms));
        }
        Ok(answers)
    }

    /// Puts what came of a question into the trace.
    fn take(
        &mut self,
        tools: &[ToolSpec],
        heard: Heard,
        began: f64,
        took_ms: f64,
    ) -> Result<Message, Stop> {
        for text in heard.notes {
            self.add_timed(began, took_ms, StepBody::Note { text });
        }
        let request_hash = heard.request_hash;
        let (mut message, finish, usage, stop) = match heard.answer {
            Ok(answer) => (answer.message, answer.finish, answer.usage, None),
            Err(stop) => match heard.partial {
                Some(message) => (message, FinishReason::Stopped, Usage::default(), Some(stop)),
                None => return Err(stop),
            },
        };
        let left = stop.is_none().then(|| take_out(&mut message, &finish, tools)).flatten();
        arguments::bound(&mut message);
        name_calls(&self.trace, &mut message);
        self.check_tools(tools, &usage);
        let end = TurnEnd::of(&message, &finish);
        let body = StepBody::Model { message: message.clone(), finish, usage, request_hash };
        self.add_timed(began, took_ms, body);
        let ended = match &end {
            TurnEnd::CutOff => Some("the answer was cut off at the limit on tokens".to_owned()),
            TurnEnd::Empty if stop.is_none() => {
                Some("the model said nothing: no text and no call".to_owned())
            }
            TurnEnd::Refused { reason } => Some(format!("the answer was refused: {reason}")),
            TurnEnd::Failed { reason } if end.is_bad_call() => {
                Some(format!("the endpoint could not read the model's call: {reason}"))
            }
            _ => None,
        };
        for text in left.into_iter().chain(ended) {
            self.add(self.now_ms(), StepBody::Note { text });
        }
        match (stop, end) {
            (Some(stop), _) => Err(stop),
            (None, TurnEnd::Answered | TurnEnd::Called) => Ok(message),
            (None, end) if end.is_bad_call() => Err(Stop::Empty),
            (None, end) => Err(end.into()),
        }
    }

    /// Says once of each model that its endpoint leaves the tools out, where that is seen.
    fn check_tools(&mut self, tools: &[ToolSpec], usage: &Usage) {
        if tools.is_empty() || self.told_dropped.iter().any(|model| *model == self.model.label()) {
            return;
        }
        let endpoint = self.model.wire(&ChatRequest::default()).map(|(endpoint, _)| endpoint);
        if endpoint.is_none_or(|endpoint| !endpoint.options.tool_style.is_native()) {
            return;
        }
        if let Some(finding) = dropped_tools(tools, usage) {
            self.told_dropped.push(self.model.label());
            let stage = "what the endpoint read".to_owned();
            self.add(self.now_ms(), StepBody::Findings { stage, findings: vec![finding] });
        }
    }

    /// Keeps which tools the model has in its next turn, that the request can be made again from the
    /// trace. A turn without tools says so.
    fn offer(&mut self, tools: &[ToolSpec]) {
        for tool in tools {
            if !self.trace.tools.contains(tool) {
                self.trace.tools.push(tool.clone());
            }
        }
        let before = self.trace.tools_before(self.trace.steps.len());
        if !tools.iter().map(|t| &t.name).eq(before.iter().map(|t| &t.name)) {
            let (n_tools, reason) = (self.trace.tools.len(), "those of this stage".into());
            let tools = tools.iter().map(|t| t.name.clone()).collect();
            self.add(self.now_ms(), StepBody::Choice { tools, n_tools, reason, n_tokens: None });
        }
    }

    /// Ends the conversation.
    pub fn end(self, stop: Stop) -> Trace {
        Trace { stop: Some(stop), ..self.trace }
    }
}

/// A question that begins a conversation of its own, and how it is asked.
#[derive(Clone)]
pub struct FreshQuestion<'a> {
    /// Who is asked.
    pub model: &'a dyn Model,
    /// The role that it plays.
    pub role: &'a str,
    /// All that is said.
    pub messages: Vec<Message>,
    /// What may be called.
    pub tools: Vec<ToolSpec>,
    /// The sampling temperature; absent leaves it to the endpoint.
    pub temperature: Option<f64>,
    /// Whether a tool must be called.
    pub tool_choice: ToolChoice,
    /// Which of several answers to the same question it is for: each has its own seed.
    pub sample: u64,
}

/// Something without the keys of a model's endpoint; nothing if it cannot be read without them.
async fn clean<T: Serialize + DeserializeOwned>(model: &dyn Model, dirty: T) -> Option<T> {
    let text = serde_json::to_string(&dirty).ok()?;
    let clean = model.clean(Message::assistant(text.clone())).await.content;
    if clean == text {
        return Some(dirty);
    }
    serde_json::from_str(&clean).ok()
}

fn asked(from: usize, model: &dyn Model, seed: Option<u64>) -> Asked {
    Asked {
        from,
        model: model.label(),
        endpoint: model.wire(&ChatRequest::default()).map(|(endpoint, _)| endpoint),
        seed,
        role: String::new(),
        temperature: None,
        tool_choice: ToolChoice::Auto,
        reply_shape: model.reply_shape().cloned(),
    }
}

/// Gives an id to calls that have none or one that was there before: some servers send none, and a
/// result is joined to its call by nothing else.
fn name_calls(trace: &Trace, message: &mut Message) {
    let mut used: Vec<String> = trace
        .steps
        .iter()
        .filter_map(|s| match &s.body {
            StepBody::Call { call, .. } => Some(call.id.clone()),
            _ => None,
        })
        .collect();
    for call in &mut message.tool_calls {
        if call.id.is_empty() || used.contains(&call.id) {
            let mut n = used.len() + 1;
            while used.contains(&format!("call_{n}")) {
                n += 1;
            }
            call.id = format!("call_{n}");
        }
        used.push(call.id.clone());
    }
}

fn limit(trace: &Trace, limits: &Limits, elapsed_ms: f64) -> Option<Stop> {
    if trace.n_rounds() >= limits.max_rounds as usize {
        return Some(Stop::Rounds);
    }
    if limits.deadline_ms.is_some_and(|d| elapsed_ms > d) {
        return Some(Stop::Deadline);
    }
    let used = trace.usage().total().unwrap_or(0);
    // Where the endpoint reports no tokens, or too few, there are still no more letters than fit into them.
    let is_over = |max: u64| {
        used > max || count_written_bytes(trace) > max.saturating_mul(MOST_BYTES_A_TOKEN)
    };
    limits.max_tokens.is_some_and(is_over).then_some(Stop::Tokens)
}

/// The least and the most tokens of a reply after one that was cut off.
const MIN_ROOM: u64 = 8_192;
const MAX_ROOM: u64 = 65_536;

/// More bytes than any text has for each of its tokens; prose has about four.
const MOST_BYTES_A_TOKEN: u64 = 40;

/// The bytes that the model has said in all, thoughts and arguments included.
fn count_written_bytes(trace: &Trace) -> u64 {
    let of = |message: &Message| {
        let thoughts = message.reasoning.as_ref().map_or(0, String::len);
        let calls: usize = message.tool_calls.iter().map(|c| c.arguments.len()).sum();
        (message.content.len() + thoughts + calls) as u64
    };
    let turns = trace.steps.iter().filter_map(|s| match &s.body {
        StepBody::Model { message, .. } => Some(of(message)),
        _ => None,
    });
    turns.sum()
}
