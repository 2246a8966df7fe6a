//! Data and models for the calls of a statement: the page opens what lies beside it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures_channel::oneshot;
use llm::BoxFuture;
use protocol::FromWorker;
use systems::toolformer::write::{Needed, Supply};

use crate::context::Context;

/// The most that one statement asks the page for.
const MOST: usize = 8;

/// What a job wants and the page has not answered.
#[derive(Clone, Default)]
pub(crate) struct Wishes(Rc<RefCell<BTreeMap<u32, oneshot::Sender<()>>>>);

impl Wishes {
    /// The page has answered.
    pub(crate) fn tell(&self, supply: u32) {
        if let Some(waiting) = self.0.borrow_mut().remove(&supply) {
            // Whoever waited may have been stopped meanwhile.
            let _ = waiting.send(());
        }
    }

    /// Lets nobody wait any longer: the job is stopped.
    pub(crate) fn give_up(&self) {
        self.0.take();
    }
}

/// Asks the page.
pub(crate) struct PageSupply {
    context: Context,
    wished: RefCell<BTreeSet<Needed>>,
    coming: RefCell<Vec<oneshot::Receiver<()>>>,
    next: Cell<u32>,
}

impl PageSupply {
    pub(crate) fn new(context: Context) -> Self {
        let (wished, coming) = (RefCell::default(), RefCell::default());
        Self { context, wished, coming, next: Cell::new(0) }
    }
}

impl Supply for PageSupply {
    fn begin(&self, needed: &Needed) {
        let mut wished = self.wished.borrow_mut();
        if wished.len() == MOST || self.context.is_cancelled() || !wished.insert(needed.clone()) {
            return;
        }
        let (sender, receiver) = oneshot::channel();
        let supply = self.next.replace(self.next.get() + 1);
        self.context.controls.wishes.0.borrow_mut().insert(supply, sender);
        self.coming.borrow_mut().push(receiver);
        let Needed { dataset, model } = needed.clone();
        let model = model.map(str::to_owned);
        self.context.post(FromWorker::Supply { supply, dataset, model });
    }

    fn settled(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            loop {
                let Some(coming) = self.coming.borrow_mut().pop() else { return };
                // A stop drops the other end.
                let _ = coming.await;
            }
        })
    }
}
