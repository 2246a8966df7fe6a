//! Data and models for the calls of a statement: the page opens what lies beside it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use futures_channel::oneshot;
use llm::BoxFuture;
use protocol::FromWorker;
use systems::toolformer::write::{Needed, Supply};

use crate::context::Context;

/// The most that one statement asks the page for.
const MOST: usize = 8;

/// Asks the page.
pub(crate) struct PageSupply {
    context: Context,
    wished: RefCell<BTreeSet<Needed>>,
    coming: RefCell<Vec<oneshot::Receiver<()>>>,
}

impl PageSupply {
    pub(crate) fn new(context: Context) -> Self {
        let (wished, coming) = (RefCell::default(), RefCell::default());
        Self { context, wished, coming }
    }
}

impl Supply for PageSupply {
    fn begin(&self, needed: &Needed) {
        let mut wished = self.wished.borrow_mut();
        if wished.len() == MOST || self.context.is_cancelled() || !wished.insert(needed.clone()) {
            return;
        }
        let (supply, receiver) = self.context.controls.wishes.begin();
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
