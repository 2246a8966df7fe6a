//! What a model says while it says it.

use llm::Part;

/// A turn that is not finished.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// The thoughts so far.
    pub reasoning: String,
    /// The text so far.
    pub text: String,
    /// Names and arguments of the calls so far.
    pub calls: Vec<(String, String)>,
    /// Why it is asked again, if it is.
    pub retry: Option<String>,
}

impl Live {
    /// Takes pieces in their order.
    pub fn take(&mut self, parts: Vec<Part>) {
        for part in parts {
            match part {
                Part::Text { text } => self.text.push_str(&text),
                Part::Reasoning { text } => self.reasoning.push_str(&text),
                Part::Call { index, name, arguments } => {
                    if self.calls.len() <= index {
                        self.calls.push((String::new(), String::new()));
                    }
                    if let Some(call) = self.calls.get_mut(index) {
                        call.0 = name;
                        call.1.push_str(&arguments);
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
        assert_eq!((live.text.as_str(), live.calls[0].1.as_str()), ("ab", "{}"));
        live.take(vec![
            Part::Retry { attempt: 2, wait_ms: 1500.0, reason: "busy".into(), is_too_fast: true },
            text("c"),
        ]);
        assert_eq!((live.text.as_str(), live.calls.len()), ("c", 0));
        assert_eq!(live.retry.as_deref(), Some("Attempt 2 begins in 1.5 s: busy"));
        assert!(!live.is_empty() && Live::default().is_empty());
    }
}
