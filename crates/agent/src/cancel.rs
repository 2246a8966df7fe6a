//! A wish to stop, shared between whoever runs and whoever watches.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// A wish to stop. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Rc<RefCell<State>>);

#[derive(Debug, Default)]
struct State {
    asked: bool,
    wakers: Vec<Waker>,
}

impl Cancel {
    /// Asks for a stop and wakes whoever waits for it.
    pub fn cancel(&self) {
        let wakers = {
            let mut state = self.0.borrow_mut();
            state.asked = true;
            std::mem::take(&mut state.wakers)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Whether a stop was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.borrow().asked
    }

    /// Ends when a stop is asked for.
    pub async fn cancelled(&self) {
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            if state.asked {
                return Poll::Ready(());
            }
            if !state.wakers.iter().any(|w| w.will_wake(context.waker())) {
                state.wakers.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}
