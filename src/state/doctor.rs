//! What is wrong with an endpoint: from what was seen to the cause, and what to do about it.
//!
//! `services::doctor` asks; everything here is pure.

use llm::{
    ChatResponse, HttpResponse, LeftCalls, ModelError, ToolSpec, ToolStyle, find_left_calls,
    split_thoughts,
};

use super::address::{Address, Space};
use super::presets::{Preset, allow, at_port, commands};

/// The checks, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The shape of the address.
    Address,
    /// Whether a page from here may ask there at all.
    MixedContent,
    /// Whether the browser lets pages ask this machine or network.
    Permission,
    /// Whether anybody answers this page.
    Reach,
    /// The list of models.
    Models,
    /// A short answer.
    Answer,
    /// A call that the model has to make.
    ToolCall,
    /// The same as a stream.
    Stream,
}

impl Check {
    /// Every check, in order.
    pub const ALL: [Self; 8] = [
        Self::Address,
        Self::MixedContent,
        Self::Permission,
        Self::Reach,
        Self::Models,
        Self::Answer,
        Self::ToolCall,
        Self::Stream,
    ];

    /// The title on the page.
    pub fn title(self) -> &'static str {
        match self {
            Self::Address => "The address",
            Self::MixedContent => "Secure page, insecure server",
            Self::Permission => "The browser's permission",
            Self::Reach => "The server can be reached",
            Self::Models => "The list of models",
            Self::Answer => "A short answer",
            Self::ToolCall => "A tool call",
            Self::Stream => "A streamed tool call",
        }
    }
}

/// What is wrong, and what to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// The cause.
    pub cause: String,
    /// What to do.
    pub fix: String,
    /// Commands to run: where, and the command.
    pub commands: Vec<(String, String)>,
    /// A tool style that may do better; a button sets it.
    pub offers: Option<ToolStyle>,
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It has not begun.
    #[default]
    Waiting,
    /// It is under way.
    Running,
    /// It passed; what was seen.
    Passed(String),
    /// It may work; what speaks against it.
    Warned(Diagnosis),
    /// It failed, for this reason.
    Failed(Diagnosis),
    /// It was skipped, for this reason.
    Skipped(String),
}

impl CheckOutcome {
    /// Whether what follows makes no sense any more.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// Where the page is, and what it asks.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointCase {
    /// This page's own origin.
    pub origin: String,
    /// The address that is checked.
    pub at: Address,
    /// Its protocol.
    pub provider: String,
    /// The model that is to answer; may be empty.
    pub model: String,
    /// Whether a key is sent.
    pub has_key: bool,
}

/// What was seen when the model was told to call a tool.
#[derive(Clone, Debug)]
pub struct StylesSeen {
    /// What came in the style in which the endpoint is asked.
    pub answer: Result<ChatResponse, ModelError>,
    /// Input tokens of that question, and of the same without a tool, where the endpoint tells them.
    pub tokens_with: Option<u64>,
    /// See [`StylesSeen::tokens_with`].
    pub tokens_without: Option<u64>,
    /// Whether a call came in each other style that was tried.
    pub others: Vec<(ToolStyle, bool)>,
}

impl StylesSeen {
    /// Whether the server leaves tools out of what the model reads.
    pub fn has_dropped_tools(&self) -> bool {
        matches!((self.tokens_with, self.tokens_without),
                 (Some(with), Some(without)) if with <= without + FEWEST_TOOL_TOKENS)
    }
}

/// What an answer without a call of its own has in its text, as runs read it.
pub fn left_calls(answer: &ChatResponse, tool: &str) -> LeftCalls {
    let content = &answer.message.content;
    let said = split_thoughts(content).map(|(_, said)| said);
    let tool = ToolSpec {
        name: tool.into(),
        description: String::new(),
        parameters: serde_json::Value::Null,
    };
    find_left_calls(said.as_ref().unwrap_or(content), &[tool])
}

/// What stops a request that carries a key, or JSON, before it is sent.
const PREFLIGHT: &str = " Or it requires the key in the preflight too: browsers first send a request \
                         OPTIONS, always without a key, which the server must answer with 200 and not \
                         with 401.";

/// A tool with a sentence and two arguments is more tokens than this in every template.
const FEWEST_TOOL_TOKENS: u64 = 12;

/// The title of a style on the page.
pub fn title_of(style: ToolStyle) -> &'static str {
    ToolStyle::ALL.iter().find(|(one, ..)| *one == style).map_or("", |(.., title)| title)
}

/// What was seen of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// An answer.
    Answer(HttpResponse),
    /// Nobody there.
    Nobody,
    /// Somebody is there who does not let this page read the answer.
    Hidden,
    /// The same, but without the key the answer can be read.
    HiddenWithKey,
    /// Nothing within so many seconds.
    Silent(u64),
}

fn found(cause: impl Into<String>, fix: impl Into<String>) -> Diagnosis {
    shown(cause, fix, Vec::new())
}

/// A diagnosis with commands. What to do ends in a colon only where they follow it.
fn shown(
    cause: impl Into<String>,
    fix: impl Into<String>,
    commands: Vec<(String, String)>,
) -> Diagnosis {
    let mut fix = fix.into();
    if commands.is_empty() && fix.ends_with(':') {
        fix.pop();
        fix.push('.');
    }
    Diagnosis { cause: cause.into(), fix, commands, offers: None }
}

impl EndpointCase {
    fn preset(&self) -> Option<&'static Preset> {
        (self.at.space() != Space::Public).then(|| at_port(self.at.port, &self.provider)).flatten()
    }

    fn title(&self) -> &'static str {
        self.preset().map_or("the server", |p| p.title)
    }

    fn start(&self) -> Vec<(String, String)> {
        self.preset().map(|p| commands(p.start, &self.origin)).unwrap_or_default()
    }

    /// How the companion's servers are told to let this page ask, where this may be one of them.
    fn ours(&self) -> Vec<(String, String)> {
        if self.at.space() != Space::Loopback || allow(&self.origin).is_empty() {
            return Vec::new();
        }
        commands(
            &[
                ("The scripted models", "graphground serve{allow}"),
                ("A knowledge graph", "graphground kg serve --kg FILE{allow}"),
                ("The functions", "graphground mcp --http 127.0.0.1:8191{allow}"),
            ],
            &self.origin,
        )
    }

    fn is_ollama(&self) -> bool {
        self.provider == "ollama" || self.at.port == 11434
    }

    /// Whether a page from here may ask there at all.
    pub fn mixed_content(&self) -> CheckOutcome {
        let page_is_https = self.origin.starts_with("https://");
        if self.at.is_https || !page_is_https {
            return CheckOutcome::Passed("Both ends fit.".into());
        }
        let fix = "Give the server a certificate (https), or open Graphground from this machine \
                   over http.";
        match self.at.space() {
            Space::Loopback => {
                CheckOutcome::Passed("A secure page may ask its own machine over http.".into())
            }
            Space::Local => CheckOutcome::Warned(found(
                format!(
                    "This page is https and {} is http in the local network: browsers block \
                         that, unless they ask for a permission.",
                    self.at.origin()
                ),
                fix,
            )),
            Space::Public => CheckOutcome::Failed(found(
                format!(
                    "This page is https and {} is http: browsers block that.",
                    self.at.origin()
                ),
                fix,
            )),
        }
    }

    /// Whether the browser lets this page ask there: `granted`, `denied`, `prompt`, or nothing
    /// where the browser has no such permission.
    pub fn permission(&self, state: Option<&str>) -> CheckOutcome {
        let space = self.at.space();
        let here = Address::parse(&self.origin).map_or(Space::Public, |a| a.space());
        if space == Space::Public {
            return CheckOutcome::Skipped("Only needed for this machine or this network.".into());
        }
        if here == Space::Loopback {
            return CheckOutcome::Skipped("Not needed: this page is on this machine too.".into());
        }
        match state {
            None => CheckOutcome::Skipped("This browser has no such permission.".into()),
            Some("denied") => CheckOutcome::Failed(found(
                "The browser was told not to let this page ask this machine or network.",
                "Open the browser's settings for this page (the symbol beside the address), allow \
                 local network access, and check again.",
            )),
            Some("granted") => CheckOutcome::Passed("The browser allows it.".into()),
            Some(_) => CheckOutcome::Passed("The browser will ask once; allow it.".into()),
        }
    }

    /// Whether anybody answers this page.
    pub fn reach(&self, seen: &Seen) -> CheckOutcome {
        let (origin, at, title) = (&self.origin, self.at.origin(), self.title());
        let with_start =
            |cause: String, fix: &str| CheckOutcome::Failed(shown(cause, fix, self.start()));
        let refused = |cause: String, fix: &str| {
            let started = self.start();
            let commands = if started.is_empty() { self.ours() } else { started };
            CheckOutcome::Failed(shown(cause, fix, commands))
        };
        match seen {
            Seen::Answer(http) if http.status == 403 && self.at.space() != Space::Public => {
                refused(
                    format!("{title} answers 403: it does not let {origin} ask."),
                    "Start it so that it lets this page ask:",
                )
            }
            Seen::Answer(http) => {
                CheckOutcome::Passed(format!("{at} answers, with status {}.", http.status))
            }
            Seen::Nobody if self.at.space() == Space::Public => CheckOutcome::Failed(found(
                format!("Nobody answers at {at}."),
                "Check the host's name, the network, and whether something in the browser blocks \
                 the request.",
            )),
            Seen::Nobody => with_start(
                format!("Nobody answers at {at}: {title} is not running, or listens elsewhere."),
                if self.start().is_empty() { "Start it, and check the port." } else { "Start it:" },
            ),
            Seen::Hidden if self.is_ollama() => with_start(
                format!(
                    "Ollama runs, and answers 403 to pages from {origin}: the origin is not \
                         among those it allows."
                ),
                "Start it so that it lets this page ask:",
            ),
            Seen::Hidden => refused(
                format!(
                    "{at} runs, but does not let {origin} read its answers (no \
                         Access-Control-Allow-Origin).{}",
                    if self.has_key { PREFLIGHT } else { "" }
                ),
                if self.start().is_empty() && self.at.space() == Space::Loopback {
                    "Allow this page's origin at the server (CORS). The companion's servers take it \
                     as an argument:"
                } else if self.start().is_empty() {
                    "Allow this page's origin at the server (CORS)."
                } else {
                    "Start it so that it lets this page ask:"
                },
            ),
            Seen::HiddenWithKey => with_start(
                format!(
                    "{at} lets {origin} ask, but not with a key: its \
                         Access-Control-Allow-Headers does not name the header that carries it. A \
                         star there does not cover it in every browser."
                ),
                "Name the headers authorization and content-type at the server, or leave the key \
                 out if the server wants none.",
            ),
            Seen::Silent(seconds) => CheckOutcome::Failed(found(
                format!("{at} takes the connection and says nothing for {seconds} seconds."),
                "It may be loading a model, be busy with another request, or be no web server at \
                 all. Wait, and check again.",
            )),
        }
    }

    /// The list of models.
    pub fn models(&self, list: &Result<Vec<String>, ModelError>) -> CheckOutcome {
        match list {
            Err(error) => self.error(error, "the list of models"),
            Ok(list) if list.is_empty() => CheckOutcome::Warned(Diagnosis {
                cause: "The server lists no models.".into(),
                fix: "Load one, or type the name if you know it.".into(),
                commands: if self.is_ollama() {
                    vec![("Any".into(), "ollama pull qwen3:4b".into())]
                } else {
                    Vec::new()
                },
                offers: None,
            }),
            Ok(list) if self.model.is_empty() => {
                CheckOutcome::Passed(format!("{}. Choose one.", counted(list)))
            }
            Ok(list) if list.iter().any(|m| is_same(m, &self.model)) => {
                CheckOutcome::Passed(format!("{}, {:?} among them.", counted(list), self.model))
            }
            Ok(list) => CheckOutcome::Warned(found(
                format!("{:?} is not in the list.", self.model),
                format!("There are {}.", some_of(list)),
            )),
        }
    }

    /// A short answer.
    pub fn answer(&self, answer: &Result<ChatResponse, ModelError>, took_ms: f64) -> CheckOutcome {
        match answer {
            Err(error) => self.error(error, "a short answer"),
            Ok(answer) => {
                let tokens = answer.usage.total().map_or_else(
                    || "It does not report tokens.".to_owned(),
                    |n| format!("It reports tokens: {n}."),
                );
                CheckOutcome::Passed(format!("It came in {:.1} s. {tokens}", took_ms / 1000.0))
            }
        }
    }

    /// A call that the model has to make. `streamed` is for the same as a stream.
    pub fn tool_call(
        &self,
        answer: &Result<ChatResponse, ModelError>,
        tool: &str,
        streamed: bool,
    ) -> CheckOutcome {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error @ ModelError::Broken { .. }) if streamed => {
                return CheckOutcome::Failed(found(
                    format!("{}.", capital(&error.to_string())),
                    "Streams of this server cannot be relied on: switch streaming off for this \
                     endpoint, above.",
                ));
            }
            Err(error) => return self.error(error, "a tool call"),
        };
        let left = if answer.message.tool_calls.is_empty() {
            left_calls(answer, tool)
        } else {
            LeftCalls::default()
        };
        let Some(call) = answer.message.tool_calls.first().or(left.calls.first()) else {
            let cause = match left.unread {
                Some(why) => format!("The text shows a call, and runs do not read it: {why}."),
                None if streamed => {
                    "As a stream, the call did not come: the model answered in words.".to_owned()
                }
                None => "The model was asked to call a tool, and answered in words.".to_owned(),
            };
            return CheckOutcome::Failed(if streamed {
                found(
                    cause,
                    "Switch streaming off for this endpoint, above, if the check before went well.",
                )
            } else {
                shown(
                    cause,
                    "Take a model that was trained to call tools; some servers also have to be \
                     started so that they read its calls:",
                    self.start(),
                )
            });
        };
        let is_json =
            serde_json::from_str::<serde_json::Value>(&call.arguments).is_ok_and(|a| a.is_object());
        if call.name != tool || !is_json {
            let cause = format!(
                "The call came as {:?} with the arguments {:?}.",
                short(&call.name),
                short(&call.arguments)
            );
            let fix = "Runs will go on, and count such calls as mistakes. A larger model makes \
                       fewer of them.";
            return CheckOutcome::Warned(found(cause, fix));
        }
        let called = format!("It called {tool} with {}.", short(&call.arguments));
        if left.calls.is_empty() {
            return CheckOutcome::Passed(called);
        }
        if streamed {
            let fix = "Runs read it from there.";
            return CheckOutcome::Warned(found("As a stream, the call came as text too.", fix));
        }
        let cause = format!("{called} The call came as text: the server did not read it.");
        let fix = format!(
            "Runs read it from there. With “{}” the model is asked for calls in one form that is \
             easy to read; some servers can also be started so that they read calls:",
            title_of(ToolStyle::Json)
        );
        let diagnosis = shown(cause, fix, self.start());
        CheckOutcome::Warned(Diagnosis { offers: Some(ToolStyle::Json), ..diagnosis })
    }

    /// What comes of a call in the endpoint's own style, and of the other styles where none came;
    /// with the style that the endpoint is to be asked in, where it is another.
    pub fn styles(&self, seen: &StylesSeen, tool: &str) -> (CheckOutcome, Option<ToolStyle>) {
        let (cause, fix, commands) = match self.tool_call(&seen.answer, tool, false) {
            CheckOutcome::Failed(Diagnosis { cause, fix, commands, .. }) => (cause, fix, commands),
            // The question names the tool; what else is offered would not be read.
            CheckOutcome::Warned(Diagnosis { cause, fix, commands, offers: Some(_) })
                if seen.has_dropped_tools() =>
            {
                (cause, fix, commands)
            }
            other => return (other, None),
        };
        let is_dropped = seen.has_dropped_tools();
        let cause = match (seen.tokens_with, seen.tokens_without) {
            (Some(with), Some(without)) if is_dropped => format!(
                "The server leaves tools out of what the model reads: the question has {with} input \
                 tokens with a tool, and {without} without. The model's chat template knows no tools."
            ),
            _ => cause,
        };
        let works = seen.others.iter().find(|(_, called)| *called).map(|(style, _)| *style);
        let style = works.or_else(|| is_dropped.then_some(ToolStyle::Json));
        let Some(style) = style else {
            return (CheckOutcome::Failed(shown(cause, fix, commands)), None);
        };
        let title = title_of(style);
        let fix = match works {
            Some(_) => format!(
                "A call came when the tool was described in the text. The tool style above is now \
                 “{title}”; “Use this endpoint” takes it."
            ),
            None => format!(
                "No call came in the text either: the model may be too small to call tools. The tool \
                 style above is now “{title}”, so that it reads of the tools at least. A larger model, \
                 or one trained to call tools, does better."
            ),
        };
        (CheckOutcome::Warned(found(cause, fix)), Some(style))
    }

    /// What an error means here.
    fn error(&self, error: &ModelError, asked: &str) -> CheckOutcome {
        let words = capital(&error.to_string());
        let lower = words.to_ascii_lowercase();
        let failed = |cause: String, fix: String| CheckOutcome::Failed(found(cause, fix));
        let with_start =
            |fix: &str| CheckOutcome::Failed(shown(format!("{words}."), fix, self.start()));
        if lower.contains("jinja")
            || lower.contains("tool-call-parser")
            || lower.contains("enable-auto-tool-choice")
        {
            return with_start("Start the server so that it reads tool calls:");
        }
        if lower.contains("does not support tools") {
            return failed(
                format!("{words}."),
                "Take a model that was trained to call tools.".into(),
            );
        }
        match error {
            ModelError::Status { status: 404, .. } | ModelError::NotJson { .. }
                if asked.starts_with("the list") =>
            {
                failed(
                    format!("{words}."),
                    self.other_path().map_or_else(
                        || "Check the path of the address.".into(),
                        |path| format!("Try {}{path}.", self.at.origin()),
                    ),
                )
            }
            ModelError::Status { status: 429, retry, .. } => {
                let wait = match retry {
                    llm::Retry::After(ms) => {
                        format!("Wait {} s and check again.", ms.div_ceil(1000))
                    }
                    _ => "Wait a while and check again.".into(),
                };
                failed(format!("{words}."), wait)
            }
            ModelError::Status { status: 500..=599, .. } => {
                failed(format!("{words}."), "Look at the server's own log: it says why.".into())
            }
            ModelError::Unreachable { .. } => CheckOutcome::Failed(shown(
                format!(
                    "The server lets {} read, but not ask: the question was not let through. Its \
                     CORS rules must allow POST with the header content-type{}.{PREFLIGHT}",
                    self.origin,
                    if self.has_key { " and the one with the key" } else { "" }
                ),
                "Allow that at the server:",
                self.start(),
            )),
            ModelError::TimedOut { seconds, .. } => failed(
                format!("The server said nothing for {seconds} seconds when asked for {asked}."),
                "It may be loading the model, which takes long the first time. Wait, and check \
                 again."
                    .into(),
            ),
            ModelError::ContextOverflow { .. } if self.is_ollama() => {
                with_start("Set a larger context window above, or start Ollama with one:")
            }
            ModelError::Status { status: 401, .. } if !self.has_key => failed(
                format!("{words}."),
                "This endpoint requires a key: type it in above.".into(),
            ),
            _ => failed(format!("{words}."), "Fix this, then check again.".into()),
        }
    }

    /// The path that servers of this protocol usually have, if this address has another.
    fn other_path(&self) -> Option<&'static str> {
        let usual = match self.provider.as_str() {
            "ollama" => "",
            "gemini" => "/v1beta",
            _ => "/v1",
        };
        (self.at.path != usual).then_some(usual)
    }
}

/// Whether two names mean one model: Ollama adds `:latest`.
fn is_same(listed: &str, asked: &str) -> bool {
    let bare = |name: &str| {
        name.trim().trim_start_matches("models/").trim_end_matches(":latest").to_owned()
    };
    bare(listed) == bare(asked)
}

fn counted(list: &[String]) -> String {
    if list.len() == 1 { "One model".into() } else { format!("{} models", list.len()) }
}

fn some_of(list: &[String]) -> String {
    let names: Vec<String> = list.iter().take(6).map(|m| short(m)).collect();
    let more = if list.len() > 6 { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

fn short(text: &str) -> String {
    if text.chars().count() <= 80 {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(80).collect::<String>())
}

fn capital(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
#[path = "doctor_tests.rs"]
mod tests;
