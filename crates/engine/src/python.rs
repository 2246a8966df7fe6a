//! Python for tools: the page runs it in its sandbox.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use llm::BoxFuture;
use protocol::FromWorker;
use systems::kgot::{PythonFailure, PythonFault, PythonReply, PythonRequest, PythonRunner};

use crate::context::Context;

type Ran = Result<PythonReply, PythonFailure>;

/// The runs of a job that the page has not answered.
#[derive(Clone, Default)]
pub(crate) struct Pythons(Rc<RefCell<BTreeMap<u32, oneshot::Sender<Ran>>>>);

impl Pythons {
    fn begin(&self) -> (u32, oneshot::Receiver<Ran>) {
        let (sender, receiver) = oneshot::channel();
        let mut runs = self.0.borrow_mut();
        let run = runs.last_key_value().map_or(0, |(last, _)| last + 1);
        runs.insert(run, sender);
        (run, receiver)
    }

    /// Hands a result to whoever waits for it.
    pub(crate) fn tell(&self, run: u32, result: Ran) {
        if let Some(waiting) = self.0.borrow_mut().remove(&run) {
            // Whoever waited may have been stopped meanwhile.
            let _ = waiting.send(result);
        }
    }
}

/// Asks the page to run Python.
pub(crate) struct PagePython(pub(crate) Context);

impl PythonRunner for PagePython {
    fn run<'a>(&'a self, request: PythonRequest) -> BoxFuture<'a, Ran> {
        Box::pin(async move {
            let (run, result) = self.0.controls.pythons.begin();
            self.0.post(FromWorker::Python { run, request });
            result.await.unwrap_or_else(|_| {
                Err(PythonFailure {
                    kind: PythonFault::Unavailable,
                    message: "the run was stopped".into(),
                    line: None,
                    output: String::new(),
                })
            })
        })
    }
}
