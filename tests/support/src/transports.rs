use agent::Transport;
use llm::{BoxFuture, ChatResponse, Endpoint, HttpRequest, HttpResponse, ModelError};

/// A transport that answers each request by a function, whole and at once.
pub struct Answering<F>(pub F);

impl<F> Transport for Answering<F>
where
    F: Fn(&Endpoint, HttpRequest) -> Result<HttpResponse, ModelError>,
{
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(std::future::ready(self.0(endpoint, request)))
    }

    fn clean<'a>(
        &'a self,
        _: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(std::future::ready(outcome))
    }

    fn sleep(&self, _: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// An answer of a server that says nothing but its status and its body.
pub fn response(status: u16, body: impl Into<String>) -> HttpResponse {
    HttpResponse { status, body: body.into(), content_type: None, retry_after_ms: None }
}
