//! A conversation as tokens, with the place of each in its list.

use llm::{ChatRequest, Message, Role};

use crate::OwnError;
use crate::calls::{encode_call, encode_result};
use crate::text::{TalkNames, encode_with};
use crate::vocabulary::{ASK, BARE, END, FUNCTIONS, REPLY, TOOLS, UNKNOWN};

pub use crate::places::{ListPlace, Placer, places};

/// Tokens of a conversation with what the model says of it.
pub const WINDOW: usize = 4096;
/// A text longer than this is not looked at.
const MAX_TEXT: usize = 200_000;

/// A conversation up to where the model speaks.
///
/// The rules of the system's message are left out: the model knows its task. Whether tools are
/// offered is a token of its own.
///
/// # Errors
/// There is no question, or it is too long.
pub fn prompt(request: &ChatRequest) -> Result<Vec<u32>, OwnError> {
    prompt_with(&request.messages, !request.tools.is_empty(), &mut TalkNames::default())
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

/// The same as [`prompt`], with the names of the conversation, for what is said behind it.
///
/// # Errors
/// As [`prompt`].
pub fn prompt_with(
    messages: &[Message],
    has_tools: bool,
    names: &mut TalkNames,
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
            Role::Tool => encode_result(&message.content, names, &mut tokens),
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
pub(crate) fn encode_turn(message: &Message, names: &mut TalkNames, tokens: &mut Vec<u32>) {
    if !message.content.is_empty() {
        let text = names.read_known(&message.content);
        tokens.extend(encode_with(&text, names).tokens);
    }
    for call in &message.tool_calls {
        encode_call(&call.name, &call.arguments, names, tokens);
    }
}

/// A question's tokens.
///
/// # Errors
/// It is too long, or says nothing.
pub fn question(text: &str) -> Result<Vec<u32>, OwnError> {
    question_with(text, &mut TalkNames::default())
}

/// A question's tokens, in a conversation with these names.
///
/// # Errors
/// As [`question`].
pub fn question_with(text: &str, names: &mut TalkNames) -> Result<Vec<u32>, OwnError> {
    if text.len() > MAX_TEXT {
        return Err(OwnError::TooLong { found: text.len() / 4, limit: WINDOW });
    }
    let text = names.read(text);
    let encoded = encode_with(&text, names);
    if encoded.tokens.len() >= WINDOW {
        return Err(OwnError::TooLong { found: encoded.tokens.len(), limit: WINDOW });
    }
    if encoded.n_words == 0 {
        return Err(OwnError::NoQuestion);
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
