//! Who may ask: this machine, and the pages that the person names.
//!
//! A browser lets any page send requests to the loopback. It says in `Origin` which page asks, so
//! a page of another origin is refused. A page whose name was pointed to 127.0.0.1 after it was
//! loaded (DNS rebinding) has the right origin and the wrong `Host`, so that is held too.

use std::net::{Ipv4Addr, Ipv6Addr};

use anyhow::{Result, bail};
use hyper::header::{self, HeaderMap, HeaderValue};

/// The page origins that a server answers beside those of this machine.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Origins {
    /// Also answers pages of this origin, such as `https://teach.example`, and requests for its host;
    /// `null` is a page that was opened from a disk. May be given several times.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    allowed: Vec<String>,
}

/// Decides by a request's headers whether it is answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard {
    /// As a browser writes them.
    origins: Vec<String>,
    /// The hosts of those, with the port if they have one.
    hosts: Vec<String>,
}

/// A request that is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// What the client is told.
    pub(crate) message: String,
    /// The origin that `--allow-origin` would let in.
    pub(crate) origin: Option<String>,
}

impl Origins {
    /// # Errors
    /// If one of them is no origin.
    pub(crate) fn guard(&self) -> Result<Guard> {
        let mut guard = Guard::default();
        for given in &self.allowed {
            if given == "null" {
                guard.origins.push(given.clone());
                continue;
            }
            let Some((_, host)) = split(given) else {
                bail!(
                    "--allow-origin {given:?} is no origin; expected a scheme and a host such as \
                     https://teach.example or http://localhost:8080, or null for a page from a disk"
                );
            };
            guard.hosts.push(host.to_ascii_lowercase());
            guard.origins.push(given.to_ascii_lowercase());
        }
        Ok(guard)
    }
}

/// Scheme and host of an origin as a browser writes it: no path, no user.
fn split(origin: &str) -> Option<(&str, &str)> {
    let (scheme, host) = origin.split_once("://")?;
    let is_scheme = matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https");
    let is_host =
        !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || "-._:[]".contains(c));
    (is_scheme && is_host).then_some((scheme, host))
}

/// Whether a host, with a port or without, is this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if port.is_empty() || is_port(port) => {
                return name.parse().is_ok_and(|ip: Ipv6Addr| ip.is_loopback());
            }
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            Some(_) => return false,
            None => host,
        },
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback())
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|p| p.bytes().all(|b| b.is_ascii_digit()))
}

impl Guard {
    /// The origin that may read the answer, if a page asks; a program sends none.
    ///
    /// # Errors
    /// If the request comes from a page that may not ask, or is for another host.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<Option<HeaderValue>, Refused> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|h| h.to_str().ok()).unwrap_or_default();
        let is_known = is_loopback(host) || self.hosts.contains(&host.to_ascii_lowercase());
        if !is_known || hosts.next().is_some() {
            return Err(Refused {
                message: format!(
                    "this server is for 127.0.0.1 and localhost, not for the host {:?}; another \
                     name needs --allow-origin with the address of its page",
                    printable(host)
                ),
                origin: None,
            });
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let origin = origins.next();
        let text = origin.and_then(|o| o.to_str().ok()).unwrap_or_default();
        let is_ours = split(text).is_some_and(|(_, host)| is_loopback(host));
        let is_named = self.origins.contains(&text.to_ascii_lowercase());
        match origin {
            Some(origin) if (is_ours || is_named) && origins.next().is_none() => {
                Ok(Some(origin.clone()))
            }
            Some(_) => {
                let page = printable(text);
                let can_be_named = page == "null" || split(&page).is_some();
                Err(Refused {
                    message: if can_be_named {
                        format!(
                            "pages of the origin {page} may not ask this server; start it with \
                             --allow-origin {page} to let them"
                        )
                    } else {
                        format!("{page:?} is no origin that may ask this server")
                    },
                    origin: can_be_named.then_some(page),
                })
            }
            // A form, a picture or a link of a page elsewhere: browsers mark those.
            None if is_cross_site(headers) => Err(Refused {
                message: "a page of another site may not send requests here".into(),
                origin: None,
            }),
            None => Ok(None),
        }
    }
}

fn is_cross_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site")
}

/// What a client sent, fit for a terminal and a log.
fn printable(text: &str) -> String {
    text.chars().filter(char::is_ascii_graphic).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(allowed: &[&str]) -> Guard {
        Origins { allowed: allowed.iter().map(|a| (*a).to_owned()).collect() }.guard().unwrap()
    }

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn ask(guard: &Guard, list: &[(&'static str, &str)]) -> Result<Option<String>, Refused> {
        let origin = guard.check(&headers(list))?;
        Ok(origin.map(|o| o.to_str().unwrap().to_owned()))
    }

    #[test]
    fn this_machine_is_answered_under_its_own_names_alone() {
        for host in
            ["127.0.0.1:8190", "localhost", "LOCALHOST:1", "[::1]:8190", "127.8.0.1", "[::1]"]
        {
            assert_eq!(ask(&guard(&[]), &[("host", host)]), Ok(None), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "127.0.0.1@evil",
            "evil:127.0.0.1",
            "[::1",
            "[::1]evil",
            "10.0.0.1",
            "0.0.0.0:80",
            "[::2]",
            "127.1",
        ] {
            assert!(ask(&guard(&[]), &[("host", host)]).is_err(), "{host}");
        }
        assert!(ask(&guard(&[]), &[]).is_err(), "no host at all");
        let two = [("host", "localhost"), ("host", "evil.example")];
        assert!(ask(&guard(&[]), &two).is_err(), "two hosts");
    }

    #[test]
    fn pages_of_this_machine_and_named_ones_are_answered() {
        let of = |origin| [("host", "127.0.0.1:1"), ("origin", origin)];
        for origin in ["http://localhost:8080", "http://127.0.0.1:9", "https://[::1]:3"] {
            assert_eq!(ask(&guard(&[]), &of(origin)), Ok(Some(origin.into())), "{origin}");
        }
        for origin in ["https://teach.example", "null", "http://localhost.evil.example"] {
            let refused = ask(&guard(&[]), &of(origin)).unwrap_err();
            assert!(refused.message.contains(&format!("--allow-origin {origin} ")), "{refused:?}");
            assert_eq!(refused.origin.as_deref(), Some(origin));
            assert_eq!(ask(&guard(&[origin]), &of(origin)), Ok(Some(origin.into())));
        }
        for origin in ["", "file://", "chrome-extension://abc", "http://a\tb", "localhost", "*"] {
            assert!(ask(&guard(&[]), &of(origin)).is_err(), "{origin}");
        }
        let named = guard(&["https://Teach.example"]);
        assert!(ask(&named, &of("http://teach.example")).is_err(), "another scheme");
        assert!(ask(&named, &of("https://teach.example:8")).is_err(), "another port");
        assert!(ask(&named, &[("host", "teach.example")]).is_ok(), "behind a proxy");
        let two = [("host", "localhost"), ("origin", "null"), ("origin", "https://teach.example")];
        assert!(ask(&named, &two).is_err(), "two origins");
    }

    #[test]
    fn what_a_browser_sends_for_a_page_elsewhere_without_an_origin_is_refused() {
        let of = |site| [("host", "localhost"), ("sec-fetch-site", site)];
        assert!(ask(&guard(&[]), &of("cross-site")).is_err());
        // The address bar, and a page of this machine.
        assert_eq!(ask(&guard(&[]), &of("none")), Ok(None));
        assert_eq!(ask(&guard(&[]), &of("same-origin")), Ok(None));
    }

    #[test]
    fn an_origin_that_is_none_is_refused_at_the_start() {
        for wrong in ["teach.example", "https://", "https://a/b", "https://u@h", "*", ""] {
            let error = Origins { allowed: vec![wrong.into()] }.guard().unwrap_err();
            assert!(error.to_string().contains("is no origin"), "{error}");
        }
    }
}
