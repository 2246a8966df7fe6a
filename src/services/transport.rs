//! The page's way to an endpoint. The only place that knows a key, and puts it on the wire.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gloo_net::http::{Method, RequestBuilder};
use llm::{ApiKey, Endpoint, HttpRequest, HttpResponse, ModelError, providers};
use web_sys::{AbortSignal, ReferrerPolicy, RequestCredentials};

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
    let auth = KEYS.with_borrow(|keys| {
        keys.get(&endpoint.base_url).zip(provider).map(|(key, p)| (p.auth)(key))
    });
    if let Some((name, value)) = auth {
        builder = builder.header(&name, &value);
    }
    let built = if request.body.is_empty() {
        builder.build()
    } else {
        builder.body(request.body)
    };
    let built = built.map_err(|e| unreachable(format!("this is no request that can be sent: {e}")))?;
    let sent = built.send().await;
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
    let body = response.text().await.map_err(|e| unreachable(format!("the answer broke off: {e}")))?;
    Ok(HttpResponse { status, content_type, body })
}
