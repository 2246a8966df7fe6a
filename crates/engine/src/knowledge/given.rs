//! A plan that a person wrote.

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Usage, Watch,
};

/// A person's plan in the planner's place; the answer is another model's.
pub(super) struct Given {
    pub(super) plan: String,
    pub(super) then: Box<dyn Model>,
}

impl Model for Given {
    fn label(&self) -> String {
        format!("a plan by hand, then {}", self.then.label())
    }

    fn wire(&self, request: &ChatRequest) -> Option<(llm::Endpoint, String)> {
        if is_planning(request) { None } else { self.then.wire(request) }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        if !is_planning(request) {
            return self.then.complete(request, watch);
        }
        let message = Message::assistant(self.plan.clone());
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        Box::pin(std::future::ready(Ok(ChatResponse { message, finish, usage })))
    }
}

/// Whether a request is for a plan: those begin with the planner's rules.
fn is_planning(request: &ChatRequest) -> bool {
    request.messages.first().is_some_and(|m| m.content.starts_with("You plan how"))
}
