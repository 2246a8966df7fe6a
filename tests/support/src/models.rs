use std::cell::{Ref, RefCell};
use std::collections::VecDeque;

use agent::{Cancel, Limits, RunContext};
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, ToolCall,
    Usage, Watch,
};

/// A model that says its lines in order, and keeps what it is asked. It fails where no line is left.
#[derive(Default)]
pub struct Lines {
    lines: RefCell<VecDeque<Message>>,
    asked: RefCell<Vec<ChatRequest>>,
    usage: Usage,
    repeats: bool,
}

impl Lines {
    /// A model with these lines.
    pub fn new(lines: impl IntoIterator<Item = Message>) -> Self {
        Self { lines: RefCell::new(lines.into_iter().collect()), ..Self::default() }
    }

    /// A model that says these texts, the last one for ever.
    pub fn repeating_the_last(texts: &[&str]) -> Self {
        let lines = texts.iter().map(|text| Message::assistant(*text));
        Self { repeats: true, ..Self::new(lines) }
    }

    /// The same, where each answer costs so many tokens.
    #[must_use]
    pub fn costing(self, input_tokens: u64, output_tokens: u64) -> Self {
        let (input_tokens, output_tokens) = (Some(input_tokens), Some(output_tokens));
        Self { usage: Usage { input_tokens, output_tokens, ..Usage::default() }, ..self }
    }

    /// All that it was asked so far.
    pub fn asked(&self) -> Ref<'_, Vec<ChatRequest>> {
        self.asked.borrow()
    }

    /// How many lines it has not said yet.
    pub fn n_left(&self) -> usize {
        self.lines.borrow().len()
    }
}

impl Model for Lines {
    fn label(&self) -> String {
        "lines".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        // Every call must have been answered before the model is asked again.
        let n_calls: usize = request.messages.iter().map(|m| m.tool_calls.len()).sum();
        let n_answers = request.messages.iter().filter(|m| m.role == Role::Tool).count();
        assert_eq!(n_calls, n_answers);
        self.asked.borrow_mut().push(request.clone());
        let mut lines = self.lines.borrow_mut();
        let is_last = lines.len() == 1;
        let line = if self.repeats && is_last { lines.front().cloned() } else { lines.pop_front() };
        let answer = line
            .map(|message| ChatResponse { message, finish: FinishReason::Stop, usage: self.usage })
            .ok_or_else(|| ModelError::Scripted("no lines left".into()));
        Box::pin(std::future::ready(answer))
    }
}

/// A turn of a model that calls tools by their names, with arguments as it wrote them.
pub fn calling(calls: &[(&str, &str)]) -> Message {
    let call = |(i, (name, arguments)): (usize, &(&str, &str))| ToolCall {
        id: format!("c{i}"),
        name: (*name).into(),
        arguments: (*arguments).into(),
    };
    let tool_calls = calls.iter().enumerate().map(call).collect();
    Message { tool_calls, ..Message::assistant("") }
}

/// Where no time passes, nobody watches, and the limits are the usual ones.
pub fn context(cancel: &Cancel) -> RunContext<'_> {
    RunContext { limits: Limits::default(), seed: None, clock: &|| 0.0, cancel, watch: &() }
}
