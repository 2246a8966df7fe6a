//! Signs and letters that look like Cypher's and are others: word processors, chats and models put them
//! into queries. The tables of crates that know all of Unicode would take more room in the page than
//! the parser.

/// Signs, what they are called, and what to write instead.
const SIGNS: &[(&str, &str, &str)] = &[
    ("“”„‟″＂«»", "a typographic quotation mark", "' or \""),
    ("‘’‚‛′＇´‹›", "a typographic quotation mark", "'"),
    ("‐‑‒–—―−－﹣\u{ad}", "a dash", "-"),
    ("（﹙", "a full-width bracket", "("),
    ("）﹚", "a full-width bracket", ")"),
    ("［", "a full-width bracket", "["),
    ("］", "a full-width bracket", "]"),
    ("｛﹛", "a full-width bracket", "{"),
    ("｝﹜", "a full-width bracket", "}"),
    ("【〔", "a bracket", "["),
    ("】〕", "a bracket", "]"),
    ("，、﹐", "a full-width comma", ","),
    ("．。", "a full-width full stop", "."),
    ("：﹕∶", "a full-width colon", ":"),
    ("；﹔", "a full-width semicolon", ";"),
    ("＝﹦", "a full-width equals sign", "="),
    ("＜﹤⟨〈〈", "a bracket that looks like a sign", "<"),
    ("＞﹥⟩〉〉", "a bracket that looks like a sign", ">"),
    ("≤⩽", "a sign of mathematics", "<="),
    ("≥⩾", "a sign of mathematics", ">="),
    ("≠", "a sign of mathematics", "<>"),
    ("×∗＊﹡⋅·", "a sign of mathematics", "*"),
    ("÷∕／⁄", "a sign of mathematics", "/"),
    ("＋﹢", "a full-width plus sign", "+"),
    ("％﹪", "a full-width percent sign", "%"),
    ("｜∣│¦", "a bar of another kind", "|"),
    ("＄﹩", "a full-width dollar sign", "$"),
    ("｀ˋ", "a full-width backtick", "`"),
    ("…", "an ellipsis", ".."),
    ("→⟶➔", "an arrow", "->"),
    ("←⟵", "an arrow", "<-"),
    ("∧", "a sign of logic", "AND"),
    ("∨", "a sign of logic", "OR"),
    ("¬", "a sign of logic", "NOT"),
    ("∈", "a sign of logic", "IN"),
    ("\u{200b}\u{200c}\u{200d}\u{2060}\u{200e}\u{200f}", "a space of no width", "nothing"),
];

/// Letters of other scripts, below each the Latin one that it looks like.
const LETTERS: &[(&str, &str, &str)] = &[
    ("Cyrillic", "АВЕЅЗІЈКМНОРСТУХабеѕіјкмнорстухһѵԁԛԝ", "ABES3IJKMHOPCTYXabesijkmhopctyxhvdqw"),
    ("Greek", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχικ", "ABEZHIKMNOPTYXavoptuxik"),
];

/// What a sign looks like, for an error: `“ (U+201C) is a typographic quotation mark; write ' or "`.
pub(crate) fn sign(letter: char) -> Option<(String, String)> {
    let (_, what, instead) = SIGNS.iter().find(|(signs, ..)| signs.contains(letter))?;
    let shown = if letter.is_whitespace() || what.contains("no width") || letter == '\u{ad}' {
        String::new()
    } else {
        format!("{letter} ")
    };
    let hint =
        if *instead == "nothing" { "leave it out".to_owned() } else { format!("write {instead}") };
    Some((format!("{shown}(U+{:04X}) is {what}", u32::from(letter)), hint))
}

/// The word in Latin letters that a word looks like, and the first letter that is none, with its
/// script; nothing for a word of another language.
pub(crate) fn latin(word: &str) -> Option<(String, char, &'static str)> {
    let mut first = None;
    let letters: Option<String> = word
        .chars()
        .map(|letter| {
            if letter.is_ascii() {
                return Some(letter);
            }
            let wide = u32::from(letter).checked_sub(0xfee0).and_then(char::from_u32);
            let wide = wide.filter(char::is_ascii_alphanumeric).map(|c| (c, "full-width"));
            let (latin, script) = wide.or_else(|| {
                LETTERS.iter().find_map(|(script, others, latin)| {
                    let at = others.chars().position(|other| other == letter)?;
                    Some((latin.chars().nth(at)?, *script))
                })
            })?;
            first.get_or_insert((letter, script));
            Some(latin)
        })
        .collect();
    let (letter, script) = first?;
    Some((letters?, letter, script))
}

/// What to say of a word that only looks like another.
pub(crate) fn word(found: &str, letter: char, script: &str, meant: &str) -> String {
    let code = u32::from(letter);
    format!(
        "the {letter} in {found} is a {script} letter (U+{code:04X}); write {meant} in Latin letters"
    )
}
