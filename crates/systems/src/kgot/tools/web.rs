//! The web, through endpoints that the person names.
//!
//! Nothing is fetched from the address that a model gives: the person's reader is asked for it, and
//! what that may reach is the reader's to bound. Addresses of the own machine and of private
//! networks are refused here all the same, because a reader on the own machine would reach them;
//! a name that leads there is only seen by the reader.

use core::net::{Ipv4Addr, Ipv6Addr};

use agent::{ToolFailure, Transport};
use llm::{Endpoint, HttpRequest, HttpResponse, ToolSpec, providers};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::documents::FileReader;
use super::pages::PagedText;
use super::{failure, read_arguments, spec};

/// What of the web tools may reach. By default nothing; each is a choice of the person's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WebTools {
    /// Whether Wikipedia may be asked, which then knows what is looked for.
    pub wikipedia: bool,
    /// What fetches pages: an address with `{url}` in it, such as `https://reader.example/{url}` or
    /// `http://127.0.0.1:3000/read?page={url}`. The page's address is percent-encoded there, so that
    /// it chooses no other path and no other server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<String>,
    /// What searches: an address with `{query}` in it, or that of a SearXNG server that gives JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
}

impl WebTools {
    /// Says what is wrong with the addresses, before a run begins.
    ///
    /// # Errors
    /// One is no address of the web, has a login in it, or has no place for what is asked.
    pub fn check(&self) -> Result<(), String> {
        if let Some(reader) = &self.reader {
            check_template(reader, "{url}")?;
            if !reader.contains("{url}") {
                return Err(format!("{reader:?} has no {{url}} where the page's address goes"));
            }
        }
        self.search.as_deref().map_or(Ok(()), |s| check_template(s, "{query}"))
    }
}

pub(super) const OPEN: &str = "open_web_page";
pub(super) const SEARCH: &str = "search_web";
/// The most bytes of an answer.
const MAX_BODY: usize = 8_000_000;
/// The most letters of an address.
const MAX_URL: usize = 2_000;
/// The most letters that are searched for.
const MAX_WORDS: usize = 400;
/// The most pages that a search gives.
const MAX_RESULTS: usize = 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenArgs {
    url: String,
    #[serde(default)]
    page: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    words: String,
}

/// What models are told of the tools that the person has named endpoints for.
pub(super) fn specs(web: &WebTools, reads: bool) -> Vec<ToolSpec> {
    let mut specs = Vec::new();
    if web.search.is_some() {
        specs.push(spec(
            SEARCH,
            "Searches the web. Gives titles, addresses and some words of up to 10 pages.",
            json!({ "words": { "type": "string", "description": "What to look for." } }),
            &["words"],
        ));
    }
    if web.reader.is_some() && reads {
        specs.push(spec(
            OPEN,
            "Opens a page of the web and gives its text as Markdown, a page of 20000 letters at a \
             time.",
            json!({
                "url": { "type": "string", "description": "The whole address, with https://." },
                "page": {
                    "type": "integer", "minimum": 1,
                    "description": "The part of a long text, counted from 1.",
                },
            }),
            &["url"],
        ));
    }
    specs
}

/// Opens a page; `kept` has those that were opened before in this run.
pub(super) async fn open(
    web: &WebTools,
    transport: &dyn Transport,
    files: &dyn FileReader,
    kept: &super::KeptPages,
    arguments: Value,
) -> Result<(Value, Vec<String>), ToolFailure> {
    let OpenArgs { url, page } = read_arguments(arguments)?;
    let url = url.trim();
    check_page(url).map_err(|why| failure("bad_url", why))?;
    let reader = web.reader.as_deref().unwrap_or_default();
    if let Some((text, notes)) = kept.get(url) {
        return tell(url, &text, page, notes);
    }
    let answer = get(transport, reader.replace("{url}", &encoded(url))).await?;
    let (text, notes) = files
        .page(answer.content_type.as_deref(), &answer.body)
        .map_err(|why| failure("not_readable", format!("{url} cannot be read: {why}")))?;
    if text.trim().is_empty() {
        let message = format!("{url} has no text; it may be made by its scripts alone");
        return Err(failure("no_text", message));
    }
    let text = kept.keep(url, PagedText::new(text), notes.clone());
    tell(url, &text, page, notes)
}

fn tell(
    url: &str,
    text: &PagedText,
    page: Option<usize>,
    notes: Vec<String>,
) -> Result<(Value, Vec<String>), ToolFailure> {
    let mut told = json!({ "url": url });
    text.tell(page, &mut told)?;
    Ok((told, notes))
}

/// Searches.
pub(super) async fn search(
    web: &WebTools,
    transport: &dyn Transport,
    files: &dyn FileReader,
    arguments: Value,
) -> Result<(Value, Vec<String>), ToolFailure> {
    let SearchArgs { words } = read_arguments(arguments)?;
    let words = checked_words(&words)?;
    let place = web.search.as_deref().unwrap_or_default();
    let address = if place.contains("{query}") {
        place.replace("{query}", &encoded(&words))
    } else {
        let base = place.trim_end_matches('/').trim_end_matches("/search");
        format!("{base}/search?q={}&format=json", encoded(&words))
    };
    let answer = get(transport, address).await?;
    let Ok(value) = serde_json::from_str::<Value>(&answer.body) else {
        let (text, notes) = files
            .page(answer.content_type.as_deref(), &answer.body)
            .map_err(|why| failure("not_readable", format!("the search gave nothing: {why}")))?;
        let mut told = json!({ "words": words });
        PagedText::new(text).tell(None, &mut told)?;
        return Ok((told, notes));
    };
    let lists = [&value["results"], &value["web"]["results"], &value["items"], &value];
    let list = lists.iter().find_map(|list| list.as_array()).ok_or_else(|| {
        let message = "the search endpoint's answer has no list \"results\"; SearXNG gives one \
                       where its settings allow the format json"
            .to_owned();
        failure("no_results", message)
    })?;
    let field = |result: &Value, names: [&str; 3]| -> String {
        let found = names.iter().find_map(|name| result[*name].as_str()).unwrap_or_default();
        found.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(500).collect()
    };
    let found: Vec<Value> = list
        .iter()
        .filter(|result| result.is_object())
        .take(MAX_RESULTS)
        .map(|result| {
            json!({
                "title": field(result, ["title", "name", "heading"]),
                "url": field(result, ["url", "link", "href"]),
                "text": field(result, ["content", "snippet", "description"]),
            })
        })
        .collect();
    Ok((json!({ "words": words, "found": found }), Vec::new()))
}

/// What is looked for, in one line.
pub(super) fn checked_words(words: &str) -> Result<String, ToolFailure> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return Err(failure("no_words", "expected at least one word".into()));
    }
    if words.chars().count() > MAX_WORDS {
        return Err(failure("too_long", format!("expected at most {MAX_WORDS} letters")));
    }
    Ok(words)
}

/// Fetches an address of an endpoint that the person allowed.
pub(super) async fn get(
    transport: &dyn Transport,
    url: String,
) -> Result<HttpResponse, ToolFailure> {
    let host = host_of(&url).map_err(|why| failure("bad_endpoint", why))?.to_owned();
    if has_dot_segments(&url) {
        let message = "an address with \".\" or \"..\" in its path is not asked for".to_owned();
        return Err(failure("bad_url", message));
    }
    let base = url.find(&host).map_or(url.as_str(), |at| &url[..at + host.len()]);
    let endpoint = Endpoint::new(providers::HTTP, base);
    let request =
        HttpRequest { method: "GET".into(), url, headers: Vec::new(), body: String::new() };
    let answer = transport
        .send(&endpoint, request)
        .await
        .map_err(|error| failure("no_answer", format!("{host} cannot be asked: {error}")))?;
    if answer.body.len() > MAX_BODY {
        let n = answer.body.len();
        let message = format!("{host} sent {n} bytes; at most {MAX_BODY} are read");
        return Err(failure("too_large", message));
    }
    if !answer.head().is_ok() {
        let said: String = answer.body.trim().chars().take(200).collect();
        let advice = match answer.status {
            404 | 410 => "; there is no such page: look for another",
            429 | 503 => "; it is busy: ask again later, or elsewhere",
            401 | 403 => "; it may not be read: look for another",
            _ => "",
        };
        let status = answer.status;
        return Err(failure("status", format!("{host} answered {status}{advice}: {said}")));
    }
    Ok(answer)
}

/// The host of an address of the web, with its port.
fn host_of(url: &str) -> Result<&str, String> {
    let shown = || url.chars().take(100).collect::<String>();
    let rest = ["https://", "http://"].iter().find_map(|s| {
        url.get(..s.len()).filter(|u| u.eq_ignore_ascii_case(s)).map(|_| &url[s.len()..])
    });
    let Some(rest) = rest else {
        return Err(format!("{:?} is no address of the web; expected https://…", shown()));
    };
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if host.contains('@') {
        return Err("the address has a login in it; leave it out".into());
    }
    if host.is_empty() || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(format!("{:?} is no whole address", shown()));
    }
    if url.len() > MAX_URL {
        return Err(format!("the address has {} letters; at most {MAX_URL} are taken", url.len()));
    }
    Ok(host)
}

/// Whether a server could be led out of a folder of its own.
fn has_dot_segments(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = path.to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/");
    path.replace("%5c", "/").split(['/', '\\']).any(|part| part == "." || part == "..")
}

/// An address of the person's, with a place for what a model asks for.
fn check_template(template: &str, place: &str) -> Result<(), String> {
    let host = host_of(template)?;
    if host.contains(place) || has_dot_segments(template) {
        return Err(format!("{template:?} has no server and folder of its own before {place}"));
    }
    host_of(&template.replace(place, "x")).map(drop)
}

/// Refuses pages that no reader should fetch for a model.
fn check_page(url: &str) -> Result<(), String> {
    let host = host_of(url)?;
    // Letters and digits of other scripts, wide points and soft hyphens become others on the way; and
    // some readers take what is behind a backslash or a second colon for the host.
    if url.contains('\\') || has_dot_segments(url) {
        return Err("an address with a backslash or with \"..\" in its path is not opened".into());
    }
    if !host.is_ascii() {
        return Err(format!("{host} is no host; write it in ASCII, as xn--… where it needs that"));
    }
    let private = || Err(format!("{host} is on the own machine or in a private network"));
    if let Some(v6) = host.strip_prefix('[') {
        let (v6, port) = v6.split_once(']').unwrap_or_default();
        if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
            return Err(format!("{host} is no host"));
        }
        return match v6.parse::<Ipv6Addr>() {
            Ok(v6) if is_public_v6(v6) => Ok(()),
            Ok(_) => private(),
            Err(_) => Err(format!("{host} is no host")),
        };
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let is_sign = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
    if !is_port(port) || !name.bytes().all(is_sign) || name.contains("..") {
        return Err(format!("{host} is no host; give its name"));
    }
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    if let Ok(v4) = name.parse::<Ipv4Addr>() {
        return if is_public_v4(v4) { Ok(()) } else { private() };
    }
    // 127.1, 2130706433 and 0x7f000001 are addresses too.
    if last.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("{host} is no host; give its name"));
    }
    let at_home = ["localhost", "local", "internal", "lan", "home", "intranet", "localdomain"];
    if !name.contains('.') || at_home.contains(&last) || name.ends_with("home.arpa") {
        return private();
    }
    Ok(())
}

fn is_port(port: &str) -> bool {
    port.len() <= 5 && port.bytes().all(|b| b.is_ascii_digit())
}

fn is_public_v4(v4: Ipv4Addr) -> bool {
    let [a, b, ..] = v4.octets();
    !(v4.is_private()
        || v4.is_loopback()
        || v4.is_link_local()
        || v4.is_unspecified()
        || v4.is_broadcast()
        || v4.is_multicast()
        || a == 0
        || a >= 240
        // Shared by providers, and for tests between networks.
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (18..20).contains(&b)))
}

fn is_public_v6(v6: Ipv6Addr) -> bool {
    if let Some(v4) = v6.to_ipv4() {
        return is_public_v4(v4);
    }
    let first = v6.segments()[0];
    // What is routed at all begins with 2 or 3; but not what wraps an address of version 4.
    (0x2000..0x4000).contains(&first)
        && first != 0x2002
        && !(first == 0x2001 && v6.segments()[1] == 0)
}

/// A text as a part of an address.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn pages_of_private_networks_and_other_schemes_are_refused() {
        for good in [
            "https://example.org/a?b=c#d",
            "HTTP://example.org:8080",
            "http://8.8.8.8/",
            "https://example.org/\u{e9}?a=..",
            "https://xn--bcher-kva.example:443/a..b/...",
            "https://[2606:4700::1111]/x",
        ] {
            assert_eq!(check_page(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("ftp://example.org", "expected https://"),
            ("file:///etc/passwd", "expected https://"),
            ("javascript:alert(1)", "expected https://"),
            ("https://me:secret@example.org/", "login"),
            ("https://", "no whole address"),
            ("https://exa mple.org", "no whole address"),
            ("http://localhost:8190/v1", "own machine"),
            ("http://router/", "own machine"),
            ("http://nas.local/", "own machine"),
            ("http://metadata.google.internal./x", "own machine"),
            ("http://127.0.0.1/", "own machine"),
            ("http://10.1.2.3/", "own machine"),
            ("http://169.254.169.254/latest", "own machine"),
            ("http://100.64.0.1/", "own machine"),
            ("http://127.1/", "give its name"),
            ("http://2130706433/", "give its name"),
            ("http://0x7f.1/", "give its name"),
            ("http://127.0.0.0x1/", "give its name"),
            ("http://%6cocalhost/", "give its name"),
            ("http://127.0.0.\u{2460}/", "in ASCII"),
            ("http://169.254.169.\u{ff12}\u{ff15}\u{ff14}/", "in ASCII"),
            ("http://a.localhost\u{3002}/", "in ASCII"),
            (
                "http://x.\u{ff4c}\u{ff4f}\u{ff43}\u{ff41}\u{ff4c}\u{ff48}\u{ff4f}\u{ff53}\u{ff54}/",
                "in ASCII",
            ),
            ("http://local\u{ad}host/", "in ASCII"),
            ("http://example.org\\@127.0.0.1/", "backslash"),
            ("http://example.org/\\127.0.0.1/", "backslash"),
            ("http://example.org:80:80/", "give its name"),
            ("http://example.org:x/", "give its name"),
            ("http://127.0.0.1../", "give its name"),
            ("http://127.0.0.1./", "own machine"),
            ("http://[::1]x/", "no host"),
            ("http://a.b/../../admin", "\"..\" in its path"),
            ("http://a.b/x/%2E%2e/admin", "\"..\" in its path"),
            ("http://a.b/x%2F..%2Fadmin", "\"..\" in its path"),
            ("http://[::1]/", "own machine"),
            ("http://[::ffff:10.0.0.1]/", "own machine"),
            ("http://[fd00::1]/", "own machine"),
            ("http://[2002:7f00:1::]/", "own machine"),
        ] {
            let error = check_page(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
        let long = format!("https://example.org/{}", "a".repeat(MAX_URL));
        assert!(check_page(&long).unwrap_err().contains("at most 2000"));
    }

    #[test]
    fn endpoints_are_checked_before_a_run() {
        let with = |reader: &str, search: &str| {
            let web = WebTools {
                reader: Some(reader.into()),
                search: Some(search.into()),
                ..WebTools::default()
            };
            web.check()
        };
        assert_eq!(with("http://127.0.0.1:3000/{url}", "https://searx.example"), Ok(()));
        for bad in ["https://{url}", "https://x{url}.example/", "https://reader.example/../{url}"] {
            assert!(with(bad, "https://s.example").unwrap_err().contains("of its own"), "{bad}");
        }
        assert!(with("https://reader.example/{url}", "https://{query}/").is_err());
        assert!(with("https://reader.example/", "x").unwrap_err().contains("no {url}"));
        assert!(
            with("https://r.example/{url}", "searx").unwrap_err().contains("expected https://")
        );
    }
}
