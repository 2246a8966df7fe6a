//! What a model says while it says it.

use llm::Part;

/// The most bytes of a text that is shown while it comes.
const MOST: usize = 4_000;

/// The end of a text that grows: what is said next is read there, and a model may say megabytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    text: String,
    /// How many bytes stood before.
    pub n_before: usize,
}

impl Tail {
    /// The text, or the end of a long one.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn push(&mut self, more: &str) {
        self.text.push_str(more);
        // Not at every piece, or all of it would be moved for each.
        if self.text.len() > 2 * MOST {
            let from = self.text.ceil_char_boundary(self.text.len() - MOST);
            self.text.drain(..from);
            self.n_before += from;
        }
    }
}

/// A turn that is not finished.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// The thoughts so far.
    pub reasoning: Tail,
    /// The text so far.
    pub text: Tail,
    /// Names and arguments of the calls so far.
    pub calls: Vec<(String, Tail)>,
    /// Why it is asked again, if it is.
    pub retry: Option<String>,
}

impl Live {
    /// Takes pieces in their order.
    pub fn take(&mut self, parts: Vec<Part>) {
        for part in parts {
            match part {
                Part::Text { text } => self.text.push(&text),
                Part::Reasoning { text } => self.reasoning.push(&text),
                Part::Call { index, name, arguments } => {
                    if self.calls.len() <= index {
                        self.calls.push((String::new(), Tail::default()));
                    }
                    if let Some(call) = self.calls.get_mut(index) {
                        call.0 = name;
                        call.1.push(&arguments);
                    }
                }
                Part::Retry { attempt, wait_ms, reason, .. } => {
                    let seconds = wait_ms / 1000.0;
                    let retry =
                        Some(format!("Attempt {attempt} begins in {seconds:.1} s: {reason}"));
                    *self = Self { retry, ..Self::default() };
                }
                _ => {}
            }
        }
    }

    /// Whether there is anything to show.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_add_up_and_a_retry_makes_them_void() {
        let text = |text: &str| Part::Text { text: text.into() };
        let call = |arguments: &str| Part::Call {
            index: 0,
            name: "f".into(),
            arguments: arguments.into(),
        };
        let mut live = Live::default();
        live.take(vec![text("a"), text("b"), call("{"), call("}")]);
        assert_eq!((live.text.text(), live.calls[0].1.text()), ("ab", "{}"));
        live.take(vec![
            Part::Retry { attempt: 2, wait_ms: 1500.0, reason: "busy".into(), is_too_fast: true },
            text("c"),
        ]);
        assert_eq!((live.text.text(), live.calls.len()), ("c", 0));
        assert_eq!(live.retry.as_deref(), Some("Attempt 2 begins in 1.5 s: busy"));
        assert!(!live.is_empty() && Live::default().is_empty());
    }

    #[test]
    fn of_a_text_of_megabytes_the_end_is_held() {
        let mut live = Live::default();
        let mut all = String::new();
        for i in 0..100_000 {
            let more = format!("[é{i}],");
            all.push_str(&more);
            live.take(vec![Part::Call { index: 0, name: "f".into(), arguments: more }]);
        }
        let tail = &live.calls[0].1;
        assert!(tail.text().len() <= 2 * MOST && tail.text().len() >= MOST / 2);
        assert!(all.ends_with(tail.text()));
        assert_eq!(tail.n_before + tail.text().len(), all.len());
    }
}
