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

/// Handlers on their way; words say why they do not come.
pub type Loading<A> = BoxFuture<'static, Result<&'static [Handler<A>], String>>;

/// Handlers that an engine has.
pub enum List<A: 'static> {
    /// They are at hand.
    Here(&'static [Handler<A>]),
    /// Their code is loaded with the first request that one of them answers.
    Later {
        /// The names of the requests.
        names: &'static [&'static str],
        /// Loads them. To ask again, after they did not come, tries again.
        load: fn() -> Loading<A>,
    },
}

impl<A> Clone for List<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for List<A> {}

impl<A> List<A> {
    /// The names of the requests that they answer.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Here(handlers) => handlers.iter().map(|h| h.name).collect(),
            Self::Later { names, .. } => names.to_vec(),
        }
    }

    /// The handler of that name, once it is loaded.
    pub(crate) async fn handler(self, name: &str) -> Result<&'static Handler<A>, String> {
        let handlers = match self {
            Self::Here(handlers) => handlers,
            Self::Later { load, .. } => load().await?,
        };
        handlers.iter().find(|h| h.name == name).ok_or_else(|| unanswered(name))
    }
}

/// What is said of a request that no list has.
pub(crate) fn unanswered(name: &str) -> String {
    format!("internal error: this engine does not answer {name}")
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
