//! Who sends the bytes: the page's fetch, the companion's client, a script in tests.

use llm::{BoxFuture, Endpoint, HttpRequest, HttpResponse, ModelError};

/// Sends bytes to an endpoint. The transport alone knows the endpoint's key and adds it.
pub trait Transport {
    /// Sends a request and waits for the whole answer.
    ///
    /// # Errors
    /// Nothing came back, or somebody stopped it.
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>>;
}
