//! Scripts that play the two models of the pipeline, so that all of it works without a key. They see
//! the conversation and nothing else: the relations and tools that it lists, and the request.
//!
//! One does what a good model would do; each of the others errs in one way, as the models of the
//! paper do. Paper: FamilyTool §5.1.2 (`child` for `son`), §6.3.

mod calling;

use std::collections::BTreeSet;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Part, Role,
    Usage, Watch,
};
use tasks::family::{Search, relation, spoken_of};

use super::parse::write;

/// A script that plays the searcher and the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyScript {
    /// Makes no mistake.
    Right,
    /// Names relations in its own words.
    WrongRelation,
    /// Leaves out a hop, or takes another relation where there is but one.
    WrongHop,
    /// Calls another tool.
    WrongTool,
    /// Gives values of the wrong type.
    WrongType,
}

impl FamilyScript {
    /// Every script, the one without mistakes first.
    pub const ALL: [Self; 5] =
        [Self::Right, Self::WrongRelation, Self::WrongHop, Self::WrongTool, Self::WrongType];

    /// Its name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "script",
            Self::WrongRelation => "mistaken-relation",
            Self::WrongHop => "mistaken-hop",
            Self::WrongTool => "mistaken-tool",
            Self::WrongType => "mistaken-type",
        }
    }

    /// In a few words for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Right => "makes no mistake",
            Self::WrongRelation => "makes up relations",
            Self::WrongHop => "leaves out a hop",
            Self::WrongTool => "calls another tool",
            Self::WrongType => "mistakes types",
        }
    }

    /// The script of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Its turn in a conversation.
    pub fn turn(self, request: &ChatRequest) -> Message {
        let of = |role: Role| {
            let found = request.messages.iter().find(|m| m.role == role);
            found.map(|m| m.content.as_str()).unwrap_or_default()
        };
        let (rules, said) = (of(Role::System), of(Role::User));
        if request.tools.is_empty() {
            Message::assistant(self.search(rules, said))
        } else {
            calling::turn(self, said, &request.tools)
        }
    }

    /// The searches for what a request speaks of.
    fn search(self, rules: &str, said: &str) -> String {
        let known: BTreeSet<&str> =
            rules.lines().filter_map(|l| l.strip_prefix("- <relationship>")).collect();
        let (speaker, query) = speaker_of(said);
        let Some(speaker) = speaker else {
            return "Who speaks? I cannot tell where to begin.".into();
        };
        let mut searches: Vec<Search> = Vec::new();
        for spoken in spoken_of(query, &known).into_iter().filter(|s| !s.is_chatter) {
            let search = Search { start: speaker.to_owned(), path: self.err(spoken.path, &known) };
            if !searches.contains(&search) {
                searches.push(search);
            }
        }
        let lines: Vec<String> = searches.iter().map(write).collect();
        format!("```python\n{}\n```", lines.join("\n"))
    }

    /// A path as this script gets it.
    fn err(self, mut path: Vec<String>, known: &BTreeSet<&str>) -> Vec<String> {
        match self {
            Self::WrongRelation => {
                if let Some(last) = path.last_mut() {
                    let other = match relation(last) {
                        Some(known) => known.synonym.replace(' ', "_"),
                        None => format!("{last}_of_choice"),
                    };
                    if !known.contains(other.as_str()) {
                        *last = other;
                    }
                }
                path
            }
            Self::WrongHop if path.len() > 1 => {
                path.remove(path.len() - 2);
                path
            }
            Self::WrongHop => {
                let next = path.first().and_then(|p| {
                    known.iter().find(|r| **r > p.as_str()).or_else(|| known.iter().next())
                });
                next.map_or(path.clone(), |r| vec![(*r).to_owned()])
            }
            _ => path,
        }
    }
}

/// Who speaks, and what they say.
fn speaker_of(said: &str) -> (Option<&str>, &str) {
    let tagged = said.strip_prefix("<speak>").and_then(|rest| rest.split_once("</speak>"));
    match tagged {
        Some((tag, query)) => {
            let name = tag.split_once(':').map_or(tag, |(_, name)| name);
            (Some(name.trim().trim_end_matches('.')), query.trim_start())
        }
        None => (None, said),
    }
}

impl Model for FamilyScript {
    fn label(&self) -> String {
        match self {
            Self::Right => "Scripted model".into(),
            other => format!("Mistaken script: {}", other.title()),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let message = self.turn(request);
        if !message.content.is_empty() {
            watch.part(Part::Text { text: message.content.clone() });
        }
        let finish = if message.tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        // A script reads and writes no tokens, and says so by saying nothing.
        Box::pin(async move { Ok(ChatResponse { message, finish, usage: Usage::default() }) })
    }
}
