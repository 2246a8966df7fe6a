//! What comes to the page from outside: links, addresses, lessons, packed files.

use app::state::address::Address;
use app::state::fragment::Fragment;
use app::state::lesson::parse;
use app::state::scrub::Scrub;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;

use crate::{Target, choice, text};

const KINDS: [&str; 4] = ["problem", "graph", "rescue", "trace"];

/// A link that holds a text.
fn link(kind: &str, content: &[u8]) -> String {
    format!("v1.{kind}.{}", URL_SAFE_NO_PAD.encode(compress_to_vec(content, 6)))
}

fn contents() -> Vec<(usize, Vec<u8>)> {
    let problem = br#"{"task":"cycle","graph":"0-1","question":"q","wording":"benchmark","style":"zero_shot"}"#;
    vec![
        (0, problem.to_vec()),
        (1, b"a-b\nb-c".to_vec()),
        (2, include_bytes!("../../../assets/scenarios/nine-locations.json").to_vec()),
        (3, include_bytes!("../../seeds/trace.json").to_vec()),
    ]
}

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target::new(
            "link",
            4096,
            |data| drop(engine::link::read(&text(data))),
            |_| contents().iter().map(|(k, c)| link(KINDS[*k], c).into_bytes()).collect(),
        ),
        Target::new(
            "link_content",
            16_384,
            |data| {
                let (which, rest) = choice(data);
                drop(engine::link::read(&link(KINDS[which % KINDS.len()], rest)));
            },
            |_| contents().iter().map(|(k, c)| [&[*k as u8][..], c].concat()).collect(),
        ),
        Target::new(
            "address",
            2048,
            |data| {
                let text = text(data);
                let _ = Fragment::parse(&text);
                drop(Address::parse(&text));
            },
            |_| {
                let known: [&[u8]; 5] = [
                    b"#/solve?task=cycle&gen=er,5,1&seed=1&p=%41%c3%a4",
                    b"#v1.problem.AAAA?x=1",
                    b"#lesson=friends&step=2",
                    b"https://user@[::1]:8080/v1/chat?x#y",
                    b"http://192.168.0.1.nip.io:99999/",
                ];
                known.iter().map(|k| k.to_vec()).collect()
            },
        ),
        Target::new(
            "lesson",
            8192,
            |data| drop(parse(&text(data))),
            |places| places.files("assets/lessons", ".md"),
        ),
        Target::new(
            "gunzip",
            4096,
            |data| drop(engine::gunzip(data, 100_000)),
            |_| {
                use std::io::Write as _;
                let mut to = flate2::GzBuilder::new()
                    .filename("a.json")
                    .comment("c")
                    .extra(vec![1, 2, 3])
                    .write(Vec::new(), flate2::Compression::fast());
                let _ = to.write_all(b"{\"a\": [1, 2, 3]}\n");
                to.finish().into_iter().collect()
            },
        ),
        Target::new(
            "scrub",
            512,
            |data| {
                let (cut, rest) = choice(data);
                let text = text(rest);
                let mut scrub = Scrub::new(Some("sk-1234567890"));
                let mut clean = String::new();
                let letters: Vec<char> = text.chars().collect();
                for piece in letters.chunks(cut % 16 + 1) {
                    clean += &scrub.feed(&piece.iter().collect::<String>());
                }
                clean += &scrub.end();
                assert!(!clean.contains("sk-1234567890"), "{clean:?}");
            },
            |_| vec![b"\x03a sk-1234567890 b sk-123 sk-12sk-1234567890".to_vec()],
        ),
    ]
}
