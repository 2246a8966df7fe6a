use llm::{ChatRequest, Message, ToolCall, ToolSpec};
use ownmodel::OwnError;
use ownmodel::codec::{places, prompt, prompt_with, question, question_with};
use ownmodel::text::{Detokenizer, TalkNames, decode, encode, encode_with};
use proptest::prelude::*;

/// Texts of words that the table has, numbers, marks and lists.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("node".to_owned()),
        Just("The".to_owned()),
        Just("graph".to_owned()),
        (0_u32..100_000).prop_map(|n| n.to_string()),
        (0_u32..20).prop_map(|n| format!("00{n}")),
        prop::collection::vec((0_u32..64, 0_u32..64), 1..6).prop_map(|pairs| {
            let all: Vec<String> = pairs.iter().map(|(a, b)| format!("({a},{b})")).collect();
            all.join(" ")
        }),
        prop::collection::vec((0_u32..64, 0_u32..64, 0_u32..256), 1..5).prop_map(|rows| {
            let all: Vec<String> = rows
                .iter()
                .map(|(a, b, w)| format!("an edge between node {a} and node {b} with weight {w}"))
                .collect();
            all.join(",\n")
        }),
        prop::collection::vec(0_u32..256, 1..6).prop_map(|list| {
            let all: Vec<String> = list.iter().map(ToString::to_string).collect();
            all.join(",")
        }),
        "#[A-Za-z0-9_./'-]{1,9}",
        (0_u32..20_000).prop_map(|n| format!("numbered {n} in")),
        (0_u32..300).prop_map(|n| format!("numbered from 0 to {n}")),
        "[.,?:;()\\[\\]'\"-]{1,3}",
        "[0-9]{1,4}-[0-9]{1,4}",
    ];
    let gap = prop_oneof![Just(""), Just(" "), Just("  "), Just("\n"), Just(", ")];
    prop::collection::vec((piece, gap), 0..14)
        .prop_map(|list| list.into_iter().map(|(a, b)| a + b).collect())
}

proptest! {
    #[test]
    fn texts_of_the_table_come_back(text in text()) {
        let encoded = encode(&text);
        // Two words without a gap are a third one.
        prop_assume!(encoded.n_unknown == 0);
        prop_assert_eq!(decode(&encoded.tokens), text);
    }

    #[test]
    fn no_text_breaks_the_table(text in "\\PC{0,200}") {
        let encoded = encode(&text);
        prop_assert!(encoded.n_unknown <= encoded.n_words);
        let back = decode(&encoded.tokens);
        // What is in the table of it comes back; a second time nothing changes.
        if encoded.n_unknown == 0 {
            prop_assert_eq!(back, text);
        }
        prop_assert_eq!(places(&encoded.tokens).len(), encoded.tokens.len());
    }

    #[test]
    fn no_tokens_break_the_text(tokens in prop::collection::vec(0_u32..1700, 0..200)) {
        let _ = decode(&tokens);
        let _ = places(&tokens);
    }
}

#[test]
fn an_edge_is_two_tokens_however_it_is_worded() {
    for text in [
        "(3,17) (4,5)",
        "3-17, 4-5",
        "node 3 should be visited before node 17\nnode 4 should be visited before node 5",
        "Applicant 3 is interested in job 17.\nApplicant 4 is interested in job 5",
    ] {
        let tokens = encode(text).tokens;
        assert_eq!(tokens.len(), 5, "{text}");
        let numbers: Vec<Option<u32>> = tokens.iter().map(|t| ownmodel::number_of(*t)).collect();
        assert_eq!(numbers[1..], [Some(3), Some(17), Some(4), Some(5)]);
        let places: Vec<u16> = places(&tokens).iter().map(|place| place.number).collect();
        assert_eq!(places, [0, 1, 2, 3, 4]);
    }
}

/// Names are spelled, and who repeats one repeats its token.
#[test]
fn a_name_is_a_list_of_letters() {
    let text = "user #u982 and item #B0. Again user#u982, and one numbered 705 in it";
    let tokens = encode(text).tokens;
    assert_eq!(decode(&tokens), text);
    let names: Vec<String> = tokens.iter().map(|t| ownmodel::name_of(*t)).collect();
    let text = names.join(" ");
    for part in
        ["# ⟨name 0⟩ u 9 8 2 and", "# ⟨name 1⟩ B 0 .", "# ⟨name 0⟩ u 9 8 2 ,", "⟨name 2⟩ 7 0 5 in"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let at = tokens.iter().position(|t| ownmodel::name_of(*t) == "⟨name 0⟩").unwrap();
    let places: Vec<u16> = places(&tokens)[at..at + 6].iter().map(|place| place.number).collect();
    assert_eq!(places, [0, 1, 2, 3, 4, 5]);
    // Seventeen names: the first token is the latest one's.
    let many: Vec<String> = (0..17).map(|i| format!("#x{i}")).collect();
    let tokens = encode(&many.join(" ")).tokens;
    let is = |name: &str| tokens.iter().filter(|t| ownmodel::name_of(**t) == name).count();
    assert_eq!((is("⟨name 0⟩"), is("⟨name 1⟩")), (2, 1));
}

/// Whoever adds all nodes of a range copies a list.
#[test]
fn a_range_has_its_numbers_behind_it() {
    for text in ["4 nodes numbered from 0 to 3: 5", "4 nodes, 0 to 3", "the nodes 0 to 3."] {
        let tokens = encode(text).tokens;
        assert_eq!(decode(&tokens), text);
        let names: Vec<String> = tokens.iter().map(|t| ownmodel::name_of(*t)).collect();
        assert!(names.join(" ").contains("⟨list json span {n}⟩ 0 1 2 3"), "{names:?}");
    }
}

fn asked(messages: Vec<Message>, has_tools: bool) -> ChatRequest {
    let tool = ToolSpec {
        name: "has_path".into(),
        description: String::new(),
        parameters: serde_json::json!({}),
    };
    let tools = if has_tools { vec![tool] } else { Vec::new() };
    ChatRequest { messages, tools, ..ChatRequest::default() }
}

const QUESTION: &str = "Graph: (0,1) (1,2)\nQ: Is there a path between node 0 and node 2?\nA:";

#[test]
fn a_conversation_with_calls_is_read() {
    let call = |id: &str, name: &str, arguments: &str| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    };
    let mut turn = Message::assistant("");
    turn.tool_calls = vec![
        call("1", "create_graph", "{\"directed\":false,\"weighted\":true}"),
        call("2", "add_edges", "{\"edges\":[[0,1],[1,2]],\"weights\":[3,4.0]}"),
        call("3", "no_such_function", "{"),
    ];
    let messages = vec![
        Message::system("You are here."),
        Message::user(QUESTION),
        turn,
        Message::tool("1", "{\"result\":{\"directed\":false,\"weighted\":true}}"),
        Message::tool("2", "{\"result\":{\"path\":[0,1,2],\"length\":7.0}}"),
        Message::tool(
            "3",
            "{\"error\":{\"type\":\"unknown_function\",\"message\":\"there is no function\"}}",
        ),
    ];
    let tokens = prompt(&asked(messages, true)).unwrap();
    let names: Vec<String> = tokens.iter().map(|t| ownmodel::name_of(*t)).collect();
    let text = names.join(" ");
    for part in [
        "⟨tools⟩ ⟨ask⟩",
        "⟨list between node {h} and node {t}⟩ (0 2)",
        "⟨call create_graph⟩ ⟨undirected⟩ ⟨weighted⟩ ⟨end of call⟩",
        "⟨list json weights {h} {t} {n}⟩ (0 1) 3 (1 2) 4 ⟨end of call⟩ ⟨unknown⟩ ⟨end of call⟩ ⟨end⟩",
        "⟨path⟩ ⟨list json list {n}⟩ 0 1 2 ⟨break⟩ ⟨length⟩ 7 ⟨error⟩ ⟨unknown_function⟩",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(text.ends_with("⟨reply⟩") && !text.contains("⟨no tools⟩"));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let refused = |text: &str| question(text).unwrap_err();
    assert_eq!(refused(""), OwnError::NoQuestion);
    let long = "(1,2) ".repeat(3000);
    assert!(matches!(refused(&long), OwnError::TooLong { .. }));
    assert!(matches!(refused(&"a".repeat(300_000)), OwnError::TooLong { .. }));
    assert!(question(QUESTION).is_ok());
    let nothing = prompt(&asked(vec![Message::system("Rules.")], false));
    assert_eq!(nothing, Err(OwnError::NoQuestion));
}

/// The names of a question, each as it was first written, in the order of their numbers.
fn named(text: &str) -> Vec<String> {
    let mut names = TalkNames::default();
    question_with(text, &mut names).unwrap();
    names.all().map(str::to_owned).collect()
}

#[test]
fn names_are_found_in_what_people_write() {
    let list = |text: &str| named(text).join("|");
    assert_eq!(list("Emma knows Noah, Noah knows Mia. Can Emma reach Mia?"), "Emma|Noah|Mia");
    assert_eq!(list("is berlin connected to graz? berlin-wien, wien-graz"), "berlin|graz|wien");
    // Of several words, where they are always together.
    assert_eq!(
        list("A road leads from Øvre Dal to Lom. Is Øvre Dal far from Lom?"),
        "Øvre Dal|Lom"
    );
    assert_eq!(list("Hall 1 to Hall 2, then Hall 3."), "Hall 1|Hall 2|Hall 3");
    // Pairs of names are no names of two words.
    assert_eq!(list("Emma Noah\nNoah Mia\nMia Emma"), "Emma|Noah|Mia");
    // Letters, where several are used; the article is none.
    assert_eq!(list("A to B, B to C. Is there a way from A to C?"), "A|B|C");
    assert_eq!(list("A path leads from node 1 to node 2."), "");
    assert_eq!(list("a-b, b-c, c-d: can a reach d?"), "a|b|c|d");
    // Words of the table that are names, large numbers, and whose it is.
    assert_eq!(list("A secret of Will reaches Rosa, and Will knows it."), "Will|Rosa");
    assert_eq!(list("It costs 300 or 2.5, and 40 for Lena's."), "300|2.5|Lena");
    // The benchmark's questions have none.
    assert_eq!(list(QUESTION), "");
}

#[test]
fn names_come_back_as_they_were_written() {
    let mut names = TalkNames::default();
    question_with("Zoë tells Åsa, and Åsa tells BJÖRN. 700 km.", &mut names).unwrap();
    let mut said = encode_with("zoë->Åsa->Björn, 700 in all.", &mut names.clone()).tokens;
    assert!(said.len() > 10, "they are no names where nothing says so");
    let turn = Message::assistant("zoë->Åsa->Björn, 700 in all.");
    let asked = [Message::user("Zoë tells Åsa, and Åsa tells BJÖRN. 700 km."), turn];
    let mut names = TalkNames::default();
    said = prompt_with(&asked, true, &mut names).unwrap();
    let mut text = Detokenizer::with_names(names);
    let text: String = said.iter().map(|token| text.push(*token)).collect();
    assert!(text.contains("Zoë->Åsa->BJÖRN, 700 in all."), "{text}");
}

proptest! {
    #[test]
    fn no_text_breaks_the_names(text in "\\PC{0,200}") {
        let mut names = TalkNames::default();
        let _ = question_with(&text, &mut names);
        prop_assert!(names.n_named() <= 96);
    }
}
