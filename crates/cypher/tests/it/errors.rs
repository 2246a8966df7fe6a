//! Errors have the class, the phase and the detail that openCypher defines; of two the one that comes
//! first is reported.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use cypher::{Cause, CypherError, Parameters, Query, QueryLimits};
use kg::property::GraphStore;

/// Runs a query on two nodes with an edge between them; one behind `read:` may only read.
fn error(query: &str) -> Option<CypherError> {
    let mut store = GraphStore::default();
    let (none, limits) = (Parameters::new(), QueryLimits { rows: 5_000, ..QueryLimits::default() });
    let made = Query::parse("CREATE (:A {x: 1})-[:T {y: 2}]->(:B {x: 0})").unwrap();
    made.write(&mut store, &none, &limits).unwrap();
    if let Some(query) = query.strip_prefix("read: ") {
        return Query::parse(query).and_then(|q| q.read(store.now(), &none, &limits)).err();
    }
    Query::parse(query).and_then(|query| query.write(&mut store, &none, &limits)).err()
}

fn class(error: &CypherError) -> String {
    format!("{:?} at {}: {:?}", error.kind(), error.phase(), error.cause())
}

/// A line is `class at phase: detail`, and below it queries, each behind two spaces.
const CASES: &str = include_str!("errors.txt");

#[test]
fn every_error_has_the_names_of_open_cypher() {
    let mut expected = "";
    let (mut seen, mut wrong) = (BTreeSet::new(), String::new());
    for line in CASES.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let Some(query) = line.strip_prefix("  ") else {
            expected = line;
            continue;
        };
        match error(query) {
            Some(error) if class(&error) == expected => {
                assert!(error.cause().raised().contains(&(error.kind(), error.phase())), "{query}");
                seen.insert(class(&error));
            }
            Some(error) => {
                writeln!(wrong, "{query}\n  {expected}\n  {}: {error}", class(&error)).unwrap()
            }
            None => writeln!(wrong, "{query}\n  {expected}\n  no error").unwrap(),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let unseen: Vec<String> = Cause::ALL
        .iter()
        .flat_map(|cause| {
            let named = move |(kind, phase)| format!("{kind:?} at {phase}: {cause:?}");
            cause.raised().iter().copied().map(named)
        })
        .filter(|named| !seen.contains(named))
        .collect();
    assert!(unseen.is_empty(), "no query raises {unseen:#?}");
}

#[test]
fn signs_that_only_look_right_are_named() {
    for (query, said) in [
        ("RETURN 42 — 41", "line 1, column 11: — (U+2014) is a dash; write -"),
        ("RETURN “a”", "“ (U+201C) is a typographic quotation mark; write ' or \""),
        ("RETURN 'a’", "close it with '"),
        ("MATCH （n) RETURN n", "（ (U+FF08) is a full-width bracket; write ("),
        ("MATCH (n) WHERE n.x ≤ 1 RETURN n", "≤ (U+2264) is a sign of mathematics; write <="),
        ("MATCH (n) WHERE n.x ＞ 1 RETURN n", "＞ (U+FF1E)"),
        ("RETURN\u{200b} 1", "(U+200B) is a space of no width; leave it out"),
        (
            "МATCH (n) RETURN n",
            "the М in МATCH is a Cyrillic letter (U+041C); write MATCH in Latin letters",
        ),
        ("MATCH (n) RЕTURN n", "the Е in RЕTURN is a Cyrillic letter (U+0415)"),
        ("RETURN соunt(1)", "write count in Latin letters"),
        (
            "MATCH (a) RETURN а.x",
            "the а in а is a Cyrillic letter (U+0430); write a in Latin letters",
        ),
        (
            "ＭＡＴＣＨ (n) RETURN n",
            "is a full-width letter (U+FF2D); write MATCH in Latin letters",
        ),
    ] {
        let error = error(query).unwrap().to_string();
        assert!(error.contains(said), "{query}: {error}");
    }
    // What openCypher takes for ours in patterns and between words stays right.
    for query in
        ["MATCH (a)—[:T]—>(b) RETURN b", "MATCH\u{a0}(n)\u{2003}RETURN n.x", "RETURN 'a — “b”'"]
    {
        assert!(error(query).is_none(), "{query}");
    }
}

/// The table of the documentation is written from the list in the code:
/// `GRAPHGROUND_RECORD=1 cargo test -p cypher --test it errors`.
#[test]
fn the_documentation_has_every_error() {
    let mut table = String::from("| detail | class and phase | what it means |\n|---|---|---|\n");
    for cause in Cause::ALL {
        let named = cause.raised().iter().map(|(kind, phase)| format!("{kind:?} at {phase}"));
        let named = named.collect::<Vec<_>>().join(", ");
        writeln!(table, "| `{cause:?}` | {named} | {} |", cause.words()).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cypher-errors.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.find("| detail |").unwrap();
    let end = text[start..].find("\n\n").map_or(text.len(), |end| start + end + 1);
    if std::env::var_os("GRAPHGROUND_RECORD").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], table);
    }
}
