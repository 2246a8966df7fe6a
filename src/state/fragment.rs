//! The part of an address from `#` on, taken apart.
//!
//! `#/<page>?<readable keys>` is what the page writes. Three short forms are read as well:
//! `#v1.<kind>.<payload>`, `#task=…&seed=…` and `#lesson=…`.

use std::collections::BTreeMap;

/// The longest value of a readable key, in characters.
const MAX_VALUE: usize = 500;
/// The longest packed value, in characters; one more than the reader takes, so that it says why.
const MAX_PACKED: usize = 65_537;
/// The most keys; no page knows as many.
const MAX_KEYS: usize = 32;
/// The longest link that every program carries.
pub const SHORT: usize = 2_000;
/// The longest link that is offered.
pub const LONG: usize = 8_000;

/// The code that shows what a link leads to inside another page (`docs/sharing.md`, "In another page").
pub fn frame(link: &str) -> String {
    let more =
        if link.rsplit('#').next().is_some_and(|hash| hash.contains('?')) { '&' } else { '?' };
    let link = format!("{link}{more}embed=1").replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe src=\"{link}\" title=\"Graphground\" width=\"100%\" height=\"640\" style=\"border: 0\"></iframe>"
    )
}

/// Where an address leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The name of a page; empty where there is none.
    pub path: String,
    /// Its keys.
    pub keys: BTreeMap<String, String>,
}

impl Fragment {
    /// Reads what stands in an address, with or without `#`; what cannot be read is left out.
    pub fn parse(text: &str) -> Self {
        let text = text.strip_prefix('#').unwrap_or(text);
        if let Some(rest) = text.strip_prefix('/') {
            let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
            return Self { path: path.to_owned(), keys: keys(query) };
        }
        let (head, more) = text.split_once(['?', '&']).unwrap_or((text, ""));
        if is_packed(head) {
            let mut keys = keys(more);
            keys.insert("s".into(), head.chars().take(MAX_PACKED).collect());
            return Self { path: page_of(head).into(), keys };
        }
        if !head.contains('=') {
            return Self { path: head.to_owned(), keys: keys(more) };
        }
        let mut keys = keys(text);
        let path = match keys.remove("lesson") {
            Some(name) => {
                keys.insert("l".into(), name);
                "lessons"
            }
            None if keys.contains_key("task") => "solve",
            None => "",
        };
        Self { path: path.into(), keys }
    }
}

/// Whether a text is of the form `v1.<kind>.<payload>`, in any version.
fn is_packed(text: &str) -> bool {
    text.strip_prefix('v').and_then(|rest| rest.split_once('.')).is_some_and(|(version, _)| {
        !version.is_empty() && version.chars().all(|c| c.is_ascii_digit())
    })
}

/// The page that shows what is packed.
fn page_of(packed: &str) -> &'static str {
    match packed.split('.').nth(1) {
        Some("trace") => "traces",
        Some("rescue") => "rescue",
        Some("pair") => "compare",
        Some("lesson") => "lessons",
        _ => "solve",
    }
}

fn keys(query: &str) -> BTreeMap<String, String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let read = pairs.take(MAX_KEYS).map(|(key, value)| {
        let most = if key == "s" { MAX_PACKED } else { MAX_VALUE };
        let key: String = key.chars().take(MAX_VALUE).collect();
        (key, decoded(value).chars().take(most).collect())
    });
    read.collect()
}

/// Undoes percent encoding; what is not encoded rightly gives nothing.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|b| char::from(b).to_digit(16));
        let (Some(high), Some(low)) = (digit(), digit()) else { return String::new() };
        bytes.extend(u8::try_from(high * 16 + low));
    }
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> (String, Vec<(String, String)>) {
        let Fragment { path, keys } = Fragment::parse(text);
        (path, keys.into_iter().collect())
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn an_address_and_its_short_forms_are_read() {
        for (text, path, keys) in [
            ("", "", vec![]),
            ("#/", "", vec![]),
            ("#/solve", "solve", vec![]),
            ("#solve", "solve", vec![]),
            ("#/lessons?l=%3Cb%3E", "lessons", pairs(&[("l", "<b>")])),
            (
                "#/solve?s=v1.problem.AB-_&step=2",
                "solve",
                pairs(&[("s", "v1.problem.AB-_"), ("step", "2")]),
            ),
            ("#v1.trace.AB", "traces", pairs(&[("s", "v1.trace.AB")])),
            ("#v1.rescue.AB&embed=1", "rescue", pairs(&[("embed", "1"), ("s", "v1.rescue.AB")])),
            ("#v9.thing.AB", "solve", pairs(&[("s", "v9.thing.AB")])),
            ("#lesson=flow&embed=1", "lessons", pairs(&[("embed", "1"), ("l", "flow")])),
            (
                "#task=shortest_path&gen=er,20,0.2&seed=7&step=4&hide=prompt",
                "solve",
                pairs(&[
                    ("gen", "er,20,0.2"),
                    ("hide", "prompt"),
                    ("seed", "7"),
                    ("step", "4"),
                    ("task", "shortest_path"),
                ]),
            ),
            ("#/solve?task=%E4%BD&seed=%2", "solve", pairs(&[("seed", ""), ("task", "")])),
        ] {
            assert_eq!(parsed(text), (path.to_owned(), keys), "{text}");
        }
    }

    #[test]
    fn a_frame_shows_the_link_and_nothing_that_ends_its_attribute() {
        let code = frame("https://a.example/#/solve?task=cycle&seed=1");
        assert!(
            code.contains("src=\"https://a.example/#/solve?task=cycle&amp;seed=1&amp;embed=1\"")
        );
        assert!(frame("https://a.example/#/lessons").contains("#/lessons?embed=1\""));
        assert_eq!(frame("https://a.example/?\"onload=x#/solve").matches('"').count(), 10);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_read_again(path in "[a-z]{1,9}", value in ".{0,80}") {
            // By the rule of RFC 3986: every byte that is not unreserved, as %XX.
            let encoded: String = value
                .bytes()
                .map(|b| match b {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(b).to_string(),
                    b => format!("%{b:02X}"),
                })
                .collect();
            let fragment = Fragment::parse(&format!("#/{path}?k={encoded}"));
            prop_assert_eq!(fragment.path, path);
            prop_assert_eq!(&fragment.keys["k"], &value);
        }

    #[test]
        fn no_address_breaks_the_reader_and_all_is_bounded(text in "[#/?&=%.v1a-fé]{0,3000}") {
            let fragment = Fragment::parse(&text);
            prop_assert!(fragment.keys.len() <= MAX_KEYS + 1);
            for (key, value) in &fragment.keys {
                prop_assert!(key.chars().count() <= MAX_VALUE);
                prop_assert!(key == "s" || value.chars().count() <= MAX_VALUE);
            }
        }
    }
}
