//! What replies must say, and reading them.

use llm::repair;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A vote, with what it is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ballot {
    /// The graph needs more: what is missing.
    Enhance(String),
    /// The graph can answer: the query, or the answer itself.
    Solve(String),
}

#[derive(Deserialize)]
struct RawVote {
    query_type: String,
    #[serde(alias = "reason", alias = "answer")]
    query: Value,
}

#[derive(Deserialize)]
pub(super) struct Reason {
    pub reason: String,
}

#[derive(Deserialize)]
pub(super) struct Queries {
    pub queries: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct OneQuery {
    pub query: String,
}

#[derive(Deserialize)]
pub(super) struct NeedsMaths {
    pub needs_calculation: bool,
}

#[derive(Deserialize)]
struct RawSolution {
    solution: Value,
}

#[derive(Deserialize)]
struct RawChoice {
    choice: Value,
}

/// What is wrong with a reply, and which repairs made it readable.
pub(super) type ReadReply<T> = Result<(T, Vec<&'static str>), String>;

/// Reads the JSON object of a reply.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> ReadReply<T> {
    let found = repair::read(text)?;
    // Half an answer would pass for a whole one.
    if found.repairs.contains(&"a missing end") {
        return Err("it breaks off before its end".into());
    }
    let value = match found.value {
        // Some models put their object into a list.
        Value::Array(mut list) if list.len() == 1 => list.remove(0),
        value => value,
    };
    let read = T::deserialize(value).map_err(|e| e.to_string())?;
    Ok((read, found.repairs))
}

/// Reads a vote.
pub(super) fn ballot(text: &str) -> ReadReply<Ballot> {
    let (raw, repairs) = read::<RawVote>(text)?;
    let words = plain(&raw.query);
    let ballot = match raw.query_type.trim().to_ascii_uppercase().as_str() {
        "INSERT" | "ENHANCE" => Ballot::Enhance(words),
        "RETRIEVE" | "SOLVE" if words.trim().is_empty() => {
            return Err("\"query\" is empty".into());
        }
        "RETRIEVE" | "SOLVE" => Ballot::Solve(words),
        other => return Err(format!("\"query_type\" is {other:?}; expected INSERT or RETRIEVE")),
    };
    Ok((ballot, repairs))
}

/// Reads which of so many was chosen, counted from 0.
pub(super) fn choice(text: &str, n: usize) -> ReadReply<usize> {
    let (RawChoice { choice }, repairs) = read(text)?;
    let number = match &choice {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let at = number.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
    match at.filter(|at| *at < n) {
        Some(at) => Ok((at, repairs)),
        None => Err(format!("\"choice\" is {choice}; expected a number from 1 to {n}")),
    }
}

/// Reads an answer.
pub(super) fn solution(text: &str) -> ReadReply<String> {
    let (raw, repairs) = read::<RawSolution>(text)?;
    Ok((plain(&raw.solution).trim().to_owned(), repairs))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
