//! What answers a request, found by its name.

use llm::BoxFuture;
use protocol::Service;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::{Context, Ended};

/// A request, an event or a reply on its way: whoever carries it writes it in its own form.
pub struct Payload(Box<dyn erased_serde::Serialize>);

impl Payload {
    pub(crate) fn new(value: impl Serialize + 'static) -> Self {
        Self(Box::new(value))
    }
}

impl Serialize for Payload {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.0, to)
    }
}

/// A request that has arrived and is not read yet, in whatever form.
pub trait Arrived: 'static {
    /// Reads it.
    ///
    /// # Errors
    /// It is another request, in words.
    fn read<T: DeserializeOwned>(self) -> Result<T, String>;
}

type Answer<A> = fn(Context, A) -> BoxFuture<'static, Result<Payload, Ended>>;

/// What answers one kind of request.
pub struct Handler<A: 'static> {
    /// The name of the request.
    pub name: &'static str,
    pub(crate) answer: Answer<A>,
}

/// Reads a request, answers it, and packs the reply.
pub(crate) async fn answer<S: Service>(
    context: Context,
    arrived: impl Arrived,
    handler: impl AsyncFnOnce(&Context, S) -> Result<S::Reply, Ended>,
) -> Result<Payload, Ended> {
    let ask: S = arrived.read().map_err(|error| {
        // The page and the worker are of one build.
        Ended::Failed(format!("internal error: {} cannot be read: {error}", S::NAME))
    })?;
    handler(&context, ask).await.map(Payload::new)
}

/// A list of handlers: the request's type, and the function `async fn(&Context, Request) ->
/// Result<Reply, Ended>` that answers it.
macro_rules! handlers {
    ($($request:ty => $handler:expr,)+) => {
        &[$($crate::Handler {
            name: <$request as protocol::Service>::NAME,
            answer: |context, arrived| {
                Box::pin($crate::handler::answer::<$request>(context, arrived, $handler))
            },
        }),+]
    };
}
pub(crate) use handlers;
