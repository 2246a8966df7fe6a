//! A run that goes on: its job, what it says meanwhile, the walk over its steps. Every page that runs
//! something has one, and here is the one loop over a job's events.

use std::cell::Cell;
use std::sync::Arc;

use futures_channel::oneshot;
use leptos::prelude::*;
use llm::{Message, ToolSpec};
use protocol::Service;
use protocol::page::{AskPerson, SupplyData};
use trace::Step;

use crate::services::engine_client::{Back, Beside, EngineClient, Heard, JobHandle, NoReply, Wish};
use crate::services::kept_runs::KeptRuns;
use crate::services::playback;
use crate::state::live::Live;
use crate::state::stored::Keeping;
use crate::state::story::Steps;

/// What a job tells of itself that a page acts on.
pub(crate) enum Happening<S: Service> {
    /// How far it is, of how many.
    Progress(usize, usize),
    /// What its service tells on the way.
    Event(S::Event),
    /// Data, and perhaps a model for them, are called that may be next to the page.
    Supply(SupplyData, Back<SupplyData>),
    /// A step was taken.
    Step(Arc<Step>),
    /// It came to its end.
    Done(S::Reply),
    /// It was stopped and has no reply.
    Cancelled,
    /// It could not; the notice says so already.
    Failed(String),
}

/// The session.
#[derive(Clone, Copy)]
pub(crate) struct RunSession {
    /// The steps that are shown.
    pub(crate) steps: RwSignal<Steps>,
    /// How many of them the cursor has passed.
    pub(crate) cursor: RwSignal<usize>,
    pub(crate) playing: RwSignal<bool>,
    /// Times the usual speed.
    pub(crate) speed: RwSignal<f64>,
    /// What goes on, in the page's word for it.
    pub(crate) busy: RwSignal<Option<String>>,
    /// What the model of the run under way is saying.
    pub(crate) live: RwSignal<Live>,
    /// What a person may call who answers in the model's place.
    pub(crate) seat: RwSignal<Option<Vec<ToolSpec>>>,
    pub(crate) notice: RwSignal<Option<String>>,
    job: StoredValue<Option<JobHandle>, LocalStorage>,
    /// The way back of what a person says in the model's place.
    person: StoredValue<Option<Back<AskPerson>>, LocalStorage>,
    /// Where runs are kept, unless they are none of a person's.
    keeps: Option<KeptRuns>,
    /// What is to be kept beside the run under way; nothing where that is not to be kept.
    keeping: StoredValue<Option<Keeping>, LocalStorage>,
    /// The key under which the last run is kept.
    kept_as: StoredValue<Option<f64>>,
    /// Counts jobs, so that the last words of one that was replaced are not heard.
    turn: StoredValue<u64>,
}

impl RunSession {
    /// A session without a clock, for jobs that are not walked through.
    pub(crate) fn new() -> Self {
        Self {
            steps: RwSignal::default(),
            cursor: RwSignal::new(0),
            playing: RwSignal::new(false),
            speed: RwSignal::new(1.0),
            busy: RwSignal::new(None),
            live: RwSignal::default(),
            seat: RwSignal::new(None),
            notice: RwSignal::new(None),
            job: StoredValue::new_local(None),
            person: StoredValue::new_local(None),
            keeps: use_context(),
            keeping: StoredValue::new_local(None),
            kept_as: StoredValue::new(None),
            turn: StoredValue::new(0),
        }
    }

    /// A session whose runs are shown and not kept: a lesson's, or those that begin on their own.
    pub(crate) fn unkept() -> Self {
        Self { keeps: None, ..Self::new() }
    }

    /// A session that plays its steps, one every `pace` milliseconds.
    pub(crate) fn playing(pace: f64) -> Self {
        let session = Self::new();
        session.play_by(pace, move || {
            let n = session.steps.with_untracked(Vec::len);
            playback::forward(session.cursor, n) || session.is_busy_untracked()
        });
        session
    }

    /// Plays by a step of the page's own; one that answers false was the last.
    pub(crate) fn play_by(self, pace: f64, step: impl Fn() -> bool + 'static) {
        playback::play_in_time(self.playing, pace, move || self.speed.get_untracked(), step);
    }

    pub(crate) fn is_busy(self) -> bool {
        self.busy.with(Option::is_some)
    }

    pub(crate) fn is_busy_untracked(self) -> bool {
        self.busy.with_untracked(Option::is_some)
    }

    /// Whether this is what goes on.
    pub(crate) fn is_busy_with(self, what: &str) -> bool {
        self.busy.with(|b| b.as_deref() == Some(what))
    }

    /// Starts a job in place of the one before. `what` names it while it lasts.
    pub(crate) fn start<S: Service>(
        self,
        engine: &EngineClient,
        ask: &S,
        what: &str,
        on: impl Fn(Happening<S>) + 'static,
    ) {
        self.start_keeping(engine, ask, Keeping::default(), what, on);
    }

    /// The same with what is kept beside the run.
    pub(crate) fn start_keeping<S: Service>(
        self,
        engine: &EngineClient,
        ask: &S,
        keeping: Keeping,
        what: &str,
        on: impl Fn(Happening<S>) + 'static,
    ) {
        self.start_with(engine, ask, &Beside::default(), what, on);
        self.keeping.set_value(Some(keeping));
    }

    /// The same with files or bytes beside the request.
    pub(crate) fn start_with<S: Service>(
        self,
        engine: &EngineClient,
        ask: &S,
        beside: &Beside,
        what: &str,
        on: impl Fn(Happening<S>) + 'static,
    ) {
        self.abandon();
        self.keeping.set_value(None);
        self.notice.set(None);
        self.busy.set(Some(what.to_owned()));
        let turn = self.turn.get_value();
        let handle = engine.start(ask, beside, move |heard| {
            if !self.is_turn(turn) {
                return;
            }
            match heard {
                Heard::Wish(Wish::Person(AskPerson { tools }, back)) => {
                    self.person.set_value(Some(back));
                    self.seat.set(Some(tools));
                }
                Heard::Wish(Wish::Supply(data, back)) => on(Happening::Supply(data, back)),
                Heard::Parts(parts) => {
                    self.live.update(|l| parts.iter().for_each(|p| l.take(p)));
                }
                Heard::Progress(done, total) => on(Happening::Progress(done, total)),
                Heard::Event(event) => on(Happening::Event(event)),
                Heard::Step(step) => {
                    self.live.set(Live::default());
                    on(Happening::Step(step.into()));
                }
                Heard::Done(reply) => {
                    self.rest();
                    self.keep::<S>(&reply);
                    on(Happening::Done(reply));
                }
                Heard::Cancelled => {
                    self.rest();
                    self.notice.set(Some("Stopped before there was an answer.".into()));
                    on(Happening::Cancelled);
                }
                Heard::Failed(message) => {
                    self.rest();
                    self.notice.set(Some(message.clone()));
                    on(Happening::Failed(message));
                }
            }
        });
        self.job.set_value(Some(handle));
    }

    /// Starts a job in place of the one before, and waits for its reply.
    pub(crate) async fn ask<S: Service>(
        self,
        engine: &EngineClient,
        ask: &S,
        keeping: Keeping,
        what: &str,
    ) -> Result<S::Reply, NoReply> {
        let (sender, receiver) = oneshot::channel();
        let sender = Cell::new(Some(sender));
        self.start_keeping(engine, ask, keeping, what, move |happening| {
            let reply = match happening {
                Happening::Done(reply) => Ok(reply),
                Happening::Cancelled => Err(NoReply::Cancelled),
                Happening::Failed(message) => Err(NoReply::Failed(message)),
                _ => return,
            };
            if let Some(sender) = sender.take() {
                let _ = sender.send(reply);
            }
        });
        receiver.await.unwrap_or(Err(NoReply::Cancelled))
    }

    /// Keeps the run that a reply ends.
    fn keep<S: Service>(self, reply: &S::Reply) {
        let keeping = self.keeping.try_update_value(Option::take).flatten();
        if let (Some(kept), Some(keeping), Some(end)) = (self.keeps, keeping, S::run_end(reply)) {
            self.kept_as.set_value(Some(kept.keep(&end, keeping, self.notice)));
        }
    }

    /// The key of the last run that was kept.
    pub(crate) fn kept_as(self) -> Option<f64> {
        self.kept_as.get_value()
    }

    /// Does not keep the run under way: it is not a person's own.
    pub(crate) fn keep_nothing(self) {
        self.keeping.set_value(None);
    }

    /// Shows one step more; the cursor goes with it unless it plays.
    pub(crate) fn push(self, step: Arc<Step>) {
        self.steps.update(|s| s.push(step));
        if !self.playing.get_untracked() {
            self.cursor.set(self.steps.with_untracked(Vec::len));
        }
    }

    /// Shows other steps from their end.
    pub(crate) fn show(self, steps: Steps) {
        let n = steps.len();
        self.steps.set(steps);
        self.cursor.set(n);
    }

    /// Shows nothing, and nothing goes on.
    pub(crate) fn clear(self) {
        self.abandon();
        self.playing.set(false);
        self.steps.set(Steps::new());
        self.cursor.set(0);
        self.notice.set(None);
    }

    /// What a person says in the model's place.
    pub(crate) fn say(self, message: Message) {
        self.seat.set(None);
        if let Some(back) = self.person.try_update_value(Option::take).flatten() {
            back.reply(Ok(message));
        }
    }

    /// Tells the job to pause, or to go on.
    pub(crate) fn pause(self, pauses: bool) {
        self.job.with_value(|job| match job {
            Some(job) if pauses => job.pause(),
            Some(job) => job.resume(),
            None => {}
        });
    }

    /// Corrects what the job has at hand, while it pauses.
    pub(crate) fn correct(self, query: String) {
        self.job.with_value(|job| job.as_ref().map(|job| job.correct(query)));
    }

    /// Tells the job to stop; it ends with what there is.
    pub(crate) fn stop(self) {
        self.seat.set(None);
        self.job.with_value(|job| job.as_ref().map(JobHandle::cancel));
    }

    /// Stops the job, and hears no more of it.
    pub(crate) fn abandon(self) {
        self.turn.update_value(|t| *t += 1);
        if let Some(job) = self.job.try_update_value(Option::take).flatten() {
            job.cancel();
        }
        self.rest();
    }

    /// Which job this is: another number says that it was replaced.
    pub(crate) fn turn(self) -> u64 {
        self.turn.get_value()
    }

    /// Whether a job is still the one that counts; of a session that is gone, none is.
    pub(crate) fn is_turn(self, turn: u64) -> bool {
        self.turn.try_get_value() == Some(turn)
    }

    fn rest(self) {
        self.busy.set(None);
        self.person.set_value(None);
        self.seat.set(None);
        self.live.set(Live::default());
    }
}
