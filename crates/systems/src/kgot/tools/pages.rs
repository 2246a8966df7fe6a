//! Long texts, page by page.

use agent::ToolFailure;
use serde_json::{Value, json};

use super::failure;

/// The lines of a page.
const LINES: usize = 200;
/// The letters of a page.
const LETTERS: usize = 20_000;
/// The letters of a line that was found.
const SHOWN: usize = 500;

/// A text that is read by pages, which end with a line wherever lines are shorter than a page.
#[derive(Clone, Debug, Default)]
pub(super) struct PagedText {
    text: String,
    /// Where pages begin, in bytes.
    starts: Vec<usize>,
}

/// A line that has all words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundLine {
    /// Counted from 1.
    pub line: usize,
    /// The page that it begins on, counted from 1.
    pub page: usize,
    /// The line, or the part of a long one where the first word stands.
    pub text: String,
}

impl PagedText {
    /// Cuts a text into pages, in time in proportion to it.
    pub fn new(text: String) -> Self {
        let mut starts = vec![0];
        let (mut lines, mut letters, mut at) = (0, 0, 0);
        for line in text.split_inclusive('\n') {
            let mut n = line.chars().count();
            if lines > 0 && (lines == LINES || letters + n > LETTERS) {
                starts.push(at);
                (lines, letters) = (0, 0);
            }
            let mut rest = line;
            while n > LETTERS {
                let cut = rest.char_indices().nth(LETTERS).map_or(rest.len(), |(i, _)| i);
                at += cut;
                rest = &rest[cut..];
                n -= LETTERS;
                starts.push(at);
            }
            at += rest.len();
            lines += 1;
            letters += n;
        }
        Self { text, starts }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many pages there are; at least one.
    pub fn n_pages(&self) -> usize {
        self.starts.len().max(1)
    }

    /// Puts a page into what a tool tells: its text, and which page of how many where there are
    /// several.
    pub fn tell(&self, page: Option<usize>, told: &mut Value) -> Result<(), ToolFailure> {
        let (page, n) = (page.unwrap_or(1), self.n_pages());
        if page == 0 || page > n {
            let message = format!("there is no page {page}; the pages are 1 to {n}");
            return Err(failure("no_page", message));
        }
        let start = self.starts.get(page - 1).copied().unwrap_or_default();
        let end = self.starts.get(page).copied().unwrap_or(self.text.len());
        let mut text = self.text[start..end].to_owned();
        if !text.is_empty() && !text.ends_with('\n') && page == n {
            text.push('\n');
        }
        if n > 1 {
            told["page"] = json!(page);
            told["pages"] = json!(n);
        }
        told["text"] = json!(text);
        Ok(())
    }

    /// The lines that have all words, whatever their capitals. The words are in lower case.
    pub fn find<'s>(&'s self, words: &'s [String]) -> impl Iterator<Item = FoundLine> + 's {
        let mut at = 0;
        self.text.split_inclusive('\n').enumerate().filter_map(move |(i, line)| {
            let start = at;
            at += line.len();
            let line = line.trim_end();
            let lower = line.to_lowercase();
            if !words.iter().all(|word| lower.contains(word.as_str())) {
                return None;
            }
            let first = words.first().and_then(|word| lower.find(word.as_str())).unwrap_or(0);
            let before = lower[..first].chars().count();
            let skip = if before + SHOWN / 2 > SHOWN { before - SHOWN / 4 } else { 0 };
            let page = self.starts.partition_point(|s| *s <= start).max(1);
            let text = line.chars().skip(skip).take(SHOWN).collect();
            Some(FoundLine { line: i + 1, page, text })
        })
    }
}

/// Words to find, in lower case.
pub(super) fn wanted(words: &str) -> Result<Vec<String>, ToolFailure> {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if wanted.is_empty() {
        return Err(failure("no_words", "expected at least one word".into()));
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn page(text: &PagedText, page: usize) -> String {
        let mut told = json!({});
        text.tell(Some(page), &mut told).unwrap();
        told["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn pages_end_with_lines_and_long_lines_are_cut() {
        let text = PagedText::new("line\n".repeat(450));
        assert_eq!(text.n_pages(), 3);
        assert_eq!(page(&text, 3).lines().count(), 50);
        let text = PagedText::new(format!("a\n{}\nb", "ü".repeat(45_000)));
        assert_eq!(text.n_pages(), 4);
        assert_eq!(page(&text, 2).chars().count(), LETTERS);
        let error = text.tell(Some(5), &mut json!({})).unwrap_err();
        assert_eq!(error.message, "there is no page 5; the pages are 1 to 4");
        assert_eq!(PagedText::new(String::new()).n_pages(), 1);
    }

    #[test]
    fn what_is_found_has_its_line_and_page_and_the_part_with_the_word() {
        let long = format!("{} Needle {}", "x".repeat(900), "y".repeat(900));
        let text = PagedText::new(format!("{}{long}\n", "line\n".repeat(250)));
        let found: Vec<FoundLine> = text.find(&["needle".into()]).collect();
        assert_eq!((found.len(), found[0].line, found[0].page), (1, 251, 2));
        assert!(found[0].text.contains("Needle") && found[0].text.chars().count() == SHOWN);
        assert_eq!(text.find(&["line".into(), "needle".into()]).count(), 0);
    }

    proptest! {
        #[test]
        fn the_pages_are_the_text(text in "([a-zü]{0,80}\n|[ab]{0,30000}){0,12}") {
            let paged = PagedText::new(text.clone());
            let mut all: String = (1..=paged.n_pages()).map(|n| page(&paged, n)).collect();
            if !text.ends_with('\n') && !text.is_empty() {
                all.pop();
            }
            prop_assert_eq!(all, text);
        }
    }
}
