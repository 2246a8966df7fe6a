//! Words of a text, as a search index wants them.

/// Words that say nothing about what a text is about.
const STOP: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "do", "does", "each",
    "for", "from", "has", "have", "how", "i", "if", "in", "is", "it", "its", "must", "no", "not",
    "of", "on", "one", "only", "or", "so", "that", "the", "their", "them", "then", "there", "they",
    "this", "to", "was", "we", "what", "when", "where", "which", "will", "with", "you", "your",
    "please", "give", "given",
];

/// The words of a text in their order: lower case, names in `snake_case` and `camelCase` cut apart,
/// numbers and words without meaning left out, English endings cut off.
///
/// ```
/// assert_eq!(text::words("Find the shortest_path between nodes 3 and 4"),
///            ["find", "shortest", "path", "between", "node"]);
/// ```
pub fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut before_is_lower = false;
    for c in text.chars().chain([' ']) {
        let is_hump = c.is_uppercase() && before_is_lower;
        if (!c.is_alphabetic() || is_hump) && !word.is_empty() {
            let whole = std::mem::take(&mut word).to_lowercase();
            if whole.chars().count() > 1 && !STOP.contains(&whole.as_str()) {
                out.push(stem(&whole));
            }
        }
        if c.is_alphabetic() {
            word.push(c);
        }
        before_is_lower = c.is_lowercase();
    }
    out
}

/// Cuts off the endings of plurals and of verb forms. Coarse on purpose: both sides of a search go
/// through it, so it only has to be the same for forms of one word.
fn stem(word: &str) -> String {
    let long = |n: usize| word.chars().count() >= n;
    let cut = |ending: &str| word.strip_suffix(ending).map(str::to_owned);
    if long(5)
        && let Some(base) = cut("ies")
    {
        return base + "y";
    }
    if long(7)
        && let Some(base) = cut("ing")
    {
        return undouble(base);
    }
    if long(6)
        && let Some(base) = cut("ed")
    {
        return undouble(base);
    }
    if long(5)
        && let Some(base) = cut("es")
        && base.ends_with(['s', 'x', 'z', 'h'])
    {
        return base;
    }
    if long(4) && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        let base = cut("s").unwrap_or_else(|| word.to_owned());
        return base.strip_suffix('e').filter(|b| b.len() > 3).map_or(base.clone(), str::to_owned);
    }
    word.to_owned()
}

/// `mapp` of "mapping" is `map`.
fn undouble(base: String) -> String {
    let mut chars = base.chars().rev();
    let (last, before) = (chars.next(), chars.next());
    if last == before && last.is_some_and(|c| !matches!(c, 'l' | 's' | 'e' | 'o')) {
        return base[..base.len() - last.map_or(0, char::len_utf8)].to_owned();
    }
    base
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for (a, b) in [
            ("edges", "edge"),
            ("matching", "matched"),
            ("queries", "query"),
            ("flows", "flow"),
            ("visited", "visiting"),
            ("mapped", "mapping"),
            ("boxes", "box"),
            ("nodes", "node"),
        ] {
            assert_eq!(words(a), words(b), "{a} {b}");
        }
    }

    #[test]
    fn names_are_cut_apart() {
        assert_eq!(words("maxFlow max_flow"), ["max", "flow", "max", "flow"]);
        assert_eq!(words("Is it 12?"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_text_gives_words_in_lower_case(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty());
                prop_assert_eq!(word.to_lowercase(), word);
            }
        }
    }
}
