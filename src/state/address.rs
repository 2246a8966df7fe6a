//! Addresses of endpoints: what they are, and from where a browser lets a page ask them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use llm::Endpoint;

/// Where a host is, as browsers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// This machine.
    Loopback,
    /// This network.
    Local,
    /// Anywhere else.
    Public,
}

impl Space {
    /// The value of `targetAddressSpace` that lets a page ask there. A wrong one is blocked, so
    /// nothing is said of public hosts.
    pub fn target(self) -> Option<&'static str> {
        match self {
            Self::Loopback => Some("loopback"),
            Self::Local => Some("local"),
            Self::Public => None,
        }
    }
}

/// An address, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Whether it is `https`.
    pub is_https: bool,
    /// The host, in lower case, without brackets.
    pub host: String,
    /// The port, also where the address leaves it out.
    pub port: u16,
    /// The path, without a slash at its end and without a query.
    pub path: String,
}

impl Address {
    /// Takes an address apart.
    ///
    /// # Errors
    /// It is none; the words say what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("Type the endpoint's address, such as http://127.0.0.1:8190/v1".into());
        }
        let (is_https, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, rest),
            _ => {
                return Err(format!(
                    "{text:?} is no address: it must start with http:// or https://"
                ));
            }
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.contains('@') {
            return Err("Put the key into its own field, not into the address".into());
        }
        if path.contains('#') {
            return Err(format!("{text:?} has a hash; an endpoint's address ends with its path"));
        }
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if query.split('&').any(is_secret) {
            return Err(
                "Put the key into its own field, not behind the question mark of the address"
                    .into(),
            );
        }
        let (host, port) = match authority.strip_prefix('[') {
            Some(inner) => {
                let (host, after) = inner
                    .split_once(']')
                    .ok_or_else(|| format!("{text:?} has a bracket that does not close"))?;
                (host, after.strip_prefix(':'))
            }
            None => match authority.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, None),
            },
        };
        let port = match port {
            None | Some("") => {
                if is_https {
                    443
                } else {
                    80
                }
            }
            Some(port) => port
                .parse()
                .map_err(|_| format!("{port:?} is no port: it must be a number from 1 to 65535"))?,
        };
        if host.is_empty() || host.contains(char::is_whitespace) {
            return Err(format!("{text:?} names no host"));
        }
        let host = host.to_ascii_lowercase();
        Ok(Self { is_https, host, port, path: path.trim_end_matches('/').to_owned() })
    }

    /// Scheme, host and port, as a security policy names them.
    pub fn origin(&self) -> String {
        let scheme = if self.is_https { "https" } else { "http" };
        let host =
            if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let usual = if self.is_https { 443 } else { 80 };
        if self.port == usual {
            return format!("{scheme}://{host}");
        }
        format!("{scheme}://{host}:{}", self.port)
    }

    /// Where the host is.
    pub fn space(&self) -> Space {
        match self.host.parse::<IpAddr>() {
            Ok(IpAddr::V4(ip)) => space_v4(ip),
            Ok(IpAddr::V6(ip)) => space_v6(ip),
            Err(_) if self.host == "localhost" || self.host.ends_with(".localhost") => {
                Space::Loopback
            }
            Err(_) if self.host.ends_with(".local") => Space::Local,
            Err(_) => Space::Public,
        }
    }
}

/// Whether a part of a query may be a key, by its name.
fn is_secret(part: &str) -> bool {
    let name = part.split('=').next().unwrap_or_default().to_ascii_lowercase();
    ["key", "token", "secret", "sig", "password", "auth"].iter().any(|word| name.contains(word))
}

fn space_v4(ip: Ipv4Addr) -> Space {
    if ip.is_loopback() {
        Space::Loopback
    } else if ip.is_private() || ip.is_link_local() {
        Space::Local
    } else {
        Space::Public
    }
}

fn space_v6(ip: Ipv6Addr) -> Space {
    if let Some(ip) = ip.to_ipv4_mapped() {
        return space_v4(ip);
    }
    if ip.is_loopback() {
        Space::Loopback
    } else if ip.is_unique_local() || ip.is_unicast_link_local() {
        Space::Local
    } else {
        Space::Public
    }
}

/// Whether a request goes to the endpoint, and so may carry its key.
pub fn is_below(endpoint: &Endpoint, url: &str) -> bool {
    let root = endpoint.root();
    !root.is_empty()
        && url
            .strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart_and_faults_are_named() {
        let at = Address::parse(" HTTP://LocalHost:8190/v1/ ").unwrap();
        assert_eq!((at.host.as_str(), at.port, at.path.as_str()), ("localhost", 8190, "/v1"));
        assert_eq!(at.origin(), "http://localhost:8190");
        assert_eq!(Address::parse("https://[::1]:9/x").unwrap().origin(), "https://[::1]:9");
        assert_eq!(Address::parse("https://a.example/v1/?api-version=1").unwrap().path, "/v1");
        assert_eq!(Address::parse("https://a.example:443").unwrap().origin(), "https://a.example");
        for (text, word) in [
            ("", "http://127.0.0.1"),
            ("localhost:80", "must start with"),
            ("http://key@host", "own field"),
            ("http://host:99999", "65535"),
            ("http:///v1", "no host"),
            ("http://host/v1?key=1", "question mark"),
            ("http://host/v1?v=1&access_token=x", "question mark"),
            ("http://host/v1#top", "hash"),
            ("http://[::1", "bracket"),
        ] {
            let fault = Address::parse(text).unwrap_err();
            assert!(fault.contains(word), "{text}: {fault}");
        }
    }

    #[test]
    fn only_what_is_near_is_called_near() {
        for (host, space) in [
            ("localhost", Space::Loopback),
            ("a.localhost", Space::Loopback),
            ("127.9.0.1", Space::Loopback),
            ("[::1]", Space::Loopback),
            ("[::ffff:127.0.0.1]", Space::Loopback),
            ("10.1.2.3", Space::Local),
            ("172.31.0.1", Space::Local),
            ("192.168.1.5", Space::Local),
            ("nas.local", Space::Local),
            ("[fd00::1]", Space::Local),
            ("172.32.0.1", Space::Public),
            ("api.example.com", Space::Public),
            ("localhost.example.com", Space::Public),
        ] {
            let at = Address::parse(&format!("http://{host}:1/v1")).unwrap();
            assert_eq!(at.space(), space, "{host}");
        }
    }

    #[test]
    fn a_key_goes_to_its_endpoint_alone() {
        let below = |base: &str, url: &str| is_below(&Endpoint::new("openai", base), url);
        let base = "https://api.example.com/v1/";
        assert!(below(base, "https://api.example.com/v1/models"));
        assert!(below("https://a.example/v1?v=1", "https://a.example/v1/models?v=1"));
        assert!(below("https://a.example/v1/chat/completions", "https://a.example/v1/models"));
        assert!(!below(base, "https://api.example.com/v10/models"));
        assert!(!below("https://api.example.com", "https://api.example.com.evil.example/x"));
        assert!(!below("", "https://api.example.com"));
    }
}
