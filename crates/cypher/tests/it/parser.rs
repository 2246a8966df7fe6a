//! No text makes the parser panic, overflow the stack or take long.

use cypher::{Parameters, Query, QueryLimits};
use kg::property::GraphStore;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "MATCH",
    "OPTIONAL",
    "WHERE",
    "RETURN",
    "WITH",
    "UNWIND",
    "AS",
    "CREATE",
    "MERGE",
    "ON",
    "SET",
    "REMOVE",
    "DELETE",
    "DETACH",
    "FOREACH",
    "CALL",
    "UNION",
    "ALL",
    "DISTINCT",
    "ORDER",
    "BY",
    "DESC",
    "SKIP",
    "LIMIT",
    "AND",
    "OR",
    "NOT",
    "XOR",
    "IN",
    "IS",
    "NULL",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "EXISTS",
    "COUNT",
    "reduce",
    "any",
    "shortestPath",
    "n",
    "m",
    "x",
    "r",
    "count",
    "size",
    "labels",
    "'t'",
    "\"u\"",
    "1",
    "2.5",
    "0x1f",
    "$p",
    "`q`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    "..",
    ":",
    ";",
    "|",
    "&",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "=",
    "<>",
    "<",
    ">",
    "<=",
    "=~",
    "->",
    "<-",
    "-[",
    "]->",
    "(n)",
    "(n:A)",
    "-[:R]->",
    "\\",
    "é",
    "\u{0}",
    "'",
    "/*",
    "//",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_text_makes_the_reader_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.join(" ");
        if let Ok(query) = Query::parse(&text) {
            // What can be read can be run, or fails with an error.
            let limits = QueryLimits { steps: 20_000, ..QueryLimits::default() };
            let _ = query.write(&mut GraphStore::default(), &Parameters::new(), &limits);
        }
    }

    #[test]
    fn no_letters_make_the_reader_panic(text in ".{0,200}") {
        let _ = Query::parse(&text);
    }
}

/// Queries that run, cut and stitched at every place.
#[test]
fn halves_of_queries_are_errors_or_queries() {
    let queries = [
        "MATCH (n:A {x: 1})-[r:R*1..3]->(m) WHERE n.x > 1 AND NOT (n)--(m) RETURN n, m ORDER BY n.x",
        "CALL { MATCH (a) RETURN a } WITH a, [x IN range(1, 3) WHERE x > 1 | x] AS l RETURN l[0..1]",
        "MERGE (a:B {s: 'it\\'s \\u0041'}) ON CREATE SET a += {y: 2.5e3}, a:C REMOVE a.x",
        "FOREACH (x IN [1, 2] | CREATE (:D {v: CASE x WHEN 1 THEN 'a' ELSE \"b\" END}))",
    ];
    for a in queries {
        assert!(Query::parse(a).is_ok(), "{a}");
        for b in queries {
            for i in 0..=a.len() {
                for j in [0, b.len() / 3, b.len() / 2, b.len() - 1] {
                    if let (Some(head), Some(tail)) = (a.get(..i), b.get(j..)) {
                        let _ = Query::parse(&format!("{head}{tail}"));
                    }
                }
            }
        }
    }
}

#[test]
fn depth_is_bounded_and_width_is_not() {
    let deep = 100_000;
    let around =
        |open: &str, close: &str| format!("RETURN {}1{}", open.repeat(deep), close.repeat(deep));
    for text in [
        around("(", ")"),
        around("[", "]"),
        around("{a: ", "}"),
        around("-", ""),
        around("NOT ", ""),
        around("size(", ")"),
        around("CASE WHEN true THEN ", " END"),
        around("COUNT { MATCH (n) WHERE n.x = ", " }"),
        around("[x IN ", "]"),
        around("x {a: ", "}"),
        format!("RETURN 1{}", "^1".repeat(deep)),
        format!("CALL {{ {} }}", "CALL { ".repeat(deep)),
        format!("MATCH (n:{}A{}) RETURN n", "(".repeat(deep), ")".repeat(deep)),
        format!("MATCH (n:{}A) RETURN n", "!".repeat(deep)),
        format!("FOREACH (x IN [1] | {})", "FOREACH (x IN [1] | ".repeat(deep)),
    ] {
        let _ = Query::parse(&text);
    }
    let wide = format!("RETURN {}", vec!["1 + 2 * 3"; 20_000].join(", "));
    assert!(Query::parse(&wide).is_err(), "names of columns are there twice");
    let list = format!("RETURN [{}] AS l", vec!["1"; 50_000].join(", "));
    assert!(Query::parse(&list).is_ok());
}
