//! What a query may be before it is parsed.
//!
//! The parser and the optimiser recurse into a query, so its shape decides how much stack they
//! take. Both sides of a chain such as `1+1+…` or `{} UNION {} …` count like brackets: they become
//! trees as deep as they are long. The scan here is flat: O(n) time, and memory in the depth.

use super::SparqlError;

/// The most bytes of a query.
pub const MAX_QUERY: usize = 100_000;
/// The most brackets that stand within each other. A bracket takes some kilobytes of stack, of which
/// a browser gives one megabyte, and the parser's time for `(!(!(…` doubles with each.
pub const MAX_DEPTH: usize = 20;
/// The most operators, patterns and clauses of a query: each becomes a level of a tree, and the
/// optimiser takes seconds where there are twice as many.
pub const MAX_JOINS: usize = 128;
/// The most `/`, `|` and `^`: the time for a path grows faster than its length.
pub const MAX_STEPS: usize = 64;

/// Words that add a level to the tree of a query.
const CLAUSES: [&str; 10] = [
    "UNION", "OPTIONAL", "MINUS", "FILTER", "BIND", "GRAPH", "SERVICE", "EXISTS", "SELECT",
    "VALUES",
];

/// A piece of a query, as far as limits care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Open(u8),
    Close,
    /// A name, a variable, an IRI, a literal, a keyword.
    Term(&'a str),
    Operator(u8),
    Comma,
    /// `.` or `;` between patterns.
    Separator,
}

/// Refuses a query that is too long, too deep, or has too many parts.
///
/// # Errors
/// What it has too much of, where, and how much there may be.
pub fn check(query: &str) -> Result<(), SparqlError> {
    if query.len() > MAX_QUERY {
        return Err(SparqlError::TooLong { n_bytes: query.len() });
    }
    let refuse = |at: usize, what: &'static str, most: usize| {
        let (line, column) = place(query, at);
        Err(SparqlError::TooComplex { line, column, what, most })
    };
    let mut open: Vec<u8> = Vec::new();
    let (mut n_joins, mut n_steps) = (0, 0);
    // Rows of VALUES are a table, however many they are: the depth at which the word stands.
    let mut values: Option<usize> = None;
    let mut is_after_term = false;
    for (at, token) in (Tokens { query, at: 0 }) {
        let in_values = values.is_some_and(|depth| open.len() > depth);
        let in_round = open.last() == Some(&b'(');
        let adds = match token {
            Token::Open(bracket) => {
                open.push(bracket);
                if open.len() > MAX_DEPTH {
                    return refuse(at, "brackets within each other", MAX_DEPTH);
                }
                // A group, or a node without a name, is a pattern of its own.
                bracket != b'(' && !in_values
            }
            Token::Close => {
                let is_group = open.pop() == Some(b'{');
                if is_group && values == Some(open.len()) {
                    values = None;
                }
                false
            }
            Token::Term(word) if CLAUSES.iter().any(|c| c.eq_ignore_ascii_case(word)) => {
                if word.eq_ignore_ascii_case("VALUES") {
                    values = Some(open.len());
                }
                true
            }
            // Items of a list such as `(1 2 3)`: each becomes two patterns.
            Token::Term(_) => in_round && is_after_term && !in_values,
            Token::Operator(sign) => {
                n_steps += usize::from(matches!(sign, b'/' | b'|' | b'^'));
                if n_steps > MAX_STEPS {
                    return refuse(at, "steps of paths", MAX_STEPS);
                }
                true
            }
            // Between arguments a comma adds nothing, between objects it adds a pattern.
            Token::Comma => !in_round,
            Token::Separator => true,
        };
        n_joins += usize::from(adds);
        if n_joins > MAX_JOINS {
            return refuse(at, "operators, patterns and clauses", MAX_JOINS);
        }
        is_after_term = matches!(token, Token::Term(_));
    }
    Ok(())
}

/// Line and column of a byte, both from 1.
fn place(query: &str, at: usize) -> (usize, usize) {
    let before = query.get(..at).unwrap_or(query);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() + 1)
}

/// Cuts a query into tokens, as the grammar of SPARQL 1.1 does (§19.8), but that a name and what is
/// no name are told apart no further.
struct Tokens<'a> {
    query: &'a str,
    at: usize,
}

impl Tokens<'_> {
    /// Where what begins at `start` ends, if it is an IRI in angle brackets.
    fn iri_end(&self, start: usize) -> Option<usize> {
        let rest = &self.query.as_bytes()[start + 1..];
        let end = rest.iter().position(|b| *b <= b' ' || b"<>\"{}|^`".contains(b))?;
        (rest[end] == b'>').then_some(start + end + 2)
    }

    /// Where a string that begins at `start` ends; the end of the query if it does not.
    fn string_end(&self, start: usize) -> usize {
        let bytes = self.query.as_bytes();
        let mark = bytes[start];
        let is_long = bytes[start..].starts_with(&[mark; 3]);
        let mut at = start + if is_long { 3 } else { 1 };
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                b'\n' | b'\r' if !is_long => return at,
                b if b == mark && !is_long => return at + 1,
                b if b == mark && bytes[at..].starts_with(&[mark; 3]) => return at + 3,
                _ => {}
            }
            at += 1;
        }
        bytes.len()
    }

    /// Where a name, a variable or a number ends.
    fn word_end(&self, start: usize) -> usize {
        let bytes = self.query.as_bytes();
        let mut at = start;
        let mut has_colon = false;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                // A dot at the end of a name ends the pattern instead.
                b'.' if bytes.get(at + 1).is_some_and(|b| is_word(*b)) => {}
                // The sign of an exponent.
                b'+' | b'-' if is_exponent(&bytes[start..at]) => {}
                // A hyphen is a part of names, but not of variables and numbers.
                b'-' if has_colon => {}
                b if is_word(b) => has_colon |= b == b':',
                _ => break,
            }
            at += 1;
        }
        at.min(bytes.len())
    }
}

/// Whether a byte can stand in a name; those of letters outside ASCII can.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_:%@\\".contains(&byte) || byte >= 0x80
}

/// Whether this is a number up to the sign of its exponent. A name that is read so is at most 20
/// letters long, so that the scan stays flat.
fn is_exponent(number: &[u8]) -> bool {
    let Some((b'e' | b'E', digits)) = number.split_last() else { return false };
    (1..20).contains(&digits.len()) && digits.iter().all(|b| b.is_ascii_digit() || *b == b'.')
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.query.as_bytes();
        loop {
            let at = self.at;
            let byte = *bytes.get(at)?;
            let next = bytes.get(at + 1).copied();
            let iri = (byte == b'<').then(|| self.iri_end(at)).flatten();
            let (end, token) = match byte {
                b if b.is_ascii_whitespace() => {
                    self.at = at + 1;
                    continue;
                }
                b'#' => {
                    let line = bytes[at..].iter().position(|b| matches!(b, b'\n' | b'\r'));
                    self.at = line.map_or(bytes.len(), |n| at + n);
                    continue;
                }
                b'{' | b'(' | b'[' => (at + 1, Token::Open(byte)),
                b'}' | b')' | b']' => (at + 1, Token::Close),
                b',' => (at + 1, Token::Comma),
                b'.' | b';' => (at + 1, Token::Separator),
                b'"' | b'\'' => (self.string_end(at), Token::Term("")),
                // A variable; a question mark alone is an operator of paths.
                b'?' | b'$' if next.is_some_and(is_word) => {
                    (self.word_end(at + 1), Token::Term(""))
                }
                b if is_word(b) => {
                    let end = self.word_end(at);
                    (end, Token::Term(self.query.get(at..end).unwrap_or_default()))
                }
                _ => match (iri, next) {
                    (Some(end), _) => (end, Token::Term("")),
                    // Signs of two letters are one operator.
                    (None, Some(next)) if matches!(byte, b'&' | b'|' | b'^') && next == byte => {
                        (at + 2, Token::Operator(b'&'))
                    }
                    (None, Some(b'=')) => (at + 2, Token::Operator(b'=')),
                    _ => (at + 1, Token::Operator(byte)),
                },
            };
            self.at = end;
            return Some((at, token));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(query: &str) -> &'static str {
        match check(query) {
            Err(SparqlError::TooComplex { what, .. }) => what,
            other => panic!("{other:?} for {} bytes", query.len()),
        }
    }

    const PARTS: &str = "operators, patterns and clauses";

    #[test]
    fn brackets_are_counted_as_they_nest_and_not_in_texts_names_or_comments() {
        let nested = |n: usize| format!("ASK {}?s ?p ?o{}", "{".repeat(n), "}".repeat(n));
        assert_eq!(check(&nested(MAX_DEPTH)), Ok(()));
        assert_eq!(refused(&nested(MAX_DEPTH + 1)), "brackets within each other");
        for inert in [
            format!("ASK {{ ?s ?p \"{}\" }}", "{".repeat(500)),
            format!("ASK {{ ?s ?p '''{}\n''' }}", "('".repeat(500)),
            format!("ASK {{ ?s <urn:{}> ?o }}", "(".repeat(500)),
            format!("# {}\nASK {{ ?s ?p ?o }}", "{+".repeat(500)),
            format!("ASK {{ ?s ?p 'a\\'{}' }}", "{".repeat(500)),
        ] {
            assert_eq!(check(&inert), Ok(()), "{inert}");
        }
    }

    #[test]
    fn chains_are_counted_and_tables_of_values_are_not() {
        let long = |part: &str| part.repeat(MAX_JOINS + 1);
        for (query, what) in [
            (format!("ASK {{ FILTER(1{}) }}", long("+1")), PARTS),
            (format!("ASK {{ FILTER({}true) }}", long("!")), PARTS),
            (format!("ASK {{ {{}}{} }}", long(" union {}")), PARTS),
            (format!("ASK {{ {} }}", long("?s ?p ?o . ")), PARTS),
            (format!("ASK {{ ?s ?p ({}) }}", long("1 ")), PARTS),
            (format!("ASK {{ ?s ?p 1{} }}", long(", 1")), PARTS),
            (format!("ASK {{ ?s <urn:a>{} ?o }}", long("/<urn:a>")), "steps of paths"),
        ] {
            assert_eq!(refused(&query), what, "{}", &query[..60]);
        }
        let rows = "(node:a 1) ".repeat(2_000);
        assert_eq!(check(&format!("SELECT * {{ VALUES (?a ?b) {{ {rows} }} ?a ?p ?b }}")), Ok(()));
        let names = "<urn:a> ".repeat(2_000);
        assert_eq!(check(&format!("SELECT * {{ VALUES ?a {{ {names} }} ?a ?p ?b }}")), Ok(()));
        let list = "1, ".repeat(2_000);
        assert_eq!(check(&format!("SELECT * {{ ?a ?p ?b FILTER(?b IN ({list} 2)) }}")), Ok(()));
        // Behind a table the counting goes on.
        let behind = format!("SELECT * {{ VALUES ?a {{ 1 }} {} }}", long("?s ?p ?o . "));
        assert_eq!(refused(&behind), PARTS);
    }

    #[test]
    fn names_and_numbers_are_no_operators() {
        let plain = "ASK { node:a-b.c edge:is-in -1.5e-3 . ?x ex:l\\-m _:b1 ; a 'x'@en-GB }";
        let operators: Vec<&str> = Tokens { query: plain, at: 0 }
            .filter(|(_, t)| matches!(t, Token::Operator(_)))
            .map(|(at, _)| &plain[at..at + 2])
            .collect();
        assert_eq!(operators, ["-1", "-G"]);
    }

    #[test]
    fn the_place_is_told() {
        let query = format!("ASK {{\n ä {}", "{".repeat(MAX_DEPTH));
        let error = check(&query).unwrap_err();
        assert_eq!(error.place(), Some((2, 4 + MAX_DEPTH - 1)), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics_the_scan(text in "(?s).{0,300}") {
            let _ = check(&text);
        }

        #[test]
        fn nothing_that_looks_like_a_query_panics_the_scan(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "{", "}", "(", ")", "<", ">", "'", "\"", "'''", "\\", "?a", ":b", "ä", "#", "\n",
                    "VALUES", "|", "^", "1e", "-", ".", "🦀",
                ]),
                0..60,
            ),
        ) {
            let _ = check(&parts.concat());
        }
    }
}
