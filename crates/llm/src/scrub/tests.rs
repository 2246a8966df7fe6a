use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{FinishReason, Part, Retry, ToolCall, Usage};

const KEY: &str = "sk-canary/7f3a+91?x";

fn scrub(key: &str) -> Scrub {
    Scrub::new(ApiKey::new(key).as_ref())
}

/// Every way to write a key that is taken out.
fn forms(key: &str) -> Vec<String> {
    let json = |slashes: usize| -> String {
        key.encode_utf16().map(|c| format!("{}u{c:04x}", "\\".repeat(slashes))).collect()
    };
    let some: String =
        key.chars().map(|c| if c == 'a' { "\\u0061".into() } else { c.to_string() }).collect();
    vec![
        key.to_owned(),
        json(1),
        json(2),
        json(4),
        some,
        key.replace('/', "\\/"),
        key.bytes().map(|b| format!("%{b:02X}")).collect(),
        key.replace('/', "%2F").replace('+', "%2b").replace('?', "%3F"),
        key.chars().map(|c| format!("&#{};", c as u32)).collect(),
        key.chars().map(|c| format!("&#x{:x};", c as u32)).collect(),
        key.chars().map(|c| format!("\\x{:02x}", c as u32)).collect(),
        STANDARD.encode(key),
        URL_SAFE_NO_PAD.encode(key),
        STANDARD.encode(key).bytes().map(|b| format!("%{b:02x}")).collect(),
    ]
}

#[test]
fn a_key_is_found_in_every_form() {
    for form in forms(KEY) {
        for text in [form.clone(), format!("wrong key {form}, again {form}"), format!("ä{form}ä")]
        {
            let clean = scrub(KEY).clean(&text).into_owned();
            assert_eq!(clean, text.replace(&form, MARK), "{text}");
        }
    }
}

#[test]
fn a_key_within_something_in_base64_is_found_at_every_offset() {
    for before in ["", "a", "ab", "abc", "user:", "Bearer "] {
        for after in ["", "z", "zz", " and more"] {
            for text in [
                STANDARD.encode(format!("{before}{KEY}{after}")),
                URL_SAFE_NO_PAD.encode(format!("{before}{KEY}{after}")),
            ] {
                let clean = scrub(KEY).clean(&text).into_owned();
                assert!(clean.contains(MARK), "{before:?} {after:?}: {clean}");
                // What is left has at most the bits that a letter shares with its neighbours.
                let left: usize = clean.replace(MARK, "").len();
                assert!(left <= text.len() - KEY.len() * 4 / 3 + 2, "{clean} of {text}");
            }
        }
    }
}

#[test]
fn other_texts_stay_as_they_are() {
    for text in
        ["", "sk-canary", "100 % of \\u00e4 &amp; &#228; %zz \\", "%", "&#", "\\u12", "🦀%F0%9F"]
    {
        assert_eq!(scrub(KEY).clean(text), text);
        assert!(matches!(scrub(KEY).clean(text), Cow::Borrowed(_)));
    }
    assert_eq!(scrub("ab").clean("cab"), "cab", "a word is no key");
    assert_eq!(Scrub::new(None).clean(KEY), KEY);
}

#[test]
fn wherever_a_text_is_cut_the_key_is_gone_and_the_rest_is_there() {
    let key = "sk-sk-kä-1";
    let escaped = key.replace('k', "\\u006b").replace('ä', "%C3%A4");
    let text = format!("no \\ sk-{key}, {escaped} 5% {key}{key} & {} sk-sk", STANDARD.encode(key));
    let expected =
        text.replace(key, MARK).replace(&escaped, MARK).replace(&STANDARD.encode(key), MARK);
    let cuts: Vec<usize> = (0..=text.len()).filter(|n| text.is_char_boundary(*n)).collect();
    for (i, &a) in cuts.iter().enumerate() {
        for &b in &cuts[i..] {
            let mut stream = Stream::new(scrub(key));
            let mut clean = stream.feed(&text[..a]);
            clean += &stream.feed(&text[a..b]);
            clean += &stream.feed(&text[b..]);
            clean += &stream.end();
            assert_eq!(clean, expected, "cut at {a} and {b}");
        }
    }
}

#[test]
fn every_text_of_an_answer_is_cleaned() {
    let said = || format!("<{KEY}>");
    let mut message = Message::assistant(said());
    message.reasoning = Some(said());
    message.tool_call_id = Some(said());
    message.tool_calls =
        vec![ToolCall { id: said(), name: said(), arguments: json!({ "a": said() }).to_string() }];
    let items = vec![json!({ "b": [said(), 1, null], said(): {} })];
    message.echo = Some(crate::Echo { provider: "x".into(), items });
    let answer =
        ChatResponse { message, finish: FinishReason::Other(said()), usage: Usage::default() };
    let clean = scrub(KEY).outcome(Ok(answer)).unwrap();
    let text = serde_json::to_string(&clean).unwrap();
    assert!(!text.contains("canary"), "{text}");
    assert_eq!(text.matches("<***>").count(), 9, "{text}");
}

#[test]
fn every_text_of_an_error_is_cleaned() {
    let said = || format!("<{KEY}>");
    for error in [
        ModelError::Unreachable { url: said(), reason: said() },
        ModelError::Status { status: 401, message: said(), hint: said(), retry: Retry::Never },
        ModelError::ContextOverflow { message: said(), limit: None, hint: said() },
        ModelError::Broken { reason: said() },
        ModelError::TimedOut { url: said(), seconds: 1 },
        ModelError::NotJson { found: said() },
        ModelError::Shape { missing: said(), protocol: said() },
        ModelError::Scripted(said()),
    ] {
        let text = scrub(KEY).error(error).to_string();
        assert!(!text.contains("canary") && text.contains("<***>"), "{text}");
    }
}

#[test]
fn what_is_shown_while_it_comes_never_has_the_key() {
    let mut parts = CleanParts::new(scrub(KEY));
    let letters = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let (mut text, mut thoughts, mut arguments) = (String::new(), String::new(), String::new());
    for piece in letters(&format!("Your key is {KEY}.")) {
        let (Part::Text { text: a }, Part::Reasoning { text: b }, Part::Call { arguments: c, .. }) = (
            parts.feed(Part::Text { text: piece.clone() }),
            parts.feed(Part::Reasoning { text: piece.clone() }),
            parts.feed(Part::Call { index: 1, name: "f".into(), arguments: piece }),
        ) else {
            panic!("another kind")
        };
        text += &a;
        thoughts += &b;
        arguments += &c;
    }
    for shown in [text, thoughts, arguments] {
        assert_eq!(shown, "Your key is ***.");
    }
}

#[test]
fn the_password_of_a_pair_is_taken_out_by_itself() {
    let pair = scrub("neo4j:correct-horse");
    assert_eq!(pair.clean("for neo4j:correct-horse"), "for ***");
    assert_eq!(pair.clean("neo4j said correct-horse"), "neo4j said ***");
    let basic = format!("Basic {}", STANDARD.encode("neo4j:correct-horse"));
    assert_eq!(pair.clean(&basic), "Basic ***");
}

proptest! {
    #[test]
    fn in_any_pieces_a_text_is_as_clean_as_in_one(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "sk-", "canary", "/7f3a", "+91", "?x", "\\u0073", "\\", "u00", "%", "2F", "7f3a", "&#1",
                "15;", "ä", " ", "c2st", "Y2Fu",
            ]),
            0..40,
        ),
    ) {
        let text = pieces.concat();
        let scrub = scrub(KEY);
        let mut stream = Stream::new(scrub.clone());
        let mut clean: String = pieces.iter().map(|piece| stream.feed(piece)).collect();
        clean += &stream.end();
        prop_assert_eq!(clean, scrub.clean(&text));
    }

    #[test]
    fn no_text_panics(text in "(?s).{0,200}", key in "[ -~]{6,40}") {
        let scrub = scrub(&key);
        let clean = scrub.clean(&text).into_owned();
        prop_assert!(!key.trim().is_empty() || clean == text);
        let again = scrub.clean(&format!("{text}{}", key.trim())).into_owned();
        prop_assert!(key.trim().len() < SHORTEST || !again.contains(key.trim()) || MARK.contains(key.trim()));
    }
}
