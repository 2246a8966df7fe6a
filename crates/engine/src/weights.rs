//! The weights of our own model on their way from the page.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;

/// The bytes, or why there are none. Several may wait for the same.
pub(crate) type Came = Result<Rc<Vec<u8>>, String>;

/// Whoever waits for them in a job.
#[derive(Clone, Default)]
pub(crate) struct Weights(Rc<RefCell<Vec<oneshot::Sender<Came>>>>);

impl Weights {
    /// Waits for them; says whether nobody did before, so that the page is to be asked.
    pub(crate) fn begin(&self) -> (bool, oneshot::Receiver<Came>) {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.0.borrow_mut();
        // Whoever was stopped waits no more.
        waiting.retain(|sender| !sender.is_canceled());
        waiting.push(sender);
        (waiting.len() == 1, receiver)
    }

    /// Lets nobody wait any longer: the job is stopped.
    pub(crate) fn give_up(&self) {
        self.0.take();
    }

    /// Hands them to all who wait.
    pub(crate) fn tell(&self, came: Result<Vec<u8>, String>) {
        let came = came.map(Rc::new);
        for sender in self.0.take() {
            let _ = sender.send(came.clone());
        }
    }
}
