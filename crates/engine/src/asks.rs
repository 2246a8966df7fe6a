//! What a job asks the page, and what the page has not answered.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};

use crate::Attachments;

/// What the page says to a question, as it crosses.
pub(crate) enum Word {
    /// A part of the answer.
    Part(String),
    /// The answer or the error, with the bytes attached to it.
    Reply(Result<String, String>, Attachments),
}

/// The questions of a job that wait for the page.
#[derive(Clone, Default)]
pub(crate) struct Asks(Rc<RefCell<Open>>);

#[derive(Default)]
struct Open {
    /// A number is given once: what comes late for one question answers no other.
    next: u32,
    waiting: BTreeMap<u32, UnboundedSender<Word>>,
}

impl Asks {
    /// A number for a question, and what will be said to it.
    pub(crate) fn begin(&self) -> (u32, UnboundedReceiver<Word>) {
        let (sender, words) = unbounded();
        let mut open = self.0.borrow_mut();
        let ask = open.next;
        open.next += 1;
        open.waiting.insert(ask, sender);
        (ask, words)
    }

    /// Forgets a question; says whether it was still open.
    pub(crate) fn end(&self, ask: u32) -> bool {
        self.0.borrow_mut().waiting.remove(&ask).is_some()
    }

    /// Passes on a part of an answer, if the job still waits for it.
    pub(crate) fn part(&self, ask: u32, part: String) {
        if let Some(waiting) = self.0.borrow().waiting.get(&ask) {
            let _ = waiting.unbounded_send(Word::Part(part));
        }
    }

    /// Passes on an answer with its bytes, if the job still waits for it.
    pub(crate) fn reply(&self, ask: u32, reply: Result<String, String>, beside: Attachments) {
        if let Some(waiting) = self.0.borrow_mut().waiting.remove(&ask) {
            let _ = waiting.unbounded_send(Word::Reply(reply, beside));
        }
    }
}
