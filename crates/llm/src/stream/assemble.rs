//! Puts the pieces of an answer together, whatever a server makes of ids and indices.
//!
//! The rules, because servers differ: a piece of a call belongs to the call with its id; else to
//! the latest one with its index; else to the current one. A new id on an index that is taken is a
//! new call. Arguments are held back until the call has a name. Arguments may be text or an object.

use serde_json::Value;

use crate::{ChatResponse, Echo, FinishReason, Message, ModelError, Part, Role, ToolCall, Usage};

/// The most calls of one turn that are kept; a stream that makes more is broken.
const MAX_CALLS: usize = 256;

/// A piece of a tool call, as far as a server fills it in.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallPiece<'a> {
    /// The call's id.
    pub id: Option<&'a str>,
    /// Its index.
    pub index: Option<u64>,
    /// Its name.
    pub name: Option<&'a str>,
    /// More of its arguments: text, or a whole object.
    pub arguments: Option<&'a Value>,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    index: Option<u64>,
    name: String,
    arguments: String,
    /// How much of the arguments has been shown.
    shown: Option<usize>,
}

/// An answer that comes in pieces.
#[derive(Debug, Default)]
pub struct Assembly {
    text: String,
    reasoning: String,
    calls: Vec<Call>,
    current: Option<usize>,
    echo: Vec<Value>,
    usage: Usage,
    finish: Option<FinishReason>,
    whole: Option<Box<ChatResponse>>,
    done: bool,
    parts: Vec<Part>,
}

impl Assembly {
    /// More of the text.
    pub fn text(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.text.push_str(piece);
            self.parts.push(Part::Text { text: piece.to_owned() });
        }
    }

    /// More of what the model thinks.
    pub fn reasoning(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.reasoning.push_str(piece);
            self.parts.push(Part::Reasoning { text: piece.to_owned() });
        }
    }

    /// More of a call.
    ///
    /// # Errors
    /// There are more calls than anything sensible.
    pub fn call(&mut self, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let id = piece.id.filter(|id| !id.is_empty());
        let name = piece.name.filter(|name| !name.is_empty());
        let at = match self.place(id, piece.index, name) {
            Some(at) => at,
            // A piece that says nothing begins nothing.
            None if id.is_none() && name.is_none() && says_nothing(piece.arguments) => {
                return Ok(());
            }
            None => {
                if self.calls.len() >= MAX_CALLS {
                    let reason = format!("the stream has more than {MAX_CALLS} tool calls");
                    return Err(ModelError::Broken { reason });
                }
                self.calls.push(Call { index: piece.index, ..Call::default() });
                self.calls.len() - 1
            }
        };
        self.current = Some(at);
        let call = &mut self.calls[at];
        if let Some(id) = id {
            call.id = id.to_owned();
        }
        if let Some(name) = name
            && call.name != name
        {
            // Some servers send a name in pieces; none sends it in pieces after the arguments.
            call.name.push_str(name);
        }
        match piece.arguments {
            Some(Value::String(text)) => call.arguments.push_str(text),
            None | Some(Value::Null) => {}
            Some(object) => call.arguments.push_str(&object.to_string()),
        }
        self.show(at);
        Ok(())
    }

    /// Which call a piece belongs to, if it is there.
    fn place(&self, id: Option<&str>, index: Option<u64>, name: Option<&str>) -> Option<usize> {
        let by_index = || self.calls.iter().rposition(|c| index.is_some() && c.index == index);
        let at = match (id, index) {
            (Some(id), _) => {
                return self.calls.iter().rposition(|c| c.id == id).or_else(|| {
                    // The id may come later than the first piece.
                    by_index().filter(|at| self.calls[*at].id.is_empty())
                });
            }
            (None, Some(_)) => by_index(),
            (None, None) => self.current,
        }?;
        // Another name after arguments is another call, of a server that sends neither id nor index.
        let call = &self.calls[at];
        let is_other = name
            .is_some_and(|n| !call.name.is_empty() && call.name != n && !call.arguments.is_empty());
        (!is_other).then_some(at)
    }

    /// Shows what is new of a call, once it has a name.
    fn show(&mut self, at: usize) {
        let call = &mut self.calls[at];
        if call.name.is_empty() || call.shown == Some(call.arguments.len()) {
            return;
        }
        let arguments = call.arguments[call.shown.unwrap_or(0)..].to_owned();
        call.shown = Some(call.arguments.len());
        self.parts.push(Part::Call { index: at, name: call.name.clone(), arguments });
    }

    /// Keeps something to be given back with this message.
    pub fn echo(&mut self, item: Value) {
        self.echo.push(item);
    }

    /// What is to be given back so far.
    pub fn echoes(&mut self) -> &mut Vec<Value> {
        &mut self.echo
    }

    /// How many calls there are.
    pub fn n_calls(&self) -> usize {
        self.calls.len()
    }

    /// What the turn took; later words replace earlier ones.
    pub fn usage(&mut self, usage: Usage) {
        for (mine, theirs) in [
            (&mut self.usage.input_tokens, usage.input_tokens),
            (&mut self.usage.output_tokens, usage.output_tokens),
            (&mut self.usage.cached_tokens, usage.cached_tokens),
            (&mut self.usage.reasoning_tokens, usage.reasoning_tokens),
        ] {
            if theirs.is_some() {
                *mine = theirs;
            }
        }
    }

    /// Why the model stopped. Usage may still come after this.
    pub fn stopped(&mut self, reason: FinishReason) {
        self.finish = Some(reason);
    }

    /// The whole answer, of a protocol that repeats it at the end of its stream.
    pub fn whole(&mut self, answer: ChatResponse) {
        self.whole = Some(Box::new(answer));
    }

    /// Nothing more comes.
    pub fn done(&mut self) {
        self.done = true;
    }

    /// Whether nothing more comes.
    pub fn is_done(&self) -> bool {
        self.done
    }

    pub(super) fn take_parts(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.parts)
    }

    /// The answer as far as it has come.
    pub(super) fn so_far(&self, provider: &str) -> ChatResponse {
        let tool_calls: Vec<ToolCall> = self
            .calls
            .iter()
            .filter(|c| !(c.name.is_empty() && c.arguments.trim().is_empty()))
            .map(|c| ToolCall {
                id: c.id.clone(),
                name: c.name.clone(),
                arguments: c.arguments.clone(),
            })
            .collect();
        let echo = (!self.echo.is_empty())
            .then(|| Echo { provider: provider.to_owned(), items: self.echo.clone() });
        ChatResponse {
            message: Message {
                role: Role::Assistant,
                content: self.text.clone(),
                tool_calls,
                tool_call_id: None,
                reasoning: (!self.reasoning.is_empty()).then(|| self.reasoning.clone()),
                echo,
            },
            finish: FinishReason::Stopped,
            usage: self.usage,
        }
    }

    pub(crate) fn finish(mut self, provider: &str) -> Result<ChatResponse, ModelError> {
        if let Some(whole) = self.whole.take() {
            return Ok(*whole);
        }
        let finish = match self.finish.take() {
            Some(finish) => finish,
            None if self.done => FinishReason::Stop,
            None => {
                let reason = "the stream ended before the answer did".into();
                return Err(ModelError::Broken { reason });
            }
        };
        let mut answer = self.so_far(provider);
        let has_calls = !answer.message.tool_calls.is_empty();
        // Some servers say `stop` where they mean that the model waits for its calls.
        answer.finish = match finish {
            FinishReason::Stop if has_calls => FinishReason::ToolCalls,
            other => other,
        };
        Ok(answer)
    }
}

fn says_nothing(arguments: Option<&Value>) -> bool {
    match arguments {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// `(id, index, name, arguments)`; empty is "not sent".
    type Piece<'a> = (&'a str, Option<u64>, &'a str, Value);

    fn calls(pieces: &[Piece<'_>]) -> Vec<(String, String, String)> {
        let mut assembly = Assembly::default();
        for (id, index, name, arguments) in pieces {
            let piece = CallPiece {
                id: Some(id),
                index: *index,
                name: Some(name),
                arguments: Some(arguments),
            };
            assembly.call(piece).unwrap();
        }
        assembly.done();
        let answer = assembly.finish("test").unwrap();
        answer.message.tool_calls.into_iter().map(|c| (c.id, c.name, c.arguments)).collect()
    }

    fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
        (id.into(), name.into(), arguments.into())
    }

    #[test]
    fn pieces_go_by_id_even_if_every_index_is_zero() {
        let found = calls(&[
            ("a", Some(0), "f", json!("{\"x\":")),
            ("b", Some(0), "g", json!("{}")),
            ("a", Some(0), "", json!("1}")),
        ]);
        assert_eq!(found, [call("a", "f", "{\"x\":1}"), call("b", "g", "{}")]);
    }

    #[test]
    fn without_an_id_the_index_tells() {
        let found = calls(&[
            ("a", Some(0), "f", json!("")),
            ("b", Some(1), "g", json!("")),
            ("", Some(0), "", json!("{\"x\":0}")),
            ("", Some(1), "", json!("{\"x\":1}")),
        ]);
        assert_eq!(found, [call("a", "f", "{\"x\":0}"), call("b", "g", "{\"x\":1}")]);
    }

    #[test]
    fn without_either_it_is_the_current_call() {
        let found = calls(&[("a", None, "f", json!("{\"x\"")), ("", None, "", json!(":0}"))]);
        assert_eq!(found, [call("a", "f", "{\"x\":0}")]);
        let found = calls(&[("", None, "f", json!({ "x": 1 })), ("", None, "g", json!({}))]);
        assert_eq!(found, [call("", "f", "{\"x\":1}"), call("", "g", "{}")]);
    }

    #[test]
    fn arguments_may_come_before_the_name_and_are_held_back() {
        let mut assembly = Assembly::default();
        let before = json!("{\"x\":");
        let piece = CallPiece { index: Some(0), arguments: Some(&before), ..CallPiece::default() };
        assembly.call(piece).unwrap();
        assert_eq!(assembly.take_parts(), []);
        let after = json!("1}");
        assembly
            .call(CallPiece {
                id: Some("a"),
                index: Some(0),
                name: Some("f"),
                arguments: Some(&after),
            })
            .unwrap();
        let whole = Part::Call { index: 0, name: "f".into(), arguments: "{\"x\":1}".into() };
        assert_eq!(assembly.take_parts(), [whole]);
        assembly.done();
        assert_eq!(assembly.finish("test").unwrap().message.tool_calls[0].id, "a");
    }

    #[test]
    fn a_name_that_is_repeated_is_one_and_a_name_in_pieces_is_joined() {
        let found = calls(&[
            ("a", Some(0), "find", json!("")),
            ("a", Some(0), "_path", json!("")),
            ("b", Some(1), "f", json!("{")),
            ("b", Some(1), "f", json!("}")),
        ]);
        assert_eq!(found, [call("a", "find_path", ""), call("b", "f", "{}")]);
    }

    #[test]
    fn empty_pieces_make_no_call() {
        assert_eq!(calls(&[("", Some(0), "", json!("")), ("", None, "", Value::Null)]), []);
    }

    #[test]
    fn an_answer_without_an_end_is_broken() {
        let mut assembly = Assembly::default();
        assembly.text("half a sen");
        assert_eq!(assembly.so_far("test").message.content, "half a sen");
        let error = assembly.finish("test").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the answer broke off: the stream ended before the answer did"
        );
    }
}
