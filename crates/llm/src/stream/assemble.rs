//! Puts the pieces of an answer together, whatever a server makes of ids and indices.
//!
//! Which call a piece belongs to is weighed from all that is known: its id, its index, its name, and
//! whether the arguments so far are whole. What only fills a place, such as an empty id, the word
//! `null` or the name of the function as its id, tells nothing. A call that waits for the rest of its
//! arguments takes a piece under a new id; one that is whole does not. Arguments are held back until
//! the call has a name, and may be text or an object.

use serde_json::{Map, Value, json};

use super::fields;
use super::said::{Arguments, Said};
use crate::partial::MAX_CALLS;
use crate::{ChatResponse, Echo, FinishReason, Message, ModelError, Part, ToolCall, Usage};

/// What goes back with a turn is not kept where it has more bytes than this.
const MAX_ECHO: usize = 1_000_000;

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
    /// What else goes back with the call.
    pub fields: Option<&'a Map<String, Value>>,
    /// Whether it is the whole call at this index once more, if there is one.
    pub is_whole: bool,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    /// The id of its latest piece, where that is another.
    alias: String,
    index: Option<u64>,
    name: String,
    arguments: Arguments,
    fields: Map<String, Value>,
    /// The name and how many bytes of the arguments were shown.
    shown: (String, usize),
}

/// A block of an answer, in the order in which they came.
#[derive(Debug)]
enum Block {
    /// So many bytes of the text, with what goes back with them.
    Text(usize, Map<String, Value>),
    /// The call of this number.
    Call(usize),
    /// Something that goes back as it came.
    Other(Value),
}

/// An answer that comes in pieces.
#[derive(Debug, Default)]
pub struct Assembly {
    text: Said,
    reasoning: Said,
    calls: Vec<Call>,
    current: Option<usize>,
    blocks: Vec<Block>,
    /// Whether more text belongs to a block of its own.
    ends_block: bool,
    /// What goes back with the message as a whole.
    fields: Map<String, Value>,
    /// The field in which the thoughts came, where they go back in it.
    thoughts_in: Option<&'static str>,
    /// The one of several choices that has the text.
    choice: Option<u64>,
    usage: Usage,
    finish: Option<FinishReason>,
    whole: Option<Box<ChatResponse>>,
    /// Items of the answer that came whole, for an end that does not repeat them.
    items: Vec<Value>,
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
        let new = self.text.take(piece);
        self.show_text(new);
    }

    /// The text that the start of a block has, though it is there for what comes later: its first
    /// piece may say it once more.
    pub fn open_text(&mut self, piece: &str) {
        self.ends_block = true;
        if !piece.is_empty() {
            self.text.open(piece);
            self.show_text(piece);
        }
    }

    /// The whole text, said to be that; it counts once where its pieces came before.
    pub fn whole_text(&mut self, text: &str) {
        let new = self.text.restate(text);
        self.show_text(new);
    }

    fn show_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.blocks.last_mut() {
            Some(Block::Text(n, _)) if !self.ends_block => *n += text.len(),
            _ => self.blocks.push(Block::Text(text.len(), Map::new())),
        }
        self.ends_block = false;
        self.parts.push(Part::Text { text: text.to_owned() });
    }

    /// The text of a part that is over, which counts unless its pieces have said it.
    pub fn ended_text(&mut self, text: &str) {
        if !self.text.text().ends_with(text) {
            self.text(text);
        }
    }

    /// More of what the model thinks; gives what of it is new.
    pub fn reasoning<'a>(&mut self, piece: &'a str) -> &'a str {
        let new = self.reasoning.take(piece);
        self.show_reasoning(new);
        new
    }

    /// Thoughts that the start of a block has, though it is there for what comes later.
    pub fn open_reasoning(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.reasoning.open(piece);
            self.show_reasoning(piece);
        }
    }

    /// All that the model thought; it counts once where its pieces came before.
    pub fn whole_reasoning(&mut self, text: &str) {
        let new = self.reasoning.restate(text);
        self.show_reasoning(new);
    }

    fn show_reasoning(&mut self, text: &str) {
        if !text.is_empty() {
            self.parts.push(Part::Reasoning { text: text.to_owned() });
        }
    }

    /// Whether the text of this choice counts: that of the first one that has any. Several choices
    /// are one answer whose parts a server keeps apart, for nobody asks for several answers.
    pub fn has_text_of(&mut self, choice: u64) -> bool {
        *self.choice.get_or_insert(choice) == choice
    }

    /// More of a call.
    ///
    /// # Errors
    /// There are more calls than anything sensible.
    pub fn call(&mut self, piece: CallPiece<'_>) -> Result<(), ModelError> {
        let name = piece.name.filter(|name| !name.is_empty());
        let id = piece.id.filter(|id| is_mark(id) && name != Some(id));
        let arguments = match piece.arguments {
            None | Some(Value::Null) => std::borrow::Cow::Borrowed(""),
            Some(Value::String(text)) => text.into(),
            Some(object) => object.to_string().into(),
        };
        let at = match self.place(id, name, &arguments, piece) {
            Some(at) => at,
            // A piece that says nothing begins nothing.
            None if id.is_none() && name.is_none() && arguments.is_empty() => return Ok(()),
            None => {
                if self.calls.len() >= MAX_CALLS {
                    let reason = format!("the stream has more than {MAX_CALLS} tool calls");
                    return Err(ModelError::Broken { reason });
                }
                self.calls.push(Call { index: piece.index, ..Call::default() });
                self.blocks.push(Block::Call(self.calls.len() - 1));
                self.calls.len() - 1
            }
        };
        self.current = Some(at);
        let call = &mut self.calls[at];
        match id {
            Some(id) if call.id.is_empty() => id.clone_into(&mut call.id),
            Some(id) if call.id != id => id.clone_into(&mut call.alias),
            _ => {}
        }
        if let Some(name) = name {
            if name.starts_with(&call.name) {
                name.clone_into(&mut call.name);
            } else {
                // Some servers send a name in pieces; none sends it in pieces after the arguments.
                call.name.push_str(name);
            }
        }
        if let Some(fields) = piece.fields {
            fields::join(&mut call.fields, fields);
        }
        if !(call.arguments.is_whole() && call.arguments.is_said(&arguments)) {
            let before = call.arguments.take(&arguments);
            let shown = before.as_deref().map_or("", |b| b.get(..call.shown.1).unwrap_or(b));
            if !call.arguments.text().starts_with(shown) {
                // Nobody can take back what was shown; the whole answer has it right.
                call.shown.1 = usize::MAX;
            }
        }
        self.show_call(at);
        Ok(())
    }

    /// Which call a piece belongs to, if it is there.
    fn place(
        &self,
        id: Option<&str>,
        name: Option<&str>,
        arguments: &str,
        piece: CallPiece<'_>,
    ) -> Option<usize> {
        let index = piece.index;
        let known = id.and_then(|id| self.calls.iter().rposition(|c| c.id == id || c.alias == id));
        if piece.is_whole {
            let here = index.and_then(|i| usize::try_from(i).ok());
            return known
                .or(here.filter(|at| self.calls.get(*at).is_some_and(|c| name == Some(&c.name))));
        }
        let by_index = || self.calls.iter().rposition(|c| index.is_some() && c.index == index);
        let waits = |at: &usize| !self.calls[*at].arguments.is_whole();
        let at = known.or_else(|| match index {
            None => self.current,
            // Without any name a piece at a new index goes on where the last one stopped.
            Some(_) => by_index().or_else(|| {
                let nameless = id.is_none() && name.is_none();
                self.current.filter(|at| nameless && waits(at) && !self.calls[*at].name.is_empty())
            }),
        })?;
        let call = &self.calls[at];
        let (is_whole, has_name) = (call.arguments.is_whole(), !call.name.is_empty());
        let is_renamed = name.is_some_and(|n| has_name && !n.starts_with(&call.name));
        let is_repeated = name == Some(&call.name) && is_whole;
        // Other arguments behind whole ones; a place for them may be filled.
        let is_more = !call.arguments.is_said(arguments) && !call.arguments.is_place();
        let is_other = if known.is_some() {
            // Even with one id for all calls, another name or index and whole arguments tell.
            is_whole && (is_renamed || (is_repeated && is_more && call.index != index))
        } else if id.is_some() && !call.id.is_empty() {
            // A new id is a new call, unless the one that is there waits for its arguments.
            match name {
                None => is_whole,
                Some(name) => name != call.name || is_whole || arguments.is_empty(),
            }
        } else {
            (is_renamed && !call.arguments.is_empty()) || (is_repeated && is_more)
        };
        (!is_other).then_some(at)
    }

    /// Shows what is new of a call.
    fn show_call(&mut self, at: usize) {
        let is_over = self.is_complete();
        let call = &mut self.calls[at];
        // What only holds a place may yet be something else.
        let text = match call.arguments.text() {
            _ if call.arguments.is_place() && !is_over => "",
            text => text,
        };
        let new = text.get(call.shown.1..).unwrap_or_default();
        if call.name.is_empty() || (new.is_empty() && call.shown.0 == call.name) {
            return;
        }
        let part = Part::Call { index: at, name: call.name.clone(), arguments: new.to_owned() };
        if call.shown.1 != usize::MAX {
            call.shown.1 = call.shown.1.max(text.len());
        }
        call.shown.0.clone_from(&call.name);
        self.parts.push(part);
    }

    /// Keeps something to be given back at this place of the message.
    pub fn other(&mut self, item: Value) {
        self.blocks.push(Block::Other(item));
    }

    /// Adds text to a field of the latest thing that is to be given back.
    pub fn grow_other(&mut self, field: &str, piece: &str) {
        let mut others = self.blocks.iter_mut().rev();
        let latest = others.find_map(|block| match block {
            Block::Other(Value::Object(item)) => Some(item),
            _ => None,
        });
        match latest.map(|item| item.entry(field).or_insert_with(|| "".into())) {
            Some(Value::String(text)) => text.push_str(piece),
            Some(other) => *other = piece.into(),
            None => {}
        }
    }

    /// Keeps fields to be given back with the text that ends here.
    pub fn mark_text(&mut self, fields: Map<String, Value>) {
        match self.blocks.last_mut() {
            Some(Block::Text(_, here)) if !self.ends_block => *here = fields,
            _ => self.blocks.push(Block::Text(0, fields)),
        }
        self.ends_block = true;
    }

    /// Keeps fields to be given back with the message.
    pub fn fields(&mut self, fields: &Map<String, Value>) {
        fields::join(&mut self.fields, fields);
    }

    /// The field in which the thoughts come, for a protocol that has several names for it.
    pub fn thoughts_in(&mut self, field: &'static str) {
        self.thoughts_in = Some(field);
    }

    /// How many calls there are.
    pub fn n_calls(&self) -> usize {
        self.calls.len()
    }

    /// Whether there is a call of this index.
    pub fn has_call_at(&self, index: Option<u64>) -> bool {
        self.calls.iter().any(|c| c.index == index)
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
        (0..self.calls.len()).for_each(|at| self.show_call(at));
    }

    /// The whole answer, of a protocol that repeats it at the end of its stream. What it leaves out
    /// is what came in pieces.
    pub fn whole(&mut self, answer: ChatResponse) {
        self.usage(answer.usage);
        self.whole = Some(Box::new(answer));
    }

    /// Keeps an item of the answer that came whole.
    pub fn keep(&mut self, item: Value) {
        self.items.push(item);
    }

    /// The items that came whole.
    pub fn kept(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.items)
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
        let whole = self.whole.take();
        let finish = match (self.finish.take(), &whole) {
            (Some(finish), _) => finish,
            (None, Some(whole)) => whole.finish.clone(),
            (None, None) if self.done => FinishReason::Stop,
            (None, None) => {
                let reason = "the stream ended before the answer did".into();
                return Err(ModelError::Broken { reason });
            }
        };
        let usage = self.usage;
        let pieces = self.message(provider);
        let message = match whole {
            None => pieces,
            Some(whole) => {
                // The end repeats the whole; what came in pieces counts where it does not.
                let mut message = whole.message;
                if message.content.is_empty() {
                    message.content = pieces.content;
                }
                if message.tool_calls.is_empty() {
                    message.tool_calls = pieces.tool_calls;
                }
                message.reasoning = message.reasoning.or(pieces.reasoning);
                message.echo = message.echo.or(pieces.echo);
                message
            }
        };
        // Some servers say `stop` where they mean that the model waits for its calls.
        let finish = match finish {
            FinishReason::Stop if !message.tool_calls.is_empty() => FinishReason::ToolCalls,
            other => other,
        };
        Ok(ChatResponse { message, finish, usage })
    }

    fn message(mut self, provider: &str) -> Message {
        // A call may say nothing at all.
        let says = |call: &Call| !(call.name.is_empty() && call.arguments.is_empty());
        let places: Vec<Option<usize>> = self
            .calls
            .iter()
            .scan(0, |n, call| {
                *n += usize::from(says(call));
                Some(says(call).then(|| *n - 1))
            })
            .collect();
        let items = self.give_back(&places);
        let mut message = Message::assistant(self.text.into_text());
        let reasoning = self.reasoning.into_text();
        message.reasoning = (!reasoning.is_empty()).then_some(reasoning);
        message.tool_calls = self
            .calls
            .into_iter()
            .filter(says)
            .map(|c| ToolCall { id: c.id, name: c.name, arguments: c.arguments.settle() })
            .collect();
        let size: usize = items.iter().map(|item| item.to_string().len()).sum();
        message.echo = (!items.is_empty() && size <= MAX_ECHO)
            .then(|| Echo { provider: provider.to_owned(), items });
        message
    }

    /// What goes back with the message, as [`Message::blocks`] reads it: where the blocks stand as
    /// they always do (other things, the text, the calls), only those with something to give back.
    fn give_back(&mut self, places: &[Option<usize>]) -> Vec<Value> {
        let mut items = Vec::new();
        if let Some(Value::Array(details)) = self.fields.remove("reasoning_details") {
            items.extend(details);
        }
        // Thoughts go back with calls alone, and once.
        let thoughts_in = self.thoughts_in.filter(|_| items.is_empty() && !self.calls.is_empty());
        if !self.fields.is_empty() || thoughts_in.is_some() {
            let mut item = Map::new();
            item.insert("message".into(), std::mem::take(&mut self.fields).into());
            item.extend(thoughts_in.map(|name| ("thoughts".to_owned(), name.into())));
            items.push(item.into());
        }
        let rank = |block: &Block| match block {
            Block::Other(_) => 0,
            Block::Text(..) => 1,
            Block::Call(_) => 2,
        };
        let n_texts = self.blocks.iter().filter(|b| matches!(b, Block::Text(..))).count();
        let has_other = self.blocks.iter().any(|b| matches!(b, Block::Other(_)));
        let is_marked = self.blocks.iter().any(|b| matches!(b, Block::Text(_, f) if !f.is_empty()));
        let goes_back = has_other || is_marked || self.calls.iter().any(|c| !c.fields.is_empty());
        if !goes_back {
            return items;
        }
        let is_usual = self.blocks.is_sorted_by_key(rank) && n_texts < 2;
        if !is_usual && n_texts == 0 {
            // The place of a text says that there is an order.
            items.push(json!({ "text": 0 }));
        }
        for block in std::mem::take(&mut self.blocks) {
            let (name, n, mut fields) = match block {
                Block::Other(item) => {
                    items.push(item);
                    continue;
                }
                Block::Text(n, fields) => ("text", n, fields),
                Block::Call(at) => match places[at] {
                    Some(place) => ("call", place, std::mem::take(&mut self.calls[at].fields)),
                    None => continue,
                },
            };
            if is_usual && fields.is_empty() {
                continue;
            }
            if !is_usual || name == "call" {
                fields.insert(name.into(), n.into());
            }
            items.push(fields.into());
        }
        items
    }
}

/// Whether an id tells calls apart: some servers fill its place with nothing, or with a word for it.
fn is_mark(id: &str) -> bool {
    !matches!(id.trim().to_ascii_lowercase().as_str(), "" | "null" | "none" | "undefined")
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
                ..CallPiece::default()
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
                ..CallPiece::default()
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
        assert_eq!(assembly.text.text(), "half a sen");
        let error = assembly.finish("test").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the answer broke off: the stream ended before the answer did"
        );
    }
}
