//! The chat completions protocol with tools, as OpenAI published it and most servers speak it.
//!
//! Reading is tolerant, because servers differ: `content` may be null or a list of parts,
//! `arguments` may be an object, ids may be missing.

mod request;
mod response;

use super::{Provider, get, read};
use crate::stream::Framing;
use crate::{ApiKey, Endpoint, HttpRequest, HttpResponse, ModelError};

const PROTOCOL: &str = "chat completions";

pub(super) const PROVIDER: Provider = Provider {
    id: "openai",
    title: "OpenAI-compatible chat completions",
    example_url: "http://127.0.0.1:8190/v1",
    request: request::request,
    response: response::response,
    framing: Framing::Sse,
    event: response::event,
    list_models,
    models,
    auth,
    takes_schema: true,
};

pub(super) fn auth(key: &ApiKey) -> Vec<(String, String)> {
    vec![("authorization".into(), format!("Bearer {}", key.expose()))]
}

pub(super) fn list_models(endpoint: &Endpoint) -> HttpRequest {
    get(endpoint.url("models"))
}

pub(super) fn models(http: &HttpResponse) -> Result<Vec<String>, ModelError> {
    let body = read::body_json(http)?;
    read::names(&body, &["id", "name", "model"])
        .ok_or_else(|| read::missing(&body, "`data`", PROTOCOL))
}

#[cfg(test)]
mod tests {
    use super::response::response;
    use super::*;
    use crate::FinishReason;

    fn ok(body: &str) -> HttpResponse {
        HttpResponse { status: 200, body: body.into(), ..HttpResponse::default() }
    }

    #[test]
    fn a_html_page_is_named_as_such() {
        let page = ok("<!DOCTYPE html><html><title>Welcome to nginx!</title>");
        let error = response(&page).unwrap_err().to_string();
        assert!(error.contains("an HTML page titled \"Welcome to nginx!\""), "{error}");
    }

    #[test]
    fn an_error_body_is_quoted_with_what_to_do() {
        let http = HttpResponse {
            status: 401,
            body: r#"{"error":{"message":"Incorrect API key"}}"#.into(),
            ..HttpResponse::default()
        };
        let error = response(&http).unwrap_err().to_string();
        assert_eq!(
            error,
            "the endpoint answered 401: Incorrect API key; check the key, and that the server \
             allows this page's origin"
        );
    }

    #[test]
    fn servers_that_differ_are_read() {
        let http = ok(
            r#"{"choices":[{"finish_reason":"stop","message":{"content":[{"type":"text","text":"hi"}],
            "tool_calls":[{"type":"function","function":{"name":"f","arguments":{"a":1}}}]}}]}"#,
        );
        let chat = response(&http).unwrap();
        assert_eq!(chat.message.content, "hi");
        assert_eq!(chat.message.tool_calls[0].id, "", "the loop gives it one");
        assert_eq!(chat.message.tool_calls[0].arguments, r#"{"a":1}"#);
        assert_eq!(chat.finish, FinishReason::ToolCalls);
        assert_eq!(chat.usage.total(), None);
    }

    #[test]
    fn json_of_another_shape_says_what_is_missing() {
        let error = response(&ok(r#"{"hello":1}"#)).unwrap_err().to_string();
        assert!(error.contains("`choices[0]`"), "{error}");
    }

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new(" sk-canary ").unwrap();
        assert_eq!(format!("{key:?} {key}"), "*** ***");
        assert_eq!(auth(&key)[0].1, "Bearer sk-canary");
    }
}
