//! Who sends the bytes: the page's fetch, the companion's client, a script in tests.

use llm::{BoxFuture, ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, ModelError};

/// Takes a streamed answer as it comes.
pub trait Sink {
    /// The head came; it comes once, before any bytes.
    fn head(&mut self, head: HttpHead);

    /// More bytes came. Gives whether still more are wanted; if not, the transport hangs up, for
    /// some servers leave a stream open that has said its end.
    ///
    /// # Errors
    /// What came is no answer; the transport hangs up and hands the error on.
    fn bytes(&mut self, bytes: &[u8]) -> Result<bool, ModelError>;

    /// Whether all that matters has come, though more is wanted if it comes soon. A connection that
    /// fails or falls silent from here on is no fault.
    fn is_complete(&self) -> bool {
        false
    }
}

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

    /// Sends a request and hands on the answer as it comes. A transport that cannot do that hands
    /// on the whole.
    ///
    /// # Errors
    /// Nothing came back, it broke off, somebody stopped it, or the sink wants no more.
    fn stream<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
        sink: &'a mut dyn Sink,
    ) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(async move {
            let answer = self.send(endpoint, request).await?;
            sink.head(answer.head());
            sink.bytes(answer.body.as_bytes()).map(drop)
        })
    }

    /// What came of a question without the endpoint's key, which servers and models may repeat. It
    /// is asked when an answer is put together: in the pieces of a stream a key is not seen.
    fn clean<'a>(
        &'a self,
        _endpoint: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>>;

    /// What tells this place from others that ask the same at the same time, so that they do not
    /// all wait equally long before they ask again.
    fn salt(&self) -> u64 {
        0
    }

    /// Waits: the core has no clock of its own.
    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()>;
}
