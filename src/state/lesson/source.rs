//! A lesson as its writer sees it: a head, and pieces that can be moved; as text it is the lesson's file.

/// A lesson that is being written. Anything is taken: what is wrong is told when it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// What it is called.
    pub title: String,
    /// Its one idea.
    pub idea: String,
    /// Minutes, as they were typed.
    pub minutes: String,
    /// From top to bottom.
    pub pieces: Vec<LessonPiece>,
}

/// A stretch of Markdown, or a typed block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonPiece {
    /// The kind of the block; empty for Markdown.
    pub kind: String,
    /// The Markdown, or what stands in the block.
    pub text: String,
}

/// What can be put in: the name for people, the kind, and what it begins with.
pub const TEMPLATES: [(&str, &str, &str); 7] = [
    ("Text", "", "A paragraph. **Strong**, *stressed*, `code`.\n\n- a list\n- of things"),
    (
        "Graph with a question",
        "problem",
        "layout = circle\nname = 0: Ann\nname = 2: Cem\n---\nIn an undirected graph, the nodes are \
         numbered from 0 to 3, and the edges are:\nan edge between node 0 and node 1 with weight 2,\n\
         an edge between node 1 and node 2 with weight 1,\nan edge between node 0 and node 3 with \
         weight 4.\nQ: Give the shortest path from node 0 to node 2.\nA:",
    ),
    (
        "Question to the class",
        "predict",
        "ask = How long is the shortest path?\nchoice = 2\nright = 3\nchoice = 5\nbecause = From 0 to 1 \
         it is 2, and from 1 to 2 it is 1.",
    ),
    (
        "Text whose claims are checked",
        "claims",
        "false = 2\n---\nThe shortest path from node 0 to node 2 is 0,3,2 with a total weight of 5",
    ),
    (
        "Answer that is judged",
        "answer",
        "expect = Partial\n---\nThe shortest path from node 0 to node 2 is 0,1,2 with a total weight of 5",
    ),
    ("Run a model on the graph", "run", "system = both\nmodel = own\nexpect = Wrong, Correct"),
    ("Notes for the teacher", "notes", "---\nWhat to ask, and when to reveal the colours."),
];

impl Draft {
    /// A lesson to begin with.
    pub fn example() -> Self {
        let piece = |i: usize| {
            let (_, kind, text) = TEMPLATES[i];
            LessonPiece { kind: kind.to_owned(), text: text.to_owned() }
        };
        Self {
            title: "A lesson of my own".into(),
            idea: "One idea, in a sentence.".into(),
            minutes: "5".into(),
            pieces: [0, 1, 2, 3].map(piece).to_vec(),
        }
    }

    /// Takes a file apart; what is no head and no block is Markdown.
    pub fn read(text: &str) -> Self {
        let mut draft = Self::default();
        let lines: Vec<&str> = text.lines().collect();
        let is_rule = |line: &&str| line.trim_end() == "---";
        let mut rest = lines.as_slice();
        if lines.first().is_some_and(is_rule)
            && let Some(end) = lines.iter().skip(1).position(is_rule)
        {
            for line in &lines[1..=end] {
                let (key, value) = line.split_once(':').unwrap_or((line, ""));
                let value = value.trim().to_owned();
                match key.trim() {
                    "title" => draft.title = value,
                    "idea" => draft.idea = value,
                    "minutes" => draft.minutes = value,
                    _ => {}
                }
            }
            rest = &lines[end + 2..];
        }
        let mut words: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < rest.len() {
            let close = rest[at].strip_prefix("```").and_then(|kind| {
                let n = rest[at + 1..].iter().position(|l| l.trim_end() == "```")?;
                Some((kind.trim(), n))
            });
            // A block of no name is Markdown to the writer, and told as wrong by the reader.
            match close.filter(|(kind, _)| !kind.is_empty()) {
                Some((kind, n)) => {
                    draft.add_words(&mut words);
                    let text = rest[at + 1..at + 1 + n].join("\n");
                    draft.pieces.push(LessonPiece { kind: kind.to_owned(), text });
                    at += n + 2;
                }
                None => {
                    words.push(rest[at]);
                    at += 1;
                }
            }
        }
        draft.add_words(&mut words);
        draft
    }

    fn add_words(&mut self, words: &mut Vec<&str>) {
        let text = words.join("\n").trim().to_owned();
        words.clear();
        if !text.is_empty() {
            self.pieces.push(LessonPiece { kind: String::new(), text });
        }
    }

    /// The lesson's file.
    pub fn write(&self) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut out = format!(
            "---\ntitle: {}\nidea: {}\nminutes: {}\n---\n",
            line(&self.title),
            line(&self.idea),
            line(&self.minutes)
        );
        for piece in &self.pieces {
            out.push_str(&piece.write());
        }
        out
    }

    /// Which piece a line of the file stands in, counted from 1; `None` for the head.
    pub fn piece_at(&self, line: usize) -> Option<usize> {
        let mut first = 6;
        for (i, piece) in self.pieces.iter().enumerate() {
            let end = first + piece.write().lines().count();
            if line < end {
                return (line >= first).then_some(i);
            }
            first = end;
        }
        self.pieces.len().checked_sub(1)
    }
}

impl LessonPiece {
    fn write(&self) -> String {
        let text = self.text.trim_end();
        match self.kind.as_str() {
            "" => format!("{text}\n\n"),
            kind => format!("```{kind}\n{text}\n```\n\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{LESSONS, parse};
    use super::*;

    #[test]
    fn every_lesson_is_the_same_after_it_was_taken_apart() {
        for (name, text) in LESSONS {
            let draft = Draft::read(text);
            assert!(draft.pieces.len() > 4, "{name}");
            assert_eq!(parse(&draft.write()).unwrap(), parse(text).unwrap(), "{name}");
        }
    }

    #[test]
    fn what_can_be_put_in_is_read() {
        let mut draft = Draft::example();
        for (_, kind, text) in TEMPLATES {
            draft.pieces.push(LessonPiece { kind: kind.to_owned(), text: text.to_owned() });
        }
        parse(&draft.write()).unwrap();
    }

    #[test]
    fn a_fault_is_found_in_its_piece() {
        let mut draft = Draft::example();
        draft.pieces[2].text = "ask = What?\nnonsense".into();
        let fault = parse(&draft.write()).unwrap_err();
        assert_eq!(draft.piece_at(fault.line), Some(2), "{fault}");
        draft.minutes = "many".into();
        let fault = parse(&draft.write()).unwrap_err();
        assert_eq!(draft.piece_at(fault.line), None, "{fault}");
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_and_then_stays(text in "([-`a-z:= #]{0,12}\n){0,20}") {
            let once = Draft::read(&text).write();
            let draft = Draft::read(&once);
            prop_assert_eq!(draft.write(), once);
        }
    }
}
