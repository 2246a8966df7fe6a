//! Writes the request for an endpoint, and reads its stream as it comes. No socket is opened here.
//!
//! `cargo run --package llm --example stream`

use std::error::Error;
use std::io::Write as _;

use llm::{ApiKey, ChatRequest, Decoder, Endpoint, HttpHead, Message, Part, providers};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let endpoint = Endpoint::new("openai", "http://localhost:8000/v1");
    let provider = providers::find(&endpoint.provider).ok_or("no such protocol")?;
    let chat = ChatRequest {
        model: "a-model".into(),
        messages: vec![Message::user("Is there a path from 0 to 4?")],
        ..ChatRequest::default()
    };
    let request = (provider.request)(&endpoint, &chat, true);
    writeln!(out, "{} {}\n{}", request.method, request.url, request.body)?;
    // A key prints as asterisks; only whoever sends the request asks for its headers.
    if let Some(key) = ApiKey::new("not-a-real-one") {
        writeln!(out, "key {key:?}, in {} header", (provider.auth)(&key).len())?;
    }

    // Chunks may be cut anywhere.
    let stream = concat!(
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Yes, \"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"by 0-2-4.\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
    );
    let head = HttpHead {
        status: 200,
        content_type: Some("text/event-stream".into()),
        ..HttpHead::default()
    };
    let mut decoder = Decoder::new(provider, head);
    for chunk in stream.as_bytes().chunks(7) {
        for part in decoder.feed(chunk)? {
            if let Part::Text { text } = part {
                write!(out, "{text}")?;
            }
        }
    }
    let answer = decoder.finish()?;
    writeln!(out, "\nthe whole answer: {}", answer.message.content)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
