//! Puts the pieces of an answer together, whatever a server makes of ids and indices.
//!
//! The rules, because servers differ: a piece of a call belongs to the call with its id; else to
//! the latest one with its index; else to the current one. A new id on an index that is taken is a
//! new call. Arguments are held back until the call has a name. Arguments may be text or an object.

use serde_json::Value;

use crate::partial::MAX_CALLS;
use crate::{ChatResponse, Echo, FinishReason, ModelError, Part, Partial, Usage};

/// A piece of a tool call, as far as a server fills it in.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallPiece<'a> {
    /// The id of the call, where the protocol has ids.
    pub id: Option<&'a str>,
    /// The place of the call among those of the answer, from 0, where the protocol counts.
    pub index: Option<u64>,
    /// The name of the tool, which only the first piece of a call may have.
    pub name: Option<&'a str>,
    /// More of its arguments: text, or a whole object.
    pub arguments: Option<&'a Value>,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    index: Option<u64>,
    name: String,
    /// Arguments that came before the name.
    held: String,
}

/// An answer that comes in pieces.
#[derive(Debug, Default)]
pub struct Assembly {
    /// What has been shown, which is all but the arguments that wait for a name.
    shown: Partial,
    /// Beside each call of it, what pieces are told apart by.
    calls: Vec<Call>,
    current: Option<usize>,
    echo: Vec<Value>,
    usage: Usage,
    finish: Option<FinishReason>,
    whole: Option<Box<ChatResponse>>,
    /// Whether usage came since the model stopped.
    has_last_usage: bool,
    /// Signs of life since the model stopped.
    beats: u32,
    done: bool,
    parts: Vec<Part>,
}

impl Assembly {
    /// More of the text.
    pub fn text(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.show(Part::Text { text: piece.to_owned() });
        }
    }

    /// More of what the model thinks.
    pub fn reasoning(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.show(Part::Reasoning { text: piece.to_owned() });
        }
    }

    fn show(&mut self, part: Part) {
        self.shown.take(&part);
        self.parts.push(part);
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
            Some(Value::String(text)) => call.held.push_str(text),
            None | Some(Value::Null) => {}
            Some(object) => call.held.push_str(&object.to_string()),
        }
        let is_news = |(name, _): &(String, String)| !call.held.is_empty() || *name != call.name;
        if !call.name.is_empty() && self.shown.calls.get(at).is_none_or(is_news) {
            let (name, arguments) = (call.name.clone(), std::mem::take(&mut call.held));
            self.show(Part::Call { index: at, name, arguments });
        }
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
        let has_arguments = self.shown.calls.get(at).is_some_and(|(_, shown)| !shown.is_empty());
        let is_other =
            name.is_some_and(|n| !call.name.is_empty() && call.name != n && has_arguments);
        (!is_other).then_some(at)
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
        self.has_last_usage |= self.is_complete() && usage != Usage::default();
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

    /// The server sends a sign of life and nothing else: a comment, a ping.
    ///
    /// After the end that is all that some servers send, for as long as somebody listens. Where the
    /// usage is missing a sign may come before it, so the second one counts.
    pub fn beat(&mut self) {
        if self.is_complete() {
            self.beats += 1;
            self.done |= self.has_last_usage || self.beats > 1;
        }
    }

    /// Whether the model has said why it stopped: a connection that fails now is no fault.
    pub fn is_complete(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// Whether it stopped for a reason that has no failure in it, as an unknown one may have.
    pub(super) fn has_ended_well(&self) -> bool {
        self.finish.as_ref().is_some_and(|reason| !matches!(reason, FinishReason::Other(_)))
    }

    /// Ends the answer: no further piece is taken.
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
        let mut said = self.shown;
        for (index, call) in self.calls.iter_mut().enumerate().filter(|(_, c)| c.name.is_empty()) {
            // Nobody was shown a call that never got a name, yet it was made.
            let arguments = std::mem::take(&mut call.held);
            said.take(&Part::Call { index, name: String::new(), arguments });
        }
        let mut message = said.with_ids(self.calls.into_iter().map(|c| c.id));
        message.echo = (!self.echo.is_empty())
            .then(|| Echo { provider: provider.to_owned(), items: self.echo });
        // Some servers say `stop` where they mean that the model waits for its calls.
        let finish = match finish {
            FinishReason::Stop if !message.tool_calls.is_empty() => FinishReason::ToolCalls,
            other => other,
        };
        Ok(ChatResponse { message, finish, usage: self.usage })
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
    fn a_call_that_never_gets_a_name_is_made_all_the_same() {
        let found = calls(&[
            ("a", Some(0), "", json!("{}")),
            ("b", Some(1), "f", json!("{}")),
            ("c", Some(2), "", json!("[]")),
        ]);
        assert_eq!(found, [call("a", "", "{}"), call("b", "f", "{}"), call("c", "", "[]")]);
    }

    #[test]
    fn empty_pieces_make_no_call() {
        assert_eq!(calls(&[("", Some(0), "", json!("")), ("", None, "", Value::Null)]), []);
    }

    #[test]
    fn signs_of_life_behind_the_end_end_an_answer() {
        let usage = Usage { output_tokens: Some(3), ..Usage::default() };
        for (before, after, n_beats) in [(None, Some(usage), 1), (Some(usage), None, 2)] {
            let mut assembly = Assembly::default();
            assembly.usage(before.unwrap_or_default());
            (0..9).for_each(|_| assembly.beat());
            assert!(!assembly.is_complete() && !assembly.is_done(), "nothing has ended");
            assembly.stopped(FinishReason::Stop);
            assembly.usage(after.unwrap_or_default());
            assert!(assembly.is_complete() && !assembly.is_done());
            let n = (1..9).find(|_| {
                assembly.beat();
                assembly.is_done()
            });
            assert_eq!(n, Some(n_beats));
        }
    }

    #[test]
    fn an_answer_without_an_end_is_broken() {
        let mut assembly = Assembly::default();
        assembly.text("half a sen");
        assert_eq!(assembly.shown.text, "half a sen");
        let error = assembly.finish("test").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the answer broke off: the stream ended before the answer did"
        );
    }
}
