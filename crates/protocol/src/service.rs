//! What a worker can be asked, and what it can ask the page.

use serde::Serialize;
use serde::de::DeserializeOwned;
use trace::Step;

use crate::run_end::RunEnd;

/// A request that the other side answers: the type is the request, and names what comes of it.
///
/// Who sends one gets a [`Service::Reply`], and no variant to unwrap. What a worker answers has a
/// handler in one of the engine's lists, what the page answers one in that of its client
/// ([`page`](crate::page)).
pub trait Service: Serialize + DeserializeOwned + 'static {
    /// The name on the wire, as `kg/open` or `page/fetch`: who answers it, and what it does.
    const NAME: &'static str;
    /// What is told before the reply, beside the steps of a run and the progress, which every job
    /// can tell; `()` where that is nothing.
    type Event: Serialize + DeserializeOwned + 'static;
    /// What comes of it.
    type Reply: Serialize + DeserializeOwned + 'static;
    /// Whether the reply leaves out the steps that were sent before it.
    const SENDS_STEPS: bool = false;

    /// Puts the steps that were sent back into the reply.
    fn take_steps(_reply: &mut Self::Reply, _steps: Vec<Step>) {}

    /// The run that a reply ends, with all its steps; the page keeps it. Nothing where it ends none.
    fn run_end(_reply: &Self::Reply) -> Option<RunEnd<'_>> {
        None
    }
}

/// Names requests, their replies, and their events where they have any.
macro_rules! services {
    ($($request:ident, $name:literal => $reply:ty $(; $event:ty)?,)+) => {
        $(impl $crate::Service for $request {
            const NAME: &'static str = $name;
            type Event = services!(@event $($event)?);
            type Reply = $reply;
        })+
    };
    (@event) => { () };
    (@event $event:ty) => { $event };
}
pub(crate) use services;
