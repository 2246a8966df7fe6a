//! A conversation as tokens, with the place of each in its list.

use llm::{ChatRequest, Message, Role};

use crate::OwnError;
use crate::calls::{encode_call, encode_result};
use crate::text::{SpelledNames, encode_with};
use crate::vocabulary::{ASK, BARE, END, FUNCTIONS, Kind, REPLY, TOOLS, UNKNOWN, kind};

/// Tokens of a conversation with what the model says of it.
pub const WINDOW: usize = 4096;
/// Of a question's words, the share that the table may lack.
const MAX_UNKNOWN: f64 = 0.08;
/// A text longer than this is not looked at.
const MAX_TEXT: usize = 200_000;

/// Where a token stands in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListPlace {
    /// 0 for the token that begins a list and for all outside of lists, then 1 for the first number.
    /// What stands directly behind a list has a place in it, too: it is where a copy of it ends.
    pub number: u16,
    /// The token that began the list; none outside of lists, and for that token itself. A number is
    /// embedded together with it, so that each knows of which kind of list it is.
    pub list: Option<u32>,
}

/// Finds the places of tokens, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placer {
    number: u16,
    list: Option<u32>,
}

impl Placer {
    /// The place of the next token.
    pub fn next(&mut self, token: u32) -> ListPlace {
        let list = self.list;
        match kind(token) {
            Kind::Form(_) | Kind::Function | Kind::Name(_) => {
                *self = Self { number: 0, list: Some(token) };
                ListPlace::default()
            }
            Kind::Head(_) | Kind::Tail(_) | Kind::Number(_) | Kind::Digit(_) | Kind::Letter(_)
                if list.is_some() =>
            {
                self.number = self.number.saturating_add(1);
                ListPlace { number: self.number, list }
            }
            _ if list.is_some() => {
                let number = self.number.saturating_add(1);
                *self = Self::default();
                ListPlace { number, list }
            }
            _ => ListPlace::default(),
        }
    }
}

/// The places of tokens.
pub fn places(tokens: &[u32]) -> Vec<ListPlace> {
    let mut placer = Placer::default();
    tokens.iter().map(|token| placer.next(*token)).collect()
}

/// A conversation up to where the model speaks.
///
/// The rules of the system's message are left out: the model knows its task. Whether tools are
/// offered is a token of its own.
///
/// # Errors
/// There is no question, it is not in the model's words or numbers, or it is too long.
pub fn prompt(request: &ChatRequest) -> Result<Vec<u32>, OwnError> {
    prompt_with(&request.messages, !request.tools.is_empty(), &mut SpelledNames::default())
}

/// The part of a conversation that is read: where no tools are offered, the latest question alone.
///
/// As with the rules of the system's message, the model knows its task: from examples it would copy
/// the names, which are not those of the question.
pub(crate) fn read_part(messages: &[Message], has_tools: bool) -> &[Message] {
    let latest = messages.iter().rposition(|message| message.role == Role::User);
    match latest {
        Some(at) if !has_tools => &messages[at..],
        _ => messages,
    }
}

/// The same as [`prompt`], with the names that the conversation spells, for what is said behind it.
pub(crate) fn prompt_with(
    messages: &[Message],
    has_tools: bool,
    names: &mut SpelledNames,
) -> Result<Vec<u32>, OwnError> {
    let mut tokens = vec![if has_tools { TOOLS } else { BARE }];
    let mut has_question = false;
    for message in messages {
        match message.role {
            Role::System => {}
            Role::User => {
                has_question = true;
                tokens.push(ASK);
                tokens.extend(question_with(&message.content, names)?);
            }
            Role::Assistant => {
                tokens.push(REPLY);
                encode_turn(message, names, &mut tokens);
                tokens.push(END);
            }
            Role::Tool => encode_result(&message.content, &mut tokens),
        }
    }
    if !has_question {
        return Err(OwnError::NoQuestion);
    }
    tokens.push(REPLY);
    if tokens.len() >= WINDOW {
        return Err(OwnError::TooLong { found: tokens.len(), limit: WINDOW });
    }
    Ok(tokens)
}

/// What the model says in a turn: its text, then its calls.
pub(crate) fn encode_turn(message: &Message, names: &mut SpelledNames, tokens: &mut Vec<u32>) {
    if !message.content.is_empty() {
        tokens.extend(encode_with(&message.content, names).tokens);
    }
    for call in &message.tool_calls {
        encode_call(&call.name, &call.arguments, tokens);
    }
}

/// A question's tokens.
///
/// # Errors
/// It is too long, or not in the model's words or numbers.
pub fn question(text: &str) -> Result<Vec<u32>, OwnError> {
    question_with(text, &mut SpelledNames::default())
}

fn question_with(text: &str, names: &mut SpelledNames) -> Result<Vec<u32>, OwnError> {
    if text.len() > MAX_TEXT {
        return Err(OwnError::TooLong { found: text.len() / 4, limit: WINDOW });
    }
    let encoded = encode_with(&text.replace("\r\n", "\n"), names);
    if encoded.tokens.len() >= WINDOW {
        return Err(OwnError::TooLong { found: encoded.tokens.len(), limit: WINDOW });
    }
    if let Some(found) = encoded.too_large {
        return Err(OwnError::NumberTooLarge { found });
    }
    let share = encoded.n_unknown as f64 / encoded.n_words.max(1) as f64;
    // A short question may have one word more than the share.
    if encoded.n_words == 0 || share > MAX_UNKNOWN && encoded.n_unknown > 1 {
        return Err(OwnError::Unfamiliar {
            n_unknown: encoded.n_unknown,
            n_words: encoded.n_words,
        });
    }
    Ok(encoded.tokens)
}

/// Of each token whether the model says it; `learned` says of each of its turns whether it counts.
pub fn own_turns(tokens: &[u32], learned: &[bool]) -> Vec<bool> {
    let mut turns = learned.iter();
    let mut within = false;
    tokens
        .iter()
        .map(|token| {
            let is_own = within;
            match *token {
                REPLY => within = turns.next().copied().unwrap_or(false),
                END => within = false,
                _ => {}
            }
            is_own
        })
        .collect()
}

/// Whether a token stands for what the table does not have: a word, a function or arguments.
pub fn is_unknown(token: u32) -> bool {
    token == UNKNOWN
}

/// The functions that have a token, whether or not a file of weights learned to call them.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}
