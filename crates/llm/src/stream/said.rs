//! What a text or the arguments of a call are after a further piece: an addition, a restatement or a
//! replacement, decided by what is there already.

/// A piece that repeats less than this is taken as an addition: a model may well say a word twice.
const SURE: usize = 16;
/// A piece that says exactly what is there is an addition up to this length.
const LONG: usize = 64;

/// A text as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Said {
    text: String,
    /// What the start of a block said already, which its first piece may say once more.
    opening: String,
    /// The latest piece and how many there were, while each began with the one before it.
    growing: Option<(String, usize)>,
}

impl Said {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Takes a piece, and gives what of it is new.
    pub(super) fn take<'a>(&mut self, piece: &'a str) -> &'a str {
        if piece.is_empty() {
            return piece;
        }
        let opening = std::mem::take(&mut self.opening);
        let n = self.text.len();
        let is_sure = n >= SURE && (piece.len() > n || n >= LONG) && piece.starts_with(&self.text);
        let new = if is_sure {
            self.growing = None;
            &piece[n..]
        } else if !opening.is_empty() {
            piece.strip_prefix(opening.as_str()).unwrap_or(piece)
        } else {
            match self.growth(piece) {
                // Three pieces, each of which begins with the one before: a server that sends the
                // whole so far each time. What was taken twice is said once.
                Some((before, n)) if n > 2 && piece.len() >= SURE => {
                    self.text = piece.to_owned();
                    return &piece[before..];
                }
                _ => piece,
            }
        };
        self.text.push_str(new);
        new
    }

    /// The length of the piece before and how many pieces there are now, if all have grown.
    fn growth(&mut self, piece: &str) -> Option<(usize, usize)> {
        let grown = match self.growing.take() {
            None if self.text.is_empty() => Some((0, 1)),
            None => None,
            Some((last, n)) => {
                let does = piece.len() > last.len() && piece.starts_with(&last);
                does.then(|| (last.len(), n + 1))
            }
        };
        self.growing = grown.map(|(_, n)| (piece.to_owned(), n));
        grown
    }

    /// Takes what the start of a block has, where the protocol has no text.
    pub(super) fn open(&mut self, piece: &str) {
        self.text.push_str(piece);
        piece.clone_into(&mut self.opening);
        self.growing = None;
    }

    /// Takes what is said to be the whole, and gives what of it is new. It is an addition where it
    /// is not what is there: some servers call each piece a message.
    pub(super) fn restate<'a>(&mut self, whole: &'a str) -> &'a str {
        let here = self.text.trim();
        if here.is_empty() || !whole.trim_start().starts_with(here) {
            return self.take(whole);
        }
        let shown = self.text.len();
        let new = whole.strip_prefix(self.text.as_str());
        whole.clone_into(&mut self.text);
        new.unwrap_or_else(|| whole.get(shown..).unwrap_or_default())
    }
}

/// The arguments of a call as far as they have come, and where in their JSON that is.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    text: String,
    /// The brackets that are open.
    open: Vec<u8>,
    in_string: bool,
    is_escaped: bool,
    /// The latest byte that is no white space and in no string.
    last: u8,
    /// Whether the first bracket was closed.
    is_whole: bool,
    /// Whether pieces are known to have all that came before them.
    is_grown: bool,
    /// Where the latest piece begins that may be a value within or all of it once more.
    maybe: Option<usize>,
}

impl Arguments {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the JSON has come to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The arguments at the end. What may have been all of them once more was that, if it is whole
    /// and the rest is not.
    pub(super) fn settle(self) -> String {
        let again = self.maybe.filter(|_| !self.is_whole).map(|at| &self.text[at..]);
        let is_whole = |text: &&str| {
            let mut alone = Self::default();
            alone.take(text);
            alone.is_whole
        };
        again.filter(is_whole).map(str::to_owned).unwrap_or(self.text)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether they are `{}`, which may only hold a place.
    pub(super) fn is_place(&self) -> bool {
        self.text.bytes().filter(|b| !b.is_ascii_whitespace()).eq(*b"{}")
    }

    /// Whether a piece says nothing else than what is there, or nothing.
    pub(super) fn is_said(&self, piece: &str) -> bool {
        matches!(piece.trim(), "" | "null") || piece.trim() == self.text.trim()
    }

    /// Takes a piece; gives what was there where the piece took its place.
    pub(super) fn take(&mut self, piece: &str) -> Option<String> {
        let begins = !self.is_empty() && piece.trim_start().starts_with('{');
        let grows = begins && piece.len() > self.text.len() && piece.starts_with(&self.text);
        // Within a string a raw quote ends it, and the next letter of a key would be a fault.
        let is_sure = self.is_whole || !self.takes_bracket() || (self.in_string && grows);
        let is_instead = begins && (is_sure || (grows && self.is_grown));
        let mut before = None;
        if is_instead {
            let now = Self { is_grown: grows, ..Self::default() };
            before = Some(std::mem::replace(self, now).text);
        } else if grows {
            self.maybe = Some(self.text.len());
        }
        self.text.push_str(piece);
        piece.bytes().for_each(|byte| self.scan(byte));
        before
    }

    /// Whether a bracket may come next.
    fn takes_bracket(&self) -> bool {
        self.in_string
            || matches!(self.last, b':' | b'[')
            || (self.last == b',' && self.open.last() == Some(&b'['))
    }

    fn scan(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        if byte.is_ascii_whitespace() {
            return;
        }
        self.last = byte;
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.open.push(byte),
            b'}' | b']' => {
                self.open.pop();
                self.is_whole |= self.open.is_empty();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pieces: &[&str]) -> (String, String) {
        let mut said = Said::default();
        let shown = pieces.iter().map(|piece| said.take(piece)).collect::<String>();
        (said.into_text(), shown)
    }

    #[test]
    fn a_piece_with_all_that_was_said_adds_its_rest() {
        let (text, shown) = said(&[
            "There is a path: ",
            "There is a path: 0 -> 1",
            "There is a path: 0 -> 1 -> 2.",
        ]);
        assert_eq!((text.as_str(), shown.as_str()), ("There is a path: 0 -> 1 -> 2.", &*text));
        // Shorter beginnings are known by the third piece.
        let (text, _) =
            said(&["Yes", "Yes, there", "Yes, there is a path", "Yes, there is a path."]);
        assert_eq!(text, "Yes, there is a path.");
        let whole = "Nodes 0, 1 and 2 are joined, so that there is a path from 0 to 2 by way of 1.";
        assert_eq!(said(&[whole, whole]).0, whole);
    }

    #[test]
    fn what_a_model_says_twice_is_said_twice() {
        for pieces in [
            &["\n", "\n", "Here."][..],
            &["ha", "ha", "ha"],
            &["no", "no, no"],
            &["-", "--", "---", "----"],
            &["0 -> 1", "0 -> 1", " -> 2"],
            &["import numpy as np\n", "import numpy as np\n"],
        ] {
            assert_eq!(said(pieces).0, pieces.concat(), "{pieces:?}");
        }
    }

    #[test]
    fn a_whole_takes_the_place_of_its_pieces_and_nothing_else() {
        let mut text = Said::default();
        text.take(" It ");
        assert_eq!((text.restate("It is."), text.text()), ("s.", "It is."));
        assert_eq!((text.restate("No."), text.text()), ("No.", "It is.No."));
    }

    fn arguments(pieces: &[&str]) -> String {
        let mut arguments = Arguments::default();
        pieces.iter().for_each(|piece| drop(arguments.take(piece)));
        arguments.settle()
    }

    #[test]
    fn arguments_are_added_restated_or_replaced() {
        for (pieces, whole) in [
            (&["{\"a\":", "{\"b\":", "[", "{}]}", "}"][..], "{\"a\":{\"b\":[{}]}}"),
            // A text with brackets in it.
            (&["{\"code\":\"", "{x}", "\"}"], "{\"code\":\"{x}\"}"),
            (&["{}", "{\"a\":", "1}"], "{\"a\":1}"),
            (&["{\"a\":", "1}", "{\"a\":1}"], "{\"a\":1}"),
            // All that has come so far, each time.
            (&["{", "{\"a", "{\"a\": \"x", "{\"a\": \"x{", "{\"a\": \"x{y\"}"], "{\"a\": \"x{y\"}"),
            // A value that begins as the whole does, and the whole once more.
            (&["{\"a\":", "{\"a\":1}", "}"], "{\"a\":{\"a\":1}}"),
            (&["{\"a\":", "{\"a\":1}"], "{\"a\":1}"),
            (&["{\"a\"", "{\"a\":", "{\"a\":1}"], "{\"a\":1}"),
            // Half of it, and then the whole, written otherwise.
            (&["{\"a\":fa", "{\"a\": false}"], "{\"a\": false}"),
        ] {
            assert_eq!(arguments(pieces), whole, "{pieces:?}");
        }
    }
}
