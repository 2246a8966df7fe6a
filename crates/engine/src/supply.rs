//! Data and models for the calls of a statement: the page opens what lies beside it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use llm::BoxFuture;
use protocol::page::SupplyData;
use systems::toolformer::write::{Needed, Supply};

use crate::asking::Asking;
use crate::context::Context;

/// The most that one statement asks the page for.
const MOST: usize = 8;

/// Asks the page.
pub(crate) struct PageSupply {
    context: Context,
    wished: RefCell<BTreeSet<Needed>>,
    coming: RefCell<Vec<Asking<SupplyData>>>,
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
        let Needed { dataset, model } = needed.clone();
        let asking = self.context.begin(&SupplyData { dataset, model: model.map(str::to_owned) });
        self.coming.borrow_mut().push(asking);
    }

    fn settled(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            loop {
                let Some(coming) = self.coming.borrow_mut().pop() else { return };
                // What cannot be had is missed by the calls, which say so.
                let _ = coming.reply().await;
            }
        })
    }
}
