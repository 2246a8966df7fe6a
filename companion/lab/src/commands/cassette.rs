//! `graphground cassette record`: what a real endpoint says to the common cases, as tapes for the
//! tests of `llm`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent::Sink;
use anyhow::{Context as _, Result, bail};
use llm::{
    ChatRequest, Decoder, Endpoint, HttpHead, Message, ModelError, PROVIDERS, Provider, ToolCall,
    ToolChoice, ToolSpec, providers,
};
use serde_json::{Value, json};

use companion::http::Client;
use companion::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Asks an endpoint each common case and writes what it says.
    Record(Record),
}

#[derive(clap::Args)]
struct Record {
    /// The protocol: openai, responses, anthropic, gemini or ollama.
    provider: String,
    /// The model's name at the endpoint.
    #[arg(long)]
    model: String,
    /// The endpoint's address; without it, the protocol's usual one.
    #[arg(long)]
    base_url: Option<String>,
    /// The environment variable that holds the key. The key itself is never written.
    #[arg(long)]
    key_env: Option<String>,
    /// The folder for the tapes, one folder a case.
    #[arg(long)]
    out: PathBuf,
    /// What the tapes say that they are from, such as a server and its version; the address if left
    /// out.
    #[arg(long)]
    source: Option<String>,
    /// Also asks a question of so many words, more than the model can read. It may cost something.
    #[arg(long, value_name = "WORDS")]
    overflow: Option<usize>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let What::Record(record) = &args.what;
    let Some(provider) = providers::find(&record.provider) else {
        let known: Vec<&str> = PROVIDERS.iter().map(|p| p.id).collect();
        bail!("{:?} is no protocol: it must be one of {}", record.provider, known.join(", "));
    };
    let key = companion::commands::asked::key(record.key_env.as_deref())?;
    let base_url = record.base_url.as_deref().unwrap_or(provider.example_url);
    let recorder = Recorder {
        provider,
        endpoint: Endpoint::new(provider.id, base_url),
        client: Client::new(key),
        out: &record.out,
        source: record.source.as_deref().unwrap_or(base_url),
    };
    let mut out = output::stdout();
    let overflow = record.overflow.map(|n| ChatRequest {
        model: record.model.clone(),
        messages: vec![Message::user("edge ".repeat(n))],
        ..ChatRequest::default()
    });
    let mut cases = cases(&record.model);
    cases.extend(overflow.map(|chat| ("context_overflow", false, Some(chat))));
    for (name, stream, chat) in cases {
        let said = recorder.record(name, stream, chat.as_ref())?;
        writeln!(out, "{name}: {said}")?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The cases that a well-behaved endpoint can be brought to: name, whether streamed, what is asked.
fn cases(model: &str) -> Vec<(&'static str, bool, Option<ChatRequest>)> {
    let chat = |messages: Vec<Message>| ChatRequest {
        model: model.to_owned(),
        messages,
        ..ChatRequest::default()
    };
    let plain = chat(vec![
        Message::system("Answer in one sentence."),
        Message::user("How many edges has a tree of 5 nodes?"),
    ]);
    let tool = ToolSpec {
        name: "has_edge".into(),
        description: "Tells whether two nodes are joined by an edge.".into(),
        parameters: json!({
            "type": "object",
            "properties": { "source": { "type": "integer" }, "target": { "type": "integer" } },
            "required": ["source", "target"],
            "additionalProperties": false,
        }),
    };
    let with_tool = |messages| ChatRequest { tools: vec![tool.clone()], ..chat(messages) };
    let one = with_tool(vec![Message::user("Is there an edge between 0 and 3? Use the function.")]);
    let two = with_tool(vec![Message::user(
        "Which of the edges (0,1) and (1,2) are there? Use the function for both at once.",
    )]);
    let forced = ChatRequest { tool_choice: ToolChoice::Required, ..one.clone() };
    let call = |id: &str, arguments: &str| ToolCall {
        id: id.into(),
        name: "has_edge".into(),
        arguments: arguments.into(),
    };
    let mut asked = Message::assistant("");
    asked.tool_calls = vec![
        call("call_b1", "{\"source\":0,\"target\":1}"),
        call("call_b2", "{\"source\":1,\"target\":2}"),
    ];
    let follow_up = with_tool(vec![
        two.messages[0].clone(),
        asked,
        Message::tool("call_b1", "{\"result\":true}"),
        Message::tool("call_b2", "{\"result\":false}"),
    ]);
    let short = ChatRequest { max_tokens: Some(16), ..chat(vec![Message::user("Count to 100.")]) };
    let nobody = ChatRequest { model: "there-is-no-such-model".into(), ..plain.clone() };
    vec![
        ("list_of_models", false, None),
        ("plain_answer", false, Some(plain.clone())),
        ("one_tool_call", false, Some(one)),
        ("parallel_tool_calls", false, Some(two.clone())),
        ("forced_tool_call", false, Some(forced.clone())),
        ("tool_result_follow_up", false, Some(follow_up)),
        ("length_stop", false, Some(short)),
        ("error_404", false, Some(nobody)),
        ("stream_plain", true, Some(plain)),
        ("stream_tool_calls", true, Some(two)),
        ("stream_forced_tool_call", true, Some(forced)),
    ]
}

struct Recorder<'a> {
    provider: &'static Provider,
    endpoint: Endpoint,
    client: Client,
    out: &'a Path,
    source: &'a str,
}

/// Keeps the bytes of a stream.
#[derive(Default)]
struct Kept {
    head: HttpHead,
    bytes: Vec<u8>,
}

impl Sink for Kept {
    fn head(&mut self, head: HttpHead) {
        self.head = head;
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<bool, ModelError> {
        self.bytes.extend_from_slice(bytes);
        Ok(true)
    }
}

impl Recorder<'_> {
    /// Records one case, and says what came of it.
    fn record(&self, name: &str, stream: bool, chat: Option<&ChatRequest>) -> Result<String> {
        let provider = self.provider;
        let request = match chat {
            Some(chat) => (provider.request)(&self.endpoint, chat, stream),
            None => (provider.list_models)(&self.endpoint),
        };
        let asked = json!({
            "method": request.method, "url": request.url, "headers": request.headers,
            "body": serde_json::from_str::<Value>(&request.body).unwrap_or(Value::Null),
        });
        let mut kept = Kept::default();
        self.client.listen(&self.endpoint, request, &mut kept)?;
        let Kept { head, bytes } = kept;
        // A key that an endpoint quotes back stays out of the tape.
        let text = self.client.scrub().clean(&String::from_utf8_lossy(&bytes)).into_owned();
        let is_events = stream && head.is_ok();
        let read = if is_events {
            let mut decoder = Decoder::new(provider, head.clone());
            decoder.feed(text.as_bytes()).map(drop).and_then(|()| decoder.finish())
        } else if chat.is_some() {
            (provider.response)(&head.clone().with_body(text.clone()))
        } else {
            let models = (provider.models)(&head.clone().with_body(text.clone()));
            return self.write(
                name,
                &asked,
                stream,
                chat,
                &head,
                &text,
                match models {
                    Ok(models) => json!({ "models": models }),
                    Err(error) => json!({ "error": error.to_string() }),
                },
            );
        };
        // In a stream a key may come in pieces, which are on the tape as they came.
        if self.client.scrub().outcome(read.clone()) != read {
            bail!("{name}: the endpoint repeats the key in pieces, so this case is not recorded");
        }
        let gives = match read {
            Ok(answer) => json!({ "chat": answer }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        self.write(name, &asked, stream, chat, &head, &text, gives)
    }

    #[expect(clippy::too_many_arguments, reason = "each is a part of the tape")]
    fn write(
        &self,
        name: &str,
        asked: &Value,
        stream: bool,
        chat: Option<&ChatRequest>,
        head: &HttpHead,
        text: &str,
        gives: Value,
    ) -> Result<String> {
        let body = match serde_json::from_str::<Value>(text) {
            Ok(body) if !stream => body,
            _ if stream => Value::Null,
            _ => bail!("{name}: the endpoint answered something that is no JSON: {gives}"),
        };
        let source = self.source;
        let mut request = json!({ "source": source, "recorded": true, "endpoint": self.endpoint });
        if stream {
            request["stream"] = true.into();
        }
        if let Some(chat) = chat {
            request["chat"] = serde_json::to_value(chat)?;
        }
        request["http"] = asked.clone();
        let mut http = serde_json::to_value(head)?;
        http["body"] = body;
        let said: String = gives.to_string().chars().take(100).collect();
        let response = json!({ "source": source, "recorded": true, "http": http, "gives": gives });
        let folder = self.out.join(name);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for (file, value) in [("request.json", request), ("response.json", response)] {
            let mut value = value;
            self.client.scrub().value(&mut value);
            let text = format!("{}\n", serde_json::to_string_pretty(&value)?);
            let path = folder.join(file);
            output::write(&path, text)?;
        }
        if stream {
            let path = folder.join("stream.txt");
            output::write(&path, text)?;
        }
        Ok(said)
    }
}
