//! The page's way to an endpoint: the only place that puts a key on the wire.

use futures_util::future::{Either, select};
use gloo_net::http::Request;
use js_sys::{Reflect, Uint8Array};
use llm::{
    Endpoint, HttpHead, HttpRequest, HttpResponse, ModelError, Scrub, providers, scrub,
    stream::Utf8Carry,
};
use protocol::page::FetchPart;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, Headers, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache,
    RequestCredentials, RequestInit, RequestMode, RequestRedirect,
};

use super::{keys, model_file};
use crate::state::address::{Address, is_below};
use crate::state::settings::is_in_page;

/// The longest silence before or within an answer, in seconds.
pub(crate) const PATIENCE_S: u64 = 180;

/// The largest answer that is read, in bytes; the reader of the protocol has the same limit.
const MAX_BODY: usize = 8_000_000;

/// Ends after a while.
pub(crate) async fn after(ms: u64) {
    let promise = js_sys::Promise::new(&mut |resolve: js_sys::Function, _| {
        let time = i32::try_from(ms).unwrap_or(i32::MAX);
        let window = leptos::prelude::window();
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, time);
    });
    let _ = JsFuture::from(promise).await;
}

/// What comes of something, unless the silence is too long.
async fn within<T>(coming: impl Future<Output = T>, seconds: u64) -> Option<T> {
    let coming = std::pin::pin!(coming);
    let waiting = std::pin::pin!(after(seconds * 1000));
    match select(coming, waiting).await {
        Either::Left((result, _)) => Some(result),
        Either::Right(_) => None,
    }
}

/// How a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As any, with the endpoint's key.
    Keyed,
    /// As any, without a key.
    Bare,
    /// Only to see whether anybody is there: the answer cannot be read.
    Blind,
}

/// The request as the browser wants it.
///
/// # Errors
/// A method, a header or an address that no request can have.
fn request_of(
    endpoint: &Endpoint,
    request: &HttpRequest,
    mode: Mode,
    abort: &AbortController,
) -> Result<Request, String> {
    let invalid = |what: String| format!("{what}; change it in the settings of the endpoint");
    let init = init(abort);
    init.set_method(&request.method);
    // A redirect could take a key to another host.
    init.set_redirect(match mode {
        Mode::Blind => RequestRedirect::Follow,
        _ => RequestRedirect::Error,
    });
    if mode == Mode::Blind {
        init.set_mode(RequestMode::NoCors);
    } else {
        let headers = Headers::new().map_err(|_| "this browser makes no headers")?;
        let set = |name: &str, value: &str| {
            let refused = |_| invalid(format!("no request can have the header {name:?}"));
            headers.set(name, value).map_err(refused)
        };
        for (name, value) in &request.headers {
            set(name, value)?;
        }
        // The key goes to the address for which it was typed in, and to nothing else.
        if mode == Mode::Keyed
            && is_below(endpoint, &request.url)
            && let Some(key) = keys::get(&endpoint.base_url)
        {
            for (name, value) in providers::auth(&endpoint.provider, &key) {
                set(&name, &value)?;
            }
        }
        init.set_headers(&headers);
        if !request.body.is_empty() {
            init.set_body(&request.body.as_str().into());
        }
    }
    // Which network the address is of: web-sys does not know this setting yet.
    if let Some(space) = Address::parse(&endpoint.base_url).ok().and_then(|a| a.space().target()) {
        let _ = Reflect::set(&init, &"targetAddressSpace".into(), &space.into());
    }
    // What the browser says could quote a header, and one of them is the key.
    made(&request.url, &init)
        .map_err(|_| invalid(format!("{:?} is no address of a request", request.url)))
}

/// What every request has that leaves the page's own server: nothing says who asks or from where.
pub(super) fn init(abort: &AbortController) -> RequestInit {
    let init = RequestInit::new();
    init.set_credentials(RequestCredentials::Omit);
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    init.set_cache(RequestCache::NoStore);
    init.set_signal(Some(&abort.signal()));
    init
}

/// A request to an address as it is written. It is made in one go: the builder of gloo-net puts a `&`
/// behind a query, and a request that is made of another one takes its referrer from the page again.
pub(super) fn made(url: &str, init: &RequestInit) -> Result<Request, JsValue> {
    web_sys::Request::new_with_str_and_init(url, init).map(Request::from)
}

/// Whether there is anybody at an address at all, whatever the answer.
pub(crate) async fn is_anybody_there(
    endpoint: &Endpoint,
    request: &HttpRequest,
    seconds: u64,
) -> bool {
    let Ok(abort) = AbortController::new() else { return false };
    let Ok(made) = request_of(endpoint, request, Mode::Blind, &abort) else { return false };
    let came = within(made.send(), seconds).await;
    abort.abort();
    matches!(came, Some(Ok(_)))
}

/// An answer whose body has not been read.
pub(crate) struct Begun {
    pub(crate) head: HttpHead,
    seconds: u64,
    reader: Option<ReadableStreamDefaultReader>,
    /// Takes the key out of what comes back: some servers quote it.
    scrub: scrub::Stream,
}

/// What takes the key of an endpoint out of texts.
pub(crate) fn scrub(endpoint: &Endpoint) -> Scrub {
    Scrub::new(keys::get(&endpoint.base_url).as_ref())
}

/// Sends a request and waits for the head of its answer.
pub(crate) async fn begin(
    endpoint: &Endpoint,
    request: &HttpRequest,
    mode: Mode,
    abort: &AbortController,
    seconds: u64,
) -> Result<Begun, ModelError> {
    let url = request.url.clone();
    let made = request_of(endpoint, request, mode, abort)
        .map_err(|reason| ModelError::Unreachable { url: url.clone(), reason })?;
    let came = within(made.send(), seconds).await;
    if abort.signal().aborted() {
        return Err(ModelError::Cancelled);
    }
    let Some(came) = came else {
        abort.abort();
        return Err(ModelError::TimedOut { url, seconds });
    };
    let response = came.map_err(|_| {
        let origin = super::single_file::origin();
        let reason = format!(
            "the server is not running, or it does not allow requests from {origin} (CORS); the \
             check on the page Models tells which"
        );
        ModelError::Unreachable { url: url.clone(), reason }
    })?;
    let headers = response.headers();
    let said: Vec<(String, String)> = headers.entries().collect();
    let mut head = HttpHead {
        status: response.status(),
        content_type: headers.get("content-type"),
        retry_after_ms: providers::wait_of_headers(&said, js_sys::Date::now()),
    };
    let reader = response.body().and_then(|b| b.get_reader().dyn_into().ok());
    let clean = scrub(endpoint);
    clean.head(&mut head);
    Ok(Begun { head, seconds, reader, scrub: scrub::Stream::new(clean) })
}

impl Begun {
    /// More of the body; nothing at its end.
    pub(crate) async fn next(
        &mut self,
        abort: &AbortController,
    ) -> Result<Option<Vec<u8>>, ModelError> {
        let Some(reader) = &self.reader else { return Ok(None) };
        let came = within(JsFuture::from(reader.read()), self.seconds).await;
        if abort.signal().aborted() {
            return Err(ModelError::Cancelled);
        }
        let Some(came) = came else {
            abort.abort();
            // It had begun well: another attempt may end as well.
            let reason = format!("nothing came for {} seconds", self.seconds);
            return Err(ModelError::Broken { reason });
        };
        let Ok(came) = came else {
            return Err(ModelError::Broken { reason: "the connection was lost".into() });
        };
        let done = Reflect::get(&came, &"done".into()).is_ok_and(|d| d.is_truthy());
        let value = Reflect::get(&came, &"value".into()).unwrap_or_default();
        Ok((!done).then(|| value.dyn_into::<Uint8Array>().map(|a| a.to_vec()).unwrap_or_default()))
    }

    /// Ends the connection, from which no more is wanted.
    fn hang_up(&self) {
        if let Some(reader) = &self.reader {
            let _ = reader.cancel();
        }
    }

    /// The whole of the body.
    pub(crate) async fn whole(
        mut self,
        abort: &AbortController,
    ) -> Result<HttpResponse, ModelError> {
        let mut bytes = Vec::new();
        while let Some(more) = self.next(abort).await? {
            bytes.extend_from_slice(&more);
            if bytes.len() > MAX_BODY {
                abort.abort();
                return Err(ModelError::TooLarge { size: bytes.len(), limit: MAX_BODY });
            }
        }
        let text = self.scrub.feed(&String::from_utf8_lossy(&bytes)) + &self.scrub.end();
        Ok(self.head.with_body(text))
    }
}

/// Sends a request and waits for the whole answer.
pub(crate) async fn send(
    endpoint: &Endpoint,
    request: HttpRequest,
    abort: &AbortController,
) -> Result<HttpResponse, ModelError> {
    if is_in_page(&endpoint.base_url) {
        return model_file::send(request, abort).await;
    }
    begin(endpoint, &request, Mode::Keyed, abort, PATIENCE_S).await?.whole(abort).await
}

/// Sends a request and hands on the answer as it comes, as long as more of it is wanted.
pub(crate) async fn stream(
    endpoint: &Endpoint,
    request: HttpRequest,
    abort: &AbortController,
    on_piece: impl Fn(FetchPart) -> bool,
) -> Result<(), ModelError> {
    if is_in_page(&endpoint.base_url) {
        let on_piece = |piece| {
            on_piece(piece);
        };
        return model_file::stream(request, abort, &on_piece).await;
    }
    let mut begun = begin(endpoint, &request, Mode::Keyed, abort, PATIENCE_S).await?;
    on_piece(FetchPart::Head(begun.head.clone()));
    let mut carry = Utf8Carry::default();
    while let Some(bytes) = begun.next(abort).await? {
        let text = begun.scrub.feed(&carry.feed(&bytes));
        if !text.is_empty() && !on_piece(FetchPart::Text(text)) {
            begun.hang_up();
            return Ok(());
        }
    }
    let rest = begun.scrub.feed(&carry.end()) + &begun.scrub.end();
    if !rest.is_empty() {
        on_piece(FetchPart::Text(rest));
    }
    Ok(())
}
