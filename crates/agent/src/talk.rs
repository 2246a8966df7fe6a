//! A conversation that a system leads itself, turn by turn, where [`crate::run`] would be one loop.

use llm::{ChatRequest, FinishReason, Message, Model, ToolSpec, Usage, Watch};
use trace::{Asked, Step, StepBody, Stop, Trace};

use crate::run::{hear, limit, name_calls};
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

/// Keeps the trace of a conversation that a system leads.
pub struct Talk<'a> {
    trace: Trace,
    model: &'a dyn Model,
    setting: RunContext<'a>,
    began_ms: f64,
    on_step: &'a mut dyn FnMut(&Step),
}

impl<'a> Talk<'a> {
    /// Begins with a trace, which has the first prompt.
    pub fn new(
        trace: Trace,
        model: &'a dyn Model,
        setting: RunContext<'a>,
        on_step: &'a mut dyn FnMut(&Step),
    ) -> Self {
        let began_ms = setting.clock.now_ms();
        let mut talk = Self { trace, model, setting, began_ms, on_step };
        talk.asks(model);
        talk
    }

    /// Asks another model from here on.
    pub fn asks(&mut self, model: &'a dyn Model) {
        self.model = model;
        self.trace.asked.push(Asked {
            from: self.trace.steps.len(),
            model: model.label(),
            endpoint: model.wire(&ChatRequest::default()).map(|(endpoint, _)| endpoint),
            seed: self.setting.seed,
            role: String::new(),
        });
    }

    /// The trace so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The time since the beginning, in milliseconds.
    pub fn now_ms(&self) -> f64 {
        self.setting.clock.now_ms() - self.began_ms
    }

    /// Adds a step that began at `began_ms` since the beginning.
    pub fn add(&mut self, began_ms: f64, body: StepBody) {
        let by_person = matches!(body, StepBody::Model { .. }) && self.model.is_person();
        let step = Step { at_ms: began_ms, took_ms: self.now_ms() - began_ms, by_person, body };
        (self.on_step)(&step);
        self.trace.steps.push(step);
    }

    /// Says something to the model; `fresh` begins a conversation that knows nothing of the last.
    pub fn say(&mut self, messages: Vec<Message>, fresh: bool) {
        let now = self.now_ms();
        self.add(now, StepBody::Prompt { messages, fresh });
    }

    /// Lets the model answer. Its calls stand in the message; whoever asks answers them.
    ///
    /// # Errors
    /// Why the conversation ends here: a limit, a wish to stop, a model that failed.
    pub async fn ask(&mut self, tools: &[ToolSpec]) -> Result<Message, Stop> {
        if self.setting.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if let Some(stop) = limit(&self.trace, &self.setting.limits, self.now_ms()) {
            return Err(stop);
        }
        for tool in tools {
            if !self.trace.tools.contains(tool) {
                self.trace.tools.push(tool.clone());
            }
        }
        // A stage without tools says so, that the request can be made again from the trace.
        let sent: Vec<String> = tools.iter().map(|t| t.name.clone()).collect();
        let before: Vec<String> =
            self.trace.tools_before(self.trace.steps.len()).into_iter().map(|t| t.name).collect();
        if sent != before {
            let now = self.now_ms();
            let n_tools = self.trace.tools.len();
            let reason = "those of this stage".into();
            self.add(now, StepBody::Choice { tools: sent, n_tools, reason, n_tokens: None });
        }
        let request = ChatRequest {
            messages: self.trace.messages_before(self.trace.steps.len()),
            tools: tools.to_vec(),
            seed: self.setting.seed,
            ..ChatRequest::default()
        };
        let began = self.now_ms();
        let heard = hear(self.model, &request, self.setting.watch, self.setting.cancel).await;
        for text in heard.notes {
            self.add(began, StepBody::Note { text });
        }
        let request_hash = heard.request_hash;
        match heard.answer {
            Ok(response) => {
                let mut message = response.message;
                arguments::bound(&mut message);
                name_calls(&self.trace, &mut message);
                let (finish, usage) = (response.finish, response.usage);
                let body =
                    StepBody::Model { message: message.clone(), finish, usage, request_hash };
                self.add(began, body);
                Ok(message)
            }
            Err(stop) => {
                if let Some(mut message) = heard.partial {
                    arguments::bound(&mut message);
                    let (finish, usage) = (FinishReason::Stopped, Usage::default());
                    self.add(began, StepBody::Model { message, finish, usage, request_hash });
                }
                Err(stop)
            }
        }
    }

    /// Ends the conversation.
    pub fn end(mut self, stop: Stop) -> Trace {
        self.trace.stop = Some(stop);
        self.trace
    }
}
