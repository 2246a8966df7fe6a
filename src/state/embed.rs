//! The page inside another page: what is hidden, and what the other page may say to it.

/// What can be hidden, by the names of `hide=…`; the style sheet has a rule for each.
pub const PARTS: [&str; 8] =
    ["prompt", "answer", "tools", "steps", "problem", "player", "graph", "notes"];

/// The names of a list `a,b c` that are known, for the attribute that the style sheet reads.
pub fn hidden(list: &str) -> String {
    let wanted: Vec<&str> = list.split([',', ' ', '+']).collect();
    PARTS.into_iter().filter(|part| wanted.contains(part)).collect::<Vec<&str>>().join(" ")
}

/// The version of the messages; each has it as its key `graphground`.
pub const VERSION: u32 = 1;

/// What the outer page may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameOrder {
    /// One step on.
    Next,
    /// One step back.
    Previous,
    /// To after so many steps.
    Goto(usize),
    /// Nothing but an answer.
    Tell,
}

impl FrameOrder {
    /// Reads a message's three fields; nothing where it is not one of ours.
    pub fn read(version: Option<f64>, order: Option<&str>, step: Option<f64>) -> Option<Self> {
        if version != Some(f64::from(VERSION)) {
            return None;
        }
        match order? {
            "next" => Some(Self::Next),
            "previous" => Some(Self::Previous),
            "tell" => Some(Self::Tell),
            "goto" => {
                let step = step.filter(|s| s.fract() == 0.0 && (0.0..=1e9).contains(s))?;
                Some(Self::Goto(step as usize))
            }
            _ => None,
        }
    }

    /// Where the cursor goes, of `n` steps.
    pub fn from(self, cursor: usize, n: usize) -> usize {
        match self {
            Self::Next => (cursor + 1).min(n),
            Self::Previous => cursor.saturating_sub(1),
            Self::Goto(step) => step.min(n),
            Self::Tell => cursor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_parts_are_hidden() {
        assert_eq!(hidden("prompt,steps"), "prompt steps");
        assert_eq!(hidden("steps prompt"), "prompt steps");
        assert_eq!(hidden("\"><b>,everything"), "");
        assert_eq!(hidden(""), "");
    }

    #[test]
    fn messages_of_another_shape_are_none() {
        let v = Some(1.0);
        assert_eq!(FrameOrder::read(v, Some("next"), None), Some(FrameOrder::Next));
        assert_eq!(FrameOrder::read(v, Some("tell"), Some(f64::NAN)), Some(FrameOrder::Tell));
        assert_eq!(FrameOrder::read(v, Some("goto"), Some(3.0)), Some(FrameOrder::Goto(3)));
        for bad in [None, Some(-1.0), Some(0.5), Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(FrameOrder::read(v, Some("goto"), bad), None, "{bad:?}");
        }
        assert_eq!(FrameOrder::read(v, Some("run"), None), None);
        assert_eq!(FrameOrder::read(v, None, None), None);
        assert_eq!(FrameOrder::read(Some(2.0), Some("next"), None), None);
        assert_eq!(FrameOrder::read(None, Some("next"), None), None);
    }

    #[test]
    fn an_order_stays_among_the_steps() {
        assert_eq!(FrameOrder::Next.from(4, 4), 4);
        assert_eq!(FrameOrder::Next.from(3, 4), 4);
        assert_eq!(FrameOrder::Previous.from(0, 4), 0);
        assert_eq!(FrameOrder::Goto(9).from(0, 4), 4);
        assert_eq!(FrameOrder::Tell.from(2, 4), 2);
    }
}
