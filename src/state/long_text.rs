//! Texts of any length: what of them is shown at first, and the rest in pieces.

/// The most bytes of a text that are shown before a person asks for all of it.
pub const SHOWN: usize = 4_000;
/// About how long a piece of a long text is, in bytes. A browser lays out the pieces that are in
/// sight; one piece of a megabyte would be laid out whole.
const PIECE: usize = 8_000;

/// The beginning of a text; all of it where it is short.
pub fn head(text: &str) -> &str {
    if text.len() <= SHOWN {
        return text;
    }
    text.get(..text.floor_char_boundary(SHOWN)).unwrap_or_default()
}

/// A text in pieces that stand below each other. Each ends where a line does, or at a space, where
/// there is one nearby.
pub fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(text.len() / PIECE + 1);
    let mut rest = text;
    while rest.len() > PIECE {
        let most = rest.floor_char_boundary(PIECE);
        let (near, _) = rest.split_at(most);
        let late = near.floor_char_boundary(PIECE / 2);
        let cut = |letter: char| near[late..].rfind(letter).map(|at| late + at + 1);
        let (piece, after) = rest.split_at(cut('\n').or_else(|| cut(' ')).unwrap_or(most));
        // The end of a piece is the end of a line as it is.
        pieces.push(piece.strip_suffix('\n').unwrap_or(piece));
        rest = after;
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// How long a text is, for people.
pub fn size(text: &str) -> String {
    size_of(text.len())
}

/// The same of a text of so many bytes.
pub fn size_of(n_bytes: usize) -> String {
    match n_bytes {
        n if n < 10_000 => format!("{n} characters"),
        n if n < 1_000_000 => format!("{:.0} thousand characters", n as f64 / 1e3),
        n => format!("{:.1} million characters", n as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_texts_are_left_alone_and_long_ones_cut_at_lines() {
        assert_eq!(head("short"), "short");
        assert_eq!(pieces(""), [""]);
        assert_eq!(pieces("one\ntwo"), ["one\ntwo"]);
        let line = format!("{}\n", "x".repeat(99));
        let text = line.repeat(200);
        let all = pieces(&text);
        assert_eq!(all.len(), 3);
        assert_eq!(all[0], line.repeat(80).trim_end());
        let words = "word ".repeat(3_000);
        assert!(pieces(&words).iter().all(|p| p.ends_with(' ')));
        assert_eq!(size(&"x".repeat(1_204_331)), "1.2 million characters");
    }

    proptest! {
        #[test]
        fn nothing_is_lost(parts in prop::collection::vec("[aé ]{0,6000}\n?", 0..8)) {
            let text = parts.concat();
            let plain = |t: &str| t.replace('\n', "");
            prop_assert_eq!(plain(&pieces(&text).concat()), plain(&text));
            prop_assert!(pieces(&text).iter().all(|p| p.len() <= PIECE));
            prop_assert!(text.starts_with(head(&text)) && head(&text).len() <= SHOWN);
        }
    }
}
