//! An answer as far as it has come: the one place where pieces are put together.

use crate::{Message, Part, ToolCall};

/// The most calls of one turn that are kept; a stream that makes more is broken.
pub(crate) const MAX_CALLS: usize = 256;

/// A text that pieces are added to: a whole one, or one of which only the end is kept.
pub trait Grow {
    /// Adds a piece.
    fn grow(&mut self, piece: &str);
}

impl Grow for String {
    fn grow(&mut self, piece: &str) {
        self.push_str(piece);
    }
}

/// A message as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partial<T = String> {
    /// The text so far.
    pub text: T,
    /// The thoughts so far.
    pub reasoning: T,
    /// Names and arguments of the calls so far. A call has no name yet where a later one came first.
    pub calls: Vec<(String, T)>,
    /// The [`Part::Retry`] since which all of this came, if there was one.
    pub retry: Option<Part>,
}

impl<T: Default + Grow> Partial<T> {
    /// Takes the next piece.
    pub fn take(&mut self, part: &Part) {
        match part {
            Part::Text { text } => self.text.grow(text),
            Part::Reasoning { text } => self.reasoning.grow(text),
            Part::Call { index, name, arguments } if *index < MAX_CALLS => {
                if self.calls.len() <= *index {
                    self.calls.resize_with(index + 1, Default::default);
                }
                let call = &mut self.calls[*index];
                call.0.clone_from(name);
                call.1.grow(arguments);
            }
            Part::Call { .. } => {}
            // What came of the attempt before is void.
            Part::Retry { .. } => *self = Self { retry: Some(part.clone()), ..Self::default() },
        }
    }
}

impl<T: Default + PartialEq> Partial<T> {
    /// Whether nothing has come.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Partial {
    /// The message, if anything of it has come. Its calls have no ids: pieces do not tell them.
    pub fn into_message(self) -> Option<Message> {
        let mut message = Message::assistant(self.text);
        message.reasoning = (!self.reasoning.is_empty()).then_some(self.reasoning);
        let calls = self.calls.into_iter();
        message.tool_calls = calls
            .filter(|(name, arguments)| !(name.is_empty() && arguments.trim().is_empty()))
            .map(|(name, arguments)| ToolCall { id: String::new(), name, arguments })
            .collect();
        let is_empty = message.content.is_empty()
            && message.reasoning.is_none()
            && message.tool_calls.is_empty();
        (!is_empty).then_some(message)
    }
}

impl Part {
    /// Adds the next piece to this one, so that both are one; gives it back where it is of another
    /// kind or of another call.
    pub fn join(&mut self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::Text { text }, Self::Text { text: more })
            | (Self::Reasoning { text }, Self::Reasoning { text: more }) => text.push_str(&more),
            (
                Self::Call { index, name, arguments },
                Self::Call { index: other, name: now, arguments: more },
            ) if *index == other => {
                *name = now;
                arguments.push_str(&more);
            }
            (_, next) => return Some(next),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Part {
        Part::Text { text: text.into() }
    }

    fn call(index: usize, name: &str, arguments: &str) -> Part {
        Part::Call { index, name: name.into(), arguments: arguments.into() }
    }

    fn fold(parts: &[Part]) -> Partial {
        let mut partial = Partial::default();
        parts.iter().for_each(|part| partial.take(part));
        partial
    }

    #[test]
    fn pieces_add_up_and_a_retry_makes_them_void() {
        let retry =
            Part::Retry { attempt: 2, wait_ms: 1.0, reason: "busy".into(), is_too_fast: false };
        let before = [text("a"), text("b"), call(0, "f", "{"), call(0, "f", "}")];
        let message = fold(&before).into_message().unwrap();
        assert_eq!((message.content.as_str(), &*message.tool_calls[0].arguments), ("ab", "{}"));
        let after = fold(&[&before[..], &[retry.clone(), text("c")]].concat());
        assert_eq!(after, Partial { text: "c".into(), retry: Some(retry), ..Partial::default() });
        assert!(Partial::<String>::default().is_empty() && fold(&[]).into_message().is_none());
    }

    #[test]
    fn a_call_that_is_named_after_a_later_one_keeps_its_place() {
        let pieces = [call(1, "g", "{}"), call(0, "f", "{}"), call(usize::MAX, "far", "")];
        let calls = fold(&pieces[..1]).into_message().unwrap().tool_calls;
        assert_eq!(calls.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["g"]);
        let calls = fold(&pieces).into_message().unwrap().tool_calls;
        assert_eq!(calls.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["f", "g"]);
    }

    #[test]
    fn two_pieces_of_a_kind_are_one_and_say_the_same() {
        let pieces =
            [text("a"), text("b"), call(0, "f", "{"), call(0, "f_g", "}"), call(1, "h", "")];
        let mut joined: Vec<Part> = Vec::new();
        for part in pieces.clone() {
            let next = match joined.last_mut() {
                Some(last) => last.join(part),
                None => Some(part),
            };
            joined.extend(next);
        }
        assert_eq!(joined, [text("ab"), call(0, "f_g", "{}"), call(1, "h", "")]);
        assert_eq!(fold(&joined), fold(&pieces));
    }
}
