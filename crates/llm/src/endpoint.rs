//! Where a model lives, and the bytes that go there and come back.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A key for an endpoint. It prints as `***` and is in no serialised form.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as a person typed it; nothing if it is blank.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key itself, for the one place that puts it on the wire.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a model is asked. The key is kept apart, by whoever sends the bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// The wire protocol: a [`Provider`](crate::Provider)'s id.
    pub provider: String,
    /// The address before the protocol's own path, such as `http://127.0.0.1:8190/v1`.
    pub base_url: String,
}

/// Bytes to send. Never carries a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// The whole address.
    pub url: String,
    /// Header names and values.
    pub headers: Vec<(String, String)>,
    /// The body; empty for `GET`.
    pub body: String,
}

/// Bytes that came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The `content-type`, if there was one.
    pub content_type: Option<String>,
    /// The body as text.
    pub body: String,
}
