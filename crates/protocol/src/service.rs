//! What a worker can be asked.

use serde::Serialize;
use serde::de::DeserializeOwned;
use trace::Step;

/// A request that a worker answers: the type is the request, and names what comes of it.
///
/// A page that sends one gets a [`Service::Reply`], and no variant to unwrap. The worker's side is a
/// handler in one of the engine's lists.
pub trait Service: Serialize + DeserializeOwned + 'static {
    /// The name on the wire, as `kg/open`: which list of the engine it is in, and what it does.
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
