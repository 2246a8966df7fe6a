//! What the parser says about questions that it cannot read.

use tasks::{MAX_QUESTION_BYTES, ParseError, parse_question};

#[test]
fn errors_say_what_where_and_what_would_be_right() {
    let cycle = "In an undirected graph, (i,j) means that node i and node j are connected with an \
                 undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are:";
    let ask = "\nQ: Is there a cycle in this graph?\nA:";
    let texts = [
        format!("{cycle} (0,1) (7,2){ask}"),
        format!("{cycle} (0,1) (1;2){ask}"),
        format!("{cycle} (0,1) (1,2)\n"),
        format!("{cycle} (0,1) (1,"),
        format!("{cycle} (0,1)\nand 3 more{ask}"),
        "How many triangles are there?".to_owned(),
        "There are 2 job applicants numbered from 0 to 1, and 2 jobs numbered from 0 to 1. Each job \
         is for only one job.\nApplicant 0 is interested in job 5.\nQ: Find"
            .to_owned(),
        "In a directed graph with 3 nodes numbered from 0 to 2:\nnode 0 should be visited before \
         node 1\nnode 1 should be vis"
            .to_owned(),
        "In a directed graph with 3 nodes numbered from 0 to 99999999:\nQ: Can all".to_owned(),
    ];
    let messages: Vec<String> = texts
        .iter()
        .map(|text| parse_question(text).map_or_else(|error| error.to_string(), |_| "read".into()))
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_text_beyond_the_limit_is_refused_at_once() {
    let error = parse_question(&"x".repeat(MAX_QUESTION_BYTES + 1)).unwrap_err();
    assert!(matches!(error, ParseError::TooLarge { what: "bytes", .. }));
}
