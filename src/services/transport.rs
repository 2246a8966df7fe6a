//! The page's way to an endpoint. The only place that knows a key, and puts it on the wire.

use std::cell::RefCell;
use std::collections::BTreeMap;

use futures_util::future::{Either, select};
use gloo_net::http::{Method, RequestBuilder};
use llm::{ApiKey, Endpoint, HttpRequest, HttpResponse, ModelError, providers};
use web_sys::{AbortSignal, ReferrerPolicy, RequestCredentials};

/// The longest that an answer may take to begin, in milliseconds.
const PATIENCE_MS: u32 = 180_000;

/// Ends after a while.
async fn after(ms: u32) {
    let promise = js_sys::Promise::new(&mut |resolve: js_sys::Function, _| {
        let time = i32::try_from(ms).unwrap_or(i32::MAX);
        let window = leptos::prelude::window();
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, time);
    });
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}

thread_local! {
    // By base address: a key is never sent anywhere but where it was typed in for.
    static KEYS: RefCell<BTreeMap<String, ApiKey>> = const { RefCell::new(BTreeMap::new()) };
}

/// Keeps a key in memory, or forgets it.
pub(crate) fn set_key(base_url: &str, key: Option<ApiKey>) {
    KEYS.with_borrow_mut(|keys| match key {
        Some(key) => {
            keys.insert(base_url.to_owned(), key);
        }
        None => {
            keys.remove(base_url);
        }
    });
}

/// The key for an address, for whoever keeps it on the person's wish.
pub(crate) fn key(base_url: &str) -> Option<ApiKey> {
    KEYS.with_borrow(|keys| keys.get(base_url).cloned())
}

/// Whether a key is there for an address.
pub(crate) fn has_key(base_url: &str) -> bool {
    KEYS.with_borrow(|keys| keys.contains_key(base_url))
}

/// Sends a request and waits for the whole answer.
pub(crate) async fn send(
    endpoint: &Endpoint,
    request: HttpRequest,
    abort: Option<&AbortSignal>,
) -> Result<HttpResponse, ModelError> {
    let url = request.url.clone();
    let unreachable = |reason: String| ModelError::Unreachable { url: url.clone(), reason };
    let method = if request.method == "GET" { Method::GET } else { Method::POST };
    let mut builder = RequestBuilder::new(&request.url)
        .method(method)
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .abort_signal(abort);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let provider = providers::find(&endpoint.provider);
    // The key goes to the address for which it was typed in, and to nothing else.
    let is_there = request.url.starts_with(endpoint.base_url.trim_end_matches('/'));
    let auth = KEYS.with_borrow(|keys| {
        if !is_there {
            return None;
        }
        keys.get(&endpoint.base_url).zip(provider).map(|(key, p)| (p.auth)(key))
    });
    if let Some((name, value)) = auth {
        builder = builder.header(&name, &value);
    }
    let built = if request.body.is_empty() { builder.build() } else { builder.body(request.body) };
    let built =
        built.map_err(|e| unreachable(format!("this is no request that can be sent: {e}")))?;
    let sending = std::pin::pin!(built.send());
    let waiting = std::pin::pin!(after(PATIENCE_MS));
    let sent = match select(sending, waiting).await {
        Either::Left((sent, _)) => sent,
        Either::Right(_) => {
            let seconds = PATIENCE_MS / 1000;
            return Err(unreachable(format!("it did not answer within {seconds} seconds")));
        }
    };
    if abort.is_some_and(AbortSignal::aborted) {
        return Err(ModelError::Cancelled);
    }
    let response = sent.map_err(|_| {
        let origin = leptos::prelude::window().location().origin().unwrap_or_default();
        unreachable(format!(
            "the server is not running, or it does not allow requests from {origin} (CORS)"
        ))
    })?;
    let status = response.status();
    let content_type = response.headers().get("content-type");
    let body =
        response.text().await.map_err(|e| unreachable(format!("the answer broke off: {e}")))?;
    Ok(HttpResponse { status, content_type, body })
}
