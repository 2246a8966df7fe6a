//! A person in the model's place: the same conversation, the same tools.

use llm::{BoxFuture, ChatRequest, ChatResponse, FinishReason, Model, ModelError, Usage, Watch};
use protocol::page::AskPerson;

use crate::context::Context;

/// Asks the page, and waits for what the person says.
pub(crate) struct Person {
    context: Context,
}

impl Person {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

impl Model for Person {
    fn label(&self) -> String {
        "You".into()
    }

    fn is_person(&self) -> bool {
        true
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let message = self.context.ask(&AskPerson { tools: request.tools.clone() }).await?;
            let finish = if message.tool_calls.is_empty() {
                FinishReason::Stop
            } else {
                FinishReason::ToolCalls
            };
            // A person counts no tokens.
            Ok(ChatResponse { message, finish, usage: Usage::default() })
        })
    }
}
