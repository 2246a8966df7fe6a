//! Python for tools: the page runs it in its sandbox.

use llm::BoxFuture;
use protocol::page::RunPython;
use systems::kgot::{PythonFailure, PythonFault, PythonReply, PythonRequest, PythonRunner};

use crate::context::Context;

/// Asks the page to run Python.
pub(crate) struct PagePython(pub(crate) Context);

impl PythonRunner for PagePython {
    fn run<'a>(
        &'a self,
        request: PythonRequest,
    ) -> BoxFuture<'a, Result<PythonReply, PythonFailure>> {
        Box::pin(async move {
            self.0.ask(&RunPython { request }).await.unwrap_or_else(|ended| {
                Err(PythonFailure::new(PythonFault::Unavailable, ended.to_string()))
            })
        })
    }
}
