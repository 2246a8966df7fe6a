//! What a person gives a run by hand: a plan, and replies to what was asked back.

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Usage, Watch,
};
use serde::{Deserialize, Serialize};

use crate::Exchange;
use crate::graphrunner::is_planning;

/// What a person gives beside the question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KgByHand {
    /// A plan in the place of the model's; the model then only answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What the model asked back in earlier runs, and what the person replied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<Exchange>,
}

/// A person's plan in the planner's place; the answer is another model's.
pub(super) struct PlanByHand<'a> {
    pub(super) plan: String,
    pub(super) then: &'a dyn Model,
}

impl Model for PlanByHand<'_> {
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
