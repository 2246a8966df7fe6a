//! Python for tools: the page runs it in its sandbox.

use llm::BoxFuture;
use protocol::FromWorker;
use systems::kgot::{PythonFailure, PythonFault, PythonReply, PythonRequest, PythonRunner};

use crate::context::Context;

type Ran = Result<PythonReply, PythonFailure>;

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
