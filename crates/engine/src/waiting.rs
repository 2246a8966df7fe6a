//! What a job has asked the page for, and the page has not answered.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;

/// Those that wait for an answer, by the number of what they asked.
pub(crate) struct Waiting<T>(Rc<RefCell<BTreeMap<u32, oneshot::Sender<T>>>>);

impl<T> Clone for Waiting<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<T> Waiting<T> {
    /// A number for a question, and its answer to come; it is dropped where the job is stopped.
    pub(crate) fn begin(&self) -> (u32, oneshot::Receiver<T>) {
        let (sender, receiver) = oneshot::channel();
        let mut all = self.0.borrow_mut();
        let number = all.last_key_value().map_or(0, |(last, _)| last + 1);
        all.insert(number, sender);
        (number, receiver)
    }

    /// Gives the answer to the one that waits for it, unless that was stopped meanwhile.
    pub(crate) fn answer(&self, number: u32, answer: T) {
        if let Some(waiting) = self.0.borrow_mut().remove(&number) {
            let _ = waiting.send(answer);
        }
    }

    /// Ends all waiting: the job is stopped.
    pub(crate) fn give_up(&self) {
        self.0.take();
    }
}
