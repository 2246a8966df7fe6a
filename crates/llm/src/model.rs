//! Anything that answers a conversation: an endpoint, a script, a model in this process.

use std::future::Future;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

use crate::{ChatRequest, ChatResponse, Endpoint, Message, ModelError, ReplyShape};

/// A future that stays on its thread; a page has only one.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A piece of an answer while it comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// More of the text.
    Text {
        /// The characters that came, to be put behind those before.
        text: String,
    },
    /// More of what the model thinks before it speaks.
    Reasoning {
        /// The characters that came, to be put behind those before.
        text: String,
    },
    /// More of a tool call.
    Call {
        /// Which call of this turn, counted from 0.
        index: usize,
        /// Its name, once it is known.
        name: String,
        /// The piece of its arguments.
        arguments: String,
    },
    /// The question is asked again; what came before of this turn is void.
    Retry {
        /// Which attempt begins, counted from 2.
        attempt: u32,
        /// Milliseconds that are waited before it.
        wait_ms: f64,
        /// What the endpoint or the transport said.
        reason: String,
        /// Whether the endpoint asked for fewer questions at a time.
        #[serde(default)]
        is_too_fast: bool,
    },
}

/// Sees an answer while it comes.
pub trait Watch {
    /// Takes a piece of the answer, in the order in which pieces come.
    fn part(&self, part: Part);
}

/// Ignores every piece.
impl Watch for () {
    fn part(&self, _: Part) {}
}

/// Something that answers a conversation.
pub trait Model {
    /// Its name for people; a script says so in it.
    fn label(&self) -> String;

    /// Whether a person answers in the model's place.
    fn is_person(&self) -> bool {
        false
    }

    /// Whether it knows nodes by their numbers alone: it was made for questions about nodes 0 to n - 1.
    fn knows_numbers_alone(&self) -> bool {
        false
    }

    /// Where a question would go and the bytes that would be sent, for a model that is sent any. The
    /// endpoint comes without its address: that is nobody's business but the person's.
    fn wire(&self, _request: &ChatRequest) -> Option<(Endpoint, String)> {
        None
    }

    /// Whether it holds replies to [`ChatRequest::reply_shape`]. A question to one that does not need
    /// not say a shape.
    fn constrains(&self) -> bool {
        false
    }

    /// The shape that all its replies are held to, where it has one.
    fn reply_shape(&self) -> Option<&ReplyShape> {
        None
    }

    /// What has come of an answer, without the key of the endpoint, which a model may repeat. What
    /// [`Model::complete`] gives is clean; this is for an answer that was stopped.
    fn clean(&self, partial: Message) -> BoxFuture<'_, Message> {
        Box::pin(async { partial })
    }

    /// Answers; shows what comes to `watch` as it comes.
    ///
    /// # Errors
    /// No answer came. What a model gets wrong in its answer is no error.
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>>;
}

/// A model whose replies are all asked for in one shape.
pub struct Shaped<'m> {
    model: &'m dyn Model,
    shape: ReplyShape,
}

impl<'m> Shaped<'m> {
    /// Asks a model in a shape, if it is one that holds its replies to shapes.
    pub fn of(model: &'m dyn Model, shape: impl FnOnce() -> ReplyShape) -> Option<Self> {
        model.constrains().then(|| Self { model, shape: shape() })
    }

    fn request(&self, request: &ChatRequest) -> ChatRequest {
        ChatRequest { reply_shape: Some(self.shape.clone()), ..request.clone() }
    }
}

impl Model for Shaped<'_> {
    fn label(&self) -> String {
        self.model.label()
    }

    fn is_person(&self) -> bool {
        self.model.is_person()
    }

    fn wire(&self, request: &ChatRequest) -> Option<(Endpoint, String)> {
        self.model.wire(&self.request(request))
    }

    fn constrains(&self) -> bool {
        true
    }

    fn reply_shape(&self) -> Option<&ReplyShape> {
        Some(&self.shape)
    }

    fn clean(&self, partial: Message) -> BoxFuture<'_, Message> {
        self.model.clean(partial)
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move { self.model.complete(&self.request(request), watch).await })
    }
}
