//! What a worker asks of the page, and what answers it.

use std::marker::PhantomData;

use js_sys::ArrayBuffer;
use llm::HttpResponse;
use llm::scrub::CleanParts;
use protocol::page::{AnswerQuery, AskPerson, Clean, Fetch, RunPython, SendWeights, SupplyData};
use protocol::{Control, Service, ToWorker};
use serde::Serialize;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::told::{Beside, Wish};
use super::{EngineClient, engines};
use crate::services::{own_model, python, transport};

/// A question of a worker.
#[derive(Clone)]
struct Place {
    client: EngineClient,
    job: u32,
    ask: u32,
    /// Ends what is done for the answer.
    abort: AbortController,
}

impl Place {
    /// Sends the final answer, if the job still waits for it.
    fn reply(&self, reply: Result<String, String>, bytes: Vec<(String, ArrayBuffer)>) {
        let open = self.client.with_job(self.job, |job| job.asks.remove(&self.ask));
        if open.flatten().is_some() {
            let control = ToWorker::Control(Control::Reply { ask: self.ask, reply });
            self.client.send(self.job, &control, &Beside { bytes, ..Beside::default() });
        }
    }

    fn part(&self, part: Result<String, String>) {
        let is_open = self.client.with_job(self.job, |job| job.asks.contains_key(&self.ask));
        match part {
            Ok(part) if is_open == Some(true) => {
                self.client.control(self.job, Control::Part { ask: self.ask, part });
            }
            Ok(_) => {}
            Err(why) => self.reply(Err(why), Vec::new()),
        }
    }
}

/// The way back of an answer.
pub(crate) struct Back<S: Service> {
    place: Place,
    of: PhantomData<fn() -> S>,
}

impl<S: Service> Back<S> {
    /// Answers, or says why there is no answer.
    pub(crate) fn reply(&self, reply: Result<S::Reply, String>) {
        self.reply_with(reply, Vec::new());
    }

    fn reply_with(&self, reply: Result<S::Reply, String>, bytes: Vec<(String, ArrayBuffer)>) {
        self.place.reply(reply.and_then(|reply| written(S::NAME, &reply)), bytes);
    }

    /// Gives a part of the answer.
    fn part(&self, part: &S::Event) {
        self.place.part(written(S::NAME, part));
    }

    /// Leaves the answer to the page that shows the job.
    fn leave(self, wish: impl FnOnce(Self) -> Wish) {
        let on_wish = self.place.client.with_job(self.place.job, |job| job.on_wish.clone());
        match on_wish.flatten() {
            Some(on_wish) => on_wish(wish(self)),
            // Nobody may wait for an answer that never comes.
            None => self.reply(Err(format!("internal error: nobody here answers {}", S::NAME))),
        }
    }
}

fn written(service: &str, value: &impl Serialize) -> Result<String, String> {
    let failed = |e| format!("internal error: the answer to {service} cannot be written: {e}");
    serde_json::to_string(value).map_err(failed)
}

/// What answers one kind of question.
struct Answer {
    name: &'static str,
    /// Begins to answer.
    begin: fn(&str, Place) -> serde_json::Result<()>,
}

macro_rules! answers {
    ($($request:ty => $begin:expr,)+) => {
        [$(Answer {
            name: <$request as Service>::NAME,
            begin: |text, place| {
                let begin: fn($request, Back<$request>) = $begin;
                begin(serde_json::from_str(text)?, Back { place, of: PhantomData });
                Ok(())
            },
        }),+]
    };
}

/// Everything that a worker can ask.
static ANSWERS: [Answer; 7] = answers! {
    AskPerson => |asked, back| back.leave(|back| Wish::Person(asked, back)),
    SupplyData => |asked, back| back.leave(|back| Wish::Supply(asked, back)),
    Fetch => fetch,
    Clean => |asked, back| back.reply(Ok(transport::scrub(&asked.endpoint).outcome(asked.outcome))),
    RunPython => |asked, back| spawn_local(async move {
        back.reply(Ok(python::run(asked.request).await));
    }),
    AnswerQuery => |asked, back| spawn_local(async move {
        back.reply(engines::answer_query(asked.question).await);
    }),
    SendWeights => |asked, back| spawn_local(async move {
        match own_model::weights(asked.weights).await {
            Ok(bytes) => back.reply_with(Ok(()), vec![(asked.weights.path().to_owned(), bytes)]),
            Err(why) => back.reply(Err(why)),
        }
    }),
};

/// Sends what a worker asks for, with the key that only the page has.
fn fetch(asked: Fetch, back: Back<Fetch>) {
    let Fetch { endpoint, request, streams } = asked;
    back.place.client.with_job(back.place.job, |job| {
        job.clean = Some(CleanParts::new(transport::scrub(&endpoint)));
    });
    spawn_local(async move {
        let abort = &back.place.abort;
        let result = if streams {
            let on_part = |part| {
                back.part(&part);
                true
            };
            let ended = transport::stream(&endpoint, request, abort, on_part).await;
            ended.map(|()| HttpResponse::default())
        } else {
            transport::send(&endpoint, request, abort).await
        };
        back.reply(Ok(result));
    });
}

impl EngineClient {
    /// Begins to answer what a job asks. One that has ended meanwhile asks for nothing more.
    pub(super) fn answer(&self, job: u32, ask: u32, service: &str, request: &str) {
        let Ok(abort) = AbortController::new() else {
            let reply = Err("this browser is too old".into());
            return self.control(job, Control::Reply { ask, reply });
        };
        if self.with_job(job, |job| job.asks.insert(ask, abort.clone())).is_none() {
            return;
        }
        let place = Place { client: self.clone(), job, ask, abort };
        let begun = match ANSWERS.iter().find(|answer| answer.name == service) {
            Some(answer) => (answer.begin)(request, place.clone())
                .map_err(|e| format!("internal error: {service} cannot be read: {e}")),
            None => Err(format!("internal error: this page does not answer {service}")),
        };
        if let Err(why) = begun {
            place.reply(Err(why), Vec::new());
        }
    }
}
