//! The keys that walk over the steps of a run, wherever one is shown, and what they are for.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOrder {
    /// One step on.
    Forward,
    /// One step back.
    Back,
    /// Before the first step.
    Start,
    /// Behind the last step.
    End,
    /// Play, or pause.
    Play,
}

impl StepOrder {
    /// What a key asks for, by its name in the browser. A presenter's clicker sends PageDown and PageUp.
    pub fn of_key(key: &str) -> Option<Self> {
        Some(match key {
            "ArrowRight" | "j" | "PageDown" => Self::Forward,
            "ArrowLeft" | "k" | "PageUp" => Self::Back,
            "Home" => Self::Start,
            "End" => Self::End,
            " " => Self::Play,
            _ => return None,
        })
    }

    /// Where the cursor goes from a place among so many steps. Nothing where it would stay: then the key
    /// is left to the page, which may scroll by it.
    pub fn leads(self, at: usize, n: usize) -> Option<usize> {
        let to = match self {
            Self::Forward => (at + 1).min(n),
            Self::Back => at.saturating_sub(1),
            Self::Start => 0,
            Self::End => n,
            Self::Play => return None,
        };
        (to != at).then_some(to)
    }
}

/// The keys in the order in which they are listed, with what they do.
pub const KEYS: [(&str, &str); 13] = [
    ("→, j, Page Down", "one step on"),
    ("←, k, Page Up", "one step back"),
    ("Home", "before the first step"),
    ("End", "after the last step"),
    ("space", "play and pause"),
    ("l", "large type, on and off"),
    ("f", "full screen, on and off"),
    ("r", "hide the colours of claims and of the drawing, or reveal them"),
    ("↓, ↑", "one step on or back, on the page Traces"),
    ("/", "search the steps, on the page Traces"),
    ("Ctrl+K", "go to a page, a task, a function"),
    ("?", "this list"),
    ("Esc", "close what is open"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_walk_and_stop_at_both_ends() {
        let to = |key: &str, at: usize| StepOrder::of_key(key).and_then(|order| order.leads(at, 3));
        assert_eq!(
            [to("ArrowRight", 0), to("j", 1), to("PageDown", 2)],
            [Some(1), Some(2), Some(3)]
        );
        assert_eq!([to("ArrowLeft", 3), to("k", 2), to("PageUp", 1)], [Some(2), Some(1), Some(0)]);
        assert_eq!([to("Home", 2), to("End", 0)], [Some(0), Some(3)]);
        // At an end the page may scroll.
        assert_eq!([to("j", 3), to("PageUp", 0), to("Home", 0), to("End", 3)], [None; 4]);
        assert_eq!(StepOrder::of_key(" "), Some(StepOrder::Play));
        assert_eq!(StepOrder::of_key("x"), None);
    }
}
