//! What the scripts' language does with texts, where ours does something else.

/// The zeros of all decimal digits but ASCII's, in order; the other nine follow each.
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
    0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The value of a decimal digit of any script: what `\d` matches and `int` reads.
pub(super) fn digit(c: char) -> Option<u32> {
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let code = u32::from(c);
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= code)].last()?;
    (code - zero < 10).then_some(code - zero)
}

/// What `\s` matches and `strip` takes away.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// The text without white space at its ends.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The text from the n-th character on.
pub(super) fn skip_chars(text: &str, n: usize) -> &str {
    text.char_indices().nth(n).map_or("", |(at, _)| &text[at..])
}

/// What stands in brackets on one line: from each `[` to the next `]`.
pub(super) fn brackets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('[') {
        let start = at + open + 1;
        match text[start..].find([']', '\n']) {
            None => break,
            Some(length) => {
                let end = start + length;
                if text.as_bytes()[end] == b']' {
                    found.push(&text[start..end]);
                }
                at = end + 1;
            }
        }
    }
    found
}

/// What stands in brackets and is made of certain characters alone, on one line or on several.
pub(super) fn brackets_of(text: &str, fits: impl Fn(char) -> bool, empty_too: bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('[') {
        let start = at + open + 1;
        let end = text[start..].find(|c| !fits(c)).map_or(text.len(), |length| start + length);
        at = end;
        if text[end..].starts_with(']') && (empty_too || end > start) {
            found.push(&text[start..end]);
            at = end + 1;
        }
    }
    found
}

/// The whole numbers of such a bracket, as digits without leading zeros; `None` where there is a
/// gap between two marks, which `int` refuses. One comma, with any white space, or white space
/// alone parts two numbers, and so do several commas.
pub(super) fn integers(bracket: &str) -> Option<Vec<String>> {
    let is_mark = |c: char| is_space(c) || c == ',';
    let inner = strip(bracket);
    // A comma at an end has nothing on its other side.
    if inner.is_empty() || inner.starts_with(',') || inner.ends_with(',') {
        return None;
    }
    Some(inner.split(is_mark).filter(|run| !run.is_empty()).map(number).collect())
}

/// Digits of any script as ASCII's, without leading zeros.
pub(super) fn number(digits: &str) -> String {
    let ascii: String = digits.chars().filter_map(|c| char::from_digit(digit(c)?, 10)).collect();
    match ascii.trim_start_matches('0') {
        "" => "0".into(),
        rest => rest.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_their_values() {
        for (c, value) in
            [('7', Some(7)), ('٣', Some(3)), ('９', Some(9)), ('x', None), ('²', None)]
        {
            assert_eq!(digit(c), value, "{c}");
        }
        assert!(ZEROS.is_sorted());
        assert_eq!(number("٠٠٤2"), "42");
    }

    #[test]
    fn brackets_end_with_their_line() {
        assert_eq!(brackets("[a] [b\n] [c [d] e]"), ["a", "c [d"]);
        assert_eq!(brackets("[[x]]"), ["[x"]);
        assert_eq!(brackets("[] ["), [""]);
        let digits = |c: char| digit(c).is_some() || is_space(c) || c == ',';
        assert_eq!(brackets_of("[1,\n2] [] [3 x] [[4]", digits, false), ["1,\n2", "4"]);
        assert_eq!(integers("1, 2  3,,4"), Some(["1", "2", "3", "4"].map(String::from).to_vec()));
        for none in ["1,", ",1", " ", ""] {
            assert_eq!(integers(none), None, "{none:?}");
        }
    }
}
