//! The dispatcher: one job for each request.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use protocol::{Control, Envelope, FromWorker, ToWorker};

use crate::context::{Context, Controls, Ended, Kept};
use crate::handler::{Arrived, unanswered};
use crate::{Attachments, Host, List};

/// Takes requests and tells the host what comes of them.
pub struct Engine<A: 'static> {
    host: Rc<dyn Host>,
    lists: Rc<[List<A>]>,
    jobs: Rc<RefCell<BTreeMap<u32, Controls>>>,
    kept: Kept,
}

impl<A> Clone for Engine<A> {
    fn clone(&self) -> Self {
        Self {
            host: self.host.clone(),
            lists: self.lists.clone(),
            jobs: self.jobs.clone(),
            kept: self.kept.clone(),
        }
    }
}

impl<A: Arrived> Engine<A> {
    /// An engine in a place, with the lists of handlers that it has. Where two lists answer the same
    /// request, the first does.
    pub fn new(host: Rc<dyn Host>, lists: impl Into<Rc<[List<A>]>>) -> Self {
        Self { host, lists: lists.into(), jobs: Rc::default(), kept: Kept::default() }
    }

    /// Takes a message with the files and bytes beside it. What comes of it is posted, now or later.
    pub fn handle(&self, message: Envelope<ToWorker<A>>, attachments: Attachments) {
        let Envelope { job, body } = message;
        match body {
            ToWorker::Start { service, ask } => self.start(job, &service, ask, attachments),
            ToWorker::Control(control) => self.control(job, control, attachments),
        }
    }

    fn start(&self, job: u32, service: &str, ask: A, attachments: Attachments) {
        let Some(list) = self.lists.iter().copied().find(|l| l.names().contains(&service)) else {
            let message = unanswered(service);
            self.host.post(Envelope { job, body: FromWorker::Failed { message } });
            return;
        };
        let controls = Controls::default();
        self.jobs.borrow_mut().insert(job, controls.clone());
        let context = Context {
            job,
            host: self.host.clone(),
            controls,
            attachments,
            kept: self.kept.clone(),
        };
        let (jobs, host) = (self.jobs.clone(), self.host.clone());
        let service = service.to_owned();
        self.host.spawn(Box::pin(async move {
            let reply = match list.handler(&service).await {
                Ok(handler) => (handler.answer)(context, ask).await,
                Err(message) => Err(Ended::Failed(message)),
            };
            let body = match reply {
                Ok(reply) => FromWorker::Done { reply },
                Err(Ended::Cancelled) => FromWorker::Cancelled,
                Err(Ended::Failed(message)) => FromWorker::Failed { message },
            };
            jobs.borrow_mut().remove(&job);
            host.post(Envelope { job, body });
        }));
    }

    /// Hands on what the page says to a job; it may have ended meanwhile.
    fn control(&self, job: u32, control: Control, beside: Attachments) {
        let Some(running) = self.jobs.borrow().get(&job).cloned() else { return };
        let woken = match control {
            Control::Cancel | Control::Resume | Control::Correct { .. } => running.woken.take(),
            _ => None,
        };
        match control {
            Control::Cancel => running.cancel.cancel(),
            Control::Pause => running.is_paused.set(true),
            Control::Resume => running.is_paused.set(false),
            Control::Correct { query } => running.corrections.borrow_mut().push_back(query),
            Control::Part { ask, part } => running.asks.part(ask, part),
            Control::Reply { ask, reply } => running.asks.reply(ask, reply, beside),
            // A later page may know more; the message was read, so nothing is lost.
            _ => {}
        }
        if let Some(wake) = woken {
            let _ = wake.send(());
        }
    }
}
