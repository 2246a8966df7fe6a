//! What comes to the page from outside: links, addresses, lessons, packed files.

use app::state::address::Address;
use app::state::fragment::Fragment;
use app::state::lesson::parse;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use llm::{ApiKey, Scrub, scrub::Stream};
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
        // What hostile code may say through Python's frame.
        Target::new(
            "python_frame",
            8192,
            |data| drop(protocol::python::read(&text(data))),
            |_| {
                let known: [&[u8]; 4] = [
                    br#"{"v":1,"ready":{}}"#,
                    br#"{"v":1,"broken":{"message":"m"}}"#,
                    br#"{"v":1,"reply":{"id":3,"ok":true,"output":"","result":[1],"result_text":"","graph":{"directed":true,"nodes":[{"id":null,"key":7,"labels":[],"properties":{}}],"edges":[]},"took_ms":2}}"#,
                    br#"{"v":1,"reply":{"id":4,"ok":false,"kind":"too_large","message":"m","line":1,"output":"o"}}"#,
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
                let scrub = Scrub::new(ApiKey::new("sk-1234567890").as_ref());
                let mut stream = Stream::new(scrub.clone());
                let letters: Vec<char> = text.chars().collect();
                let pieces = letters.chunks(cut % 16 + 1);
                let mut clean: String =
                    pieces.map(|piece| stream.feed(&piece.iter().collect::<String>())).collect();
                clean += &stream.end();
                assert_eq!(clean, scrub.clean(&text), "in pieces and at once");
                assert!(!clean.contains("sk-1234567890"), "{clean:?}");
            },
            |_| {
                let known: [&[u8]; 3] = [
                    b"\x03a sk-1234567890 b sk-123 sk-12sk-1234567890",
                    b"\x01\\u0073k-12345\\\\u00367890 %73k-1234567890 &#115;k-1234567890",
                    b"\x05c2stMTIzNDU2Nzg5MA== NrLTEyMzQ1Njc4OT 2stMTIzNDU2Nzg5M",
                ];
                known.iter().map(|k| k.to_vec()).collect()
            },
        ),
    ]
}
