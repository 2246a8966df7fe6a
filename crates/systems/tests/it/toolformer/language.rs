//! The language: what is printed is read again, nothing panics, errors say what would be right.

use proptest::prelude::*;
use systems::toolformer::{
    Api, Arrow, Bracket, BracketOutput, Call, Hint, MAX_DEPTH, Segment, SyntaxError, Tag, Value,
    parse, sites,
};

fn one(text: &str) -> Bracket {
    let all = sites(text);
    assert_eq!(all.len(), 1, "{text}");
    all[0].bracket.clone().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn fault(text: &str) -> SyntaxError {
    let all = sites(text);
    all[0].bracket.clone().expect_err(text)
}

fn text() -> impl Strategy<Value = Value> {
    "[^\"\n\r]{0,20}".prop_map(Value::Text)
}

fn reference() -> impl Strategy<Value = Value> {
    let id = "[A-Za-z0-9_/.'ä#>-]{1,20}";
    ("[a-z_]{1,8}", id).prop_map(|(kind, id)| Value::Reference { kind, id })
}

fn name() -> impl Strategy<Value = Value> {
    "[A-Za-z_][A-Za-z0-9_.-]{0,8}".prop_map(Value::Name)
}

fn element() -> impl Strategy<Value = Value> {
    let words = "[A-Za-z_][A-Za-z0-9_ -]{0,8}[A-Za-z]".prop_map(Value::Name);
    prop_oneof![text(), reference(), any::<i64>().prop_map(Value::Number), words]
}

fn set() -> impl Strategy<Value = Value> {
    let tuple = prop::collection::vec(element(), 1..4).prop_map(Value::Tuple);
    prop::collection::vec(prop_oneof![element(), tuple], 0..4).prop_map(Value::Set)
}

fn plain() -> impl Strategy<Value = Value> {
    prop_oneof![text(), reference(), any::<i64>().prop_map(Value::Number), name(), set()]
}

fn call() -> impl Strategy<Value = Call> {
    let load = prop::collection::vec(plain(), 1..4)
        .prop_map(|arguments| Call { api: Api::Load, arguments });
    load.prop_recursive(4, 16, 3, |inner| {
        let graph = prop_oneof![inner.clone().prop_map(Value::Call), name()];
        let more = prop_oneof![inner.prop_map(Value::Call), plain()];
        (graph, prop::collection::vec(more, 0..3)).prop_map(|(graph, rest)| Call {
            api: Api::Reason,
            arguments: [vec![graph], rest].concat(),
        })
    })
}

fn bracket() -> impl Strategy<Value = Bracket> {
    let arrow = prop_oneof![Just(Arrow::Long), Just(Arrow::Short), Just(Arrow::Sign)];
    let output = prop_oneof![
        Just("r".to_owned()),
        "[a-z][a-z_]{1,5}",
        "[0-9.]{1,5}",
        "[a-z]{1,4} [a-z]{1,4}",
    ];
    let tag = prop::option::of((arrow, output));
    (prop::collection::vec(call(), 1..4), tag).prop_map(|(calls, tag)| {
        let is_load = calls.last().is_some_and(|c| c.api == Api::Load);
        let tag = tag.map(|(arrow, word)| {
            let output = match word.as_str() {
                "r" => BracketOutput::Result,
                w if is_load && w.starts_with(|c: char| c.is_alphabetic()) && !w.contains(' ') => {
                    BracketOutput::Name(word)
                }
                _ => BracketOutput::Value(word),
            };
            Tag { arrow, output }
        });
        Bracket { calls, tag }
    })
}

/// Texts in which brackets, quotes and our own words are likely.
fn wild() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "[", "]", "(", ")", "{", "}", "\"", "'", "“", "”", ",", "#", "-->r", "->", "→", "GL", "GR",
        "[GL(", "[GR(", "<API>", "</API>", "\n", " ", "a", "ü", "paper#1", "-", "<",
    ]);
    let piece = prop_oneof![4 => pieces.prop_map(str::to_owned), 1 => "\\PC{0,3}"];
    prop::collection::vec(piece, 0..60).prop_map(|all| all.concat())
}

proptest! {
    #[test]
    fn what_is_printed_is_read_as_the_same_tree(bracket in bracket(), before in "[a-z .]{0,9}") {
        let written = format!("{before}{bracket}.");
        let read = sites(&written);
        prop_assert_eq!(read.len(), 1, "{}", written);
        prop_assert_eq!(read[0].bracket.as_ref(), Ok(&bracket), "{}", written);
        prop_assert_eq!(read[0].at, before.len());
        prop_assert_eq!(&read[0].source, &bracket.to_string());
    }

    #[test]
    fn nothing_panics_and_every_byte_is_in_one_segment(text in wild()) {
        let segments = parse(&text);
        let again: String = segments
            .iter()
            .map(|s| match s {
                Segment::Text(t) => t.as_str(),
                Segment::Site(site) => site.source.as_str(),
            })
            .collect();
        prop_assert_eq!(&again, &text);
        for segment in &segments {
            let Segment::Site(site) = segment else { continue };
            prop_assert!(text[site.at..].starts_with(&site.source));
            match &site.bracket {
                // What was read is printed and read once more.
                Ok(bracket) => prop_assert_eq!(&one(&bracket.to_string()), bracket),
                Err(error) => {
                    prop_assert!(error.at <= text.len() && text.is_char_boundary(error.at));
                    prop_assert!(!error.to_string().contains('\n'));
                }
            }
        }
    }

    #[test]
    fn a_fault_spoils_no_other_call(text in wild()) {
        // However the text before it is broken, a call on a line of its own is found.
        let good = "[GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r]";
        let whole = format!("{text}\n{good}");
        let last = sites(&whole).pop().unwrap();
        prop_assert_eq!(last.bracket, Ok(one(good)), "{}", whole);
    }
}

#[test]
fn spellings_of_the_data_and_of_the_paper() {
    let tree = |text: &str| one(text).tree();
    let topic = r#"(("GR", [("GL", ["cora"]), "graph_bert:topic", "paper#83826"]), [True])"#;
    for text in [
        r#"is [GR(GL("cora"), "graph_bert:topic", paper#83826)-->r]."#,
        r#"is [ GR ( GL ( "cora" ) , "graph_bert:topic" , paper # 83826 ) -> r ]."#,
        r#"is [GR(GL("cora"), "graph_bert:topic", paper#83826) → r]."#,
        r#"is [gr(gl('cora'), “graph_bert:topic”, paper#83826)->Neural Networks]."#,
        r#"is <API>GR(GL("cora"), "graph_bert:topic", paper#83826)->r</API>."#,
    ] {
        assert_eq!(tree(text), topic, "{text}");
    }
    assert_eq!(
        tree(r#"[GR(GL("gpr", {"diamond_graph"}), "toolx:order")]"#),
        r#"(("GR", [("GL", ["gpr", {"diamond_graph"}]), "toolx:order"]), [False])"#
    );
    assert_eq!(
        tree(r#"[GR(G_l, "toolx:size"), GL("a", {("x y", Bob Ross), b}, "all links")->r]"#),
        r#"(("GR", ["G_l", "toolx:size"]), ("GL", ["a", {("x y", "Bob Ross"), "b"}, "all links"]), [True])"#
    );
    let tagged = one(r#"[GL("lollipop")->G_l]"#).tag.unwrap();
    assert_eq!(tagged, Tag { arrow: Arrow::Short, output: BracketOutput::Name("G_l".into()) });
    let rated = one(r#"[GR(GL("amazon"), "bpr:recommendation", user#A2, item#007)->4.0]"#);
    assert_eq!(rated.tag.unwrap().output, BracketOutput::Value("4.0".into()));
    let top = one(r#"[GR(GL("movielens"), "bpr:topk_recommendation", user#u272, 10)-->r]"#);
    assert_eq!(top.calls[0].arguments[3], Value::Number(10));
}

#[test]
fn brackets_in_prose_are_prose() {
    for text in [
        "An adjacency list [[1, 2], [0]] and a matrix [1 0; 0 1].",
        "[TBR] of [the (old) kind], see [1] and [x].",
        "if a[0] < b: <b>[]</b>",
    ] {
        assert_eq!(parse(text), [Segment::Text(text.to_owned())]);
    }
}

#[test]
fn errors_say_where_and_what_would_be_right() {
    let cases = [
        (r#"The [GL("supply", "all nodes, links and"#, 18, Some(Hint::CutOff)),
        (r#"[GR(GL("cora") "graph_bert:topic", paper#2)]"#, 15, Some(Hint::Separator)),
        (r#"[GR(GL("cora"), "graph_bert:topic", paper#)-->r]"#, 36, Some(Hint::Id)),
        (r#"[GR(GL("cora"), "graph_bert:topic", my paper)]"#, 36, Some(Hint::Bare)),
        (r#"[GX("cora")]"#, 1, Some(Hint::Api)),
        (r#"[GR("toolx:order")]"#, 1, Some(Hint::Graph)),
        (r#"[GR(GL("cora"), "a:b", {(1, 2})]"#, 29, Some(Hint::Separator)),
        (r#"[GL("cora")"#, 11, Some(Hint::CutOff)),
        (r#"[GL("cora") is here]"#, 12, Some(Hint::Close)),
    ];
    for (text, at, hint) in cases {
        let error = fault(text);
        assert_eq!((error.at, error.hint), (at, hint), "{text}: {error}");
    }
    assert_eq!(
        fault(r#"[GR(GL("cora") "x:y")]"#).to_string(),
        "byte 15: \",\" or \")\" was expected, and \"\\\"x:y\\\")]\" stands there; arguments have \
         commas between them and a round bracket at the end"
    );
    let deep = format!("[{}G{}", "GR(".repeat(MAX_DEPTH + 1), ")".repeat(MAX_DEPTH + 1));
    assert_eq!(fault(&deep).hint, Some(Hint::Deep));
}

#[test]
fn a_forgotten_sign_is_mended_by_what_the_error_says() {
    let whole = r#"[GR(GL("gpr", {"bull_graph"}), "toolx:shortest_path", "node#1", "node#2")-->r]"#;
    let expected = one(whole);
    let mut n_mended = 0;
    for (i, c) in whole.char_indices().filter(|(_, c)| ",)]}".contains(*c)) {
        let mut text = format!("{}{}", &whole[..i], &whole[i + c.len_utf8()..]);
        let all = sites(&text);
        let Err(error) = &all[0].bracket else { panic!("{text}") };
        if let Some(insert) = error.insert {
            text.insert(error.at, insert);
            n_mended += usize::from(sites(&text)[0].bracket.as_ref() == Ok(&expected));
        }
    }
    // A bracket that is not closed behind GL takes in what follows; its place cannot be known.
    assert_eq!(n_mended, 7);
}

#[test]
fn a_call_that_is_broken_leaves_the_next_one_whole() {
    let text = r#"First [GL("Reddit-graph", "all and then [GR(GL("gpr", {"house_graph"}), "toolx:size")-->r]."#;
    let all = sites(text);
    assert_eq!(all.len(), 2);
    assert!(all[0].bracket.is_err());
    assert_eq!(all[1].bracket, Ok(one(&text[all[1].at..])));
}

#[test]
#[allow(clippy::disallowed_methods)] // A test may look at the clock.
fn hostile_texts_take_time_in_proportion() {
    // Each would take minutes if anything were searched again and again.
    for piece in
        ["[GL(", "[GL(\"", "[GL(“", "[GL('a", "[GR(GL({", "[GL(a#", "[a(", "[ ", "<API>GL(\"a\")->"]
    {
        let text = piece.repeat(200_000 / piece.len());
        for tail in ["", "\"", "”", "\n”", "]"] {
            let start = std::time::Instant::now();
            let n: usize = parse(&format!("{text}{tail}"))
                .iter()
                .map(|s| match s {
                    Segment::Text(t) => t.len(),
                    Segment::Site(s) => s.source.len(),
                })
                .sum();
            assert_eq!(n, text.len() + tail.len());
            assert!(start.elapsed().as_secs() < 5, "{piece} {tail}: {:?}", start.elapsed());
        }
    }
}
