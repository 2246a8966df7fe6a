//! Anything that answers a conversation: an endpoint, a script, a model in this process.

use std::future::Future;
use std::pin::Pin;

use crate::{ChatRequest, ChatResponse, ModelError};

/// A future that stays on its thread; a page has only one.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Something that answers a conversation.
pub trait Model {
    /// Its name for people; a script says so in it.
    fn label(&self) -> String;

    /// Answers.
    ///
    /// # Errors
    /// No answer came. What a model gets wrong in its answer is no error.
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>>;
}
