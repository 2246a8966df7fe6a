//! `**strong**`, `*stressed*` and `` `code` `` in a line. A mark that is not closed is a letter.

use super::Span;

/// A mark and what is between two of it.
type Marked = (&'static str, fn(String) -> Span);

/// The marks, the longest first.
const MARKS: [Marked; 3] = [("**", Span::Strong), ("*", Span::Em), ("`", Span::Code)];

/// The spans of a line; they do not nest.
pub(super) fn spans(line: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let mut plain = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        match marked(rest) {
            Some((span, after)) => {
                if !plain.is_empty() {
                    out.push(Span::Plain(std::mem::take(&mut plain)));
                }
                out.push(span);
                rest = after;
            }
            None => {
                plain.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    if !plain.is_empty() {
        out.push(Span::Plain(plain));
    }
    out
}

fn marked(rest: &str) -> Option<(Span, &str)> {
    let (mark, make) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark))?;
    let inner = &rest[mark.len()..];
    let end = inner.find(mark)?;
    let words = &inner[..end];
    // "2 * 3 * 4" stresses nothing.
    let hugs = !words.is_empty() && words.trim() == words;
    hugs.then(|| (make(words.to_owned()), &inner[end + mark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_unclosed_ones_are_letters() {
        let plain = |s: &str| Span::Plain(s.into());
        assert_eq!(
            spans("a **b c** *d* `e*f`."),
            [
                plain("a "),
                Span::Strong("b c".into()),
                plain(" "),
                Span::Em("d".into()),
                plain(" "),
                Span::Code("e*f".into()),
                plain(".")
            ]
        );
        assert_eq!(spans("2 * 3 * 4"), [plain("2 * 3 * 4")]);
        assert_eq!(spans("**open `é"), [plain("**open `é")]);
        assert_eq!(spans("****"), [plain("****")]);
        assert_eq!(spans(""), []);
        assert_eq!(spans("<b>x</b>"), [plain("<b>x</b>")], "words, and never HTML");
    }
}
