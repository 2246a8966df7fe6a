//! What a model says while it says it.

use llm::{Grow, Part, Partial};

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
}

impl Grow for Tail {
    fn grow(&mut self, piece: &str) {
        self.text.push_str(piece);
        // Not at every piece, or all of it would be moved for each.
        if self.text.len() > 2 * MOST {
            let from = self.text.ceil_char_boundary(self.text.len() - MOST);
            self.text.drain(..from);
            self.n_before += from;
        }
    }
}

/// A turn that is not finished.
pub type Live = Partial<Tail>;

/// Why it is asked again, if it is.
pub fn retried(live: &Live) -> Option<String> {
    let Some(Part::Retry { attempt, wait_ms, reason, .. }) = &live.retry else { return None };
    Some(format!("Attempt {attempt} begins in {:.1} s: {reason}", wait_ms / 1000.0))
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
        [text("a"), text("b"), call("{"), call("}")].iter().for_each(|part| live.take(part));
        assert_eq!((live.text.text(), live.calls[0].1.text()), ("ab", "{}"));
        let reason = "busy".into();
        live.take(&Part::Retry { attempt: 2, wait_ms: 1500.0, reason, is_too_fast: true });
        live.take(&text("c"));
        assert_eq!((live.text.text(), live.calls.len()), ("c", 0));
        assert_eq!(retried(&live).as_deref(), Some("Attempt 2 begins in 1.5 s: busy"));
        assert!(!live.is_empty() && Live::default().is_empty());
    }

    #[test]
    fn of_a_text_of_megabytes_the_end_is_held() {
        let mut live = Live::default();
        let mut all = String::new();
        for i in 0..100_000 {
            let more = format!("[é{i}],");
            all.push_str(&more);
            live.take(&Part::Call { index: 0, name: "f".into(), arguments: more });
        }
        let tail = &live.calls[0].1;
        assert!(tail.text().len() <= 2 * MOST && tail.text().len() >= MOST / 2);
        assert!(all.ends_with(tail.text()));
        assert_eq!(tail.n_before + tail.text().len(), all.len());
    }
}
