//! Questions in anybody's words: the answer is held against the graph that the model built, a question
//! back is no answer, and a person may reply or correct the graph.

use agent::Cancel;
use futures_util::FutureExt as _;
use graph::{Delta, Graph};
use llm::{Message, Role};
use systems::free::{FreeRequest, Standing, check_free, run_free};
use test_support::{Lines, calling, context};
use trace::{StepBody, Trace};

fn ask(says: &str, resume: Option<Trace>, lines: Vec<Message>) -> (Trace, Vec<Message>) {
    let (model, cancel) = (Lines::new(lines), Cancel::default());
    let request = FreeRequest {
        says,
        resume,
        surface: Default::default(),
        composing: Default::default(),
        setting: context(&cancel),
    };
    let trace = run_free(request, &model, &mut |_| {}).now_or_never().unwrap();
    assert_eq!(model.n_left(), 0, "not all was said");
    let asked = model.asked().last().unwrap().messages.clone();
    (trace, asked)
}

const QUESTION: &str = "Tom knows Katy, Katy knows Paul; how can Tom reach Paul?";

fn building() -> Vec<Message> {
    vec![
        calling(&[
            ("create_graph", r#"{"directed": false, "weighted": false}"#),
            ("add_edges", r#"{"edges": [["Tom", "Katy"], ["Katy", "Paul"]], "weights": null}"#),
        ]),
        calling(&[("has_path", r#"{"start": "Tom", "end": "Paul"}"#)]),
    ]
}

fn answered(text: &str) -> Trace {
    let mut lines = building();
    lines.push(Message::assistant(text));
    ask(QUESTION, None, lines).0
}

#[test]
fn an_answer_is_held_against_the_graph_that_the_model_built() {
    let right = answered("Yes: Tom can reach Paul by the path Tom, Katy, Paul.");
    let check = check_free(&right, None);
    assert_eq!(check.standing, Standing::Consistent, "{}", check.words);
    assert!(check.words.contains("nobody here knows"), "{}", check.words);
    assert!(check.query.is_some() && !check.certificate.lines.is_empty(), "{check:?}");
    let wrong = answered("No, there is no path from Tom to Paul.");
    let check = check_free(&wrong, None);
    assert_eq!(check.standing, Standing::Contradicts, "{}", check.words);
}

#[test]
fn a_person_may_correct_the_graph_and_have_the_answer_checked_again() {
    let trace = answered("Yes: Tom can reach Paul by the path Tom, Katy, Paul.");
    let mut graph = trace.graph_after(trace.steps.len()).unwrap();
    let (source, target) = ("Katy".into(), "Paul".into());
    graph.apply(&Delta::RemoveEdge { source, target }).unwrap();
    let check = check_free(&trace, Some(&graph));
    assert_eq!(check.standing, Standing::Contradicts);
    assert!(check.words.contains("as you corrected it"), "{}", check.words);
    let same = trace.graph_after(trace.steps.len()).unwrap();
    assert_eq!(check_free(&trace, Some(&same)).standing, Standing::Consistent);
}

#[test]
fn a_question_back_is_no_answer_and_is_replied_to() {
    let back = vec![Message::assistant("Do friendships go both ways?")];
    let (trace, _) = ask(QUESTION, None, back);
    assert_eq!(check_free(&trace, None).standing, Standing::AsksBack);
    let mut lines = building();
    lines.push(Message::assistant("Yes, there is a path from Tom to Paul: Tom, Katy, Paul."));
    let (trace, said) = ask("Yes, both ways.", Some(trace), lines);
    assert_eq!(check_free(&trace, None).standing, Standing::Consistent);
    // The model was told all of it, the reply among it.
    let by_user: Vec<&str> =
        said.iter().filter(|m| m.role == Role::User).map(|m| m.content.as_str()).collect();
    assert_eq!(by_user, [QUESTION, "Yes, both ways."]);
    let replies = trace.steps.iter().filter(|step| step.by_person);
    assert!(replies.clone().count() == 1);
    assert!(replies.clone().all(|step| matches!(step.body, StepBody::Prompt { .. })));
    // The graph of before stays when a further question is asked.
    let more = vec![calling(&[("has_cycle", "{}")]), Message::assistant("No, there is no cycle.")];
    let (trace, _) = ask("Is there a cycle?", Some(trace), more);
    let check = check_free(&trace, None);
    assert_eq!(
        (check.standing, check.graph.n_nodes()),
        (Standing::Consistent, 3),
        "{}",
        check.words
    );
}

#[test]
fn what_cannot_be_checked_is_told_as_that() {
    let (trace, _) = ask(QUESTION, None, vec![Message::assistant("Through Katy.")]);
    assert_eq!(check_free(&trace, None).standing, Standing::NoGraph);
    let check = check_free(&answered("Ask them."), None);
    assert_eq!(check.standing, Standing::Unchecked, "{}", check.words);
    let empty = Graph::undirected();
    let check = check_free(&answered("Yes."), Some(&empty));
    assert_eq!(check.standing, Standing::NoGraph);
}

#[test]
fn an_offer_behind_an_answer_is_no_question_back() {
    let offer = "\n\nWould you like me to list everyone Tom can reach?";
    let check = check_free(&answered(&format!("Yes: Tom, Katy, Paul.{offer}")), None);
    assert_eq!(check.standing, Standing::Consistent, "{}", check.words);
    let check = check_free(&answered(&format!("I see.{offer}")), None);
    assert_eq!(check.standing, Standing::AsksBack, "{}", check.words);
}

#[test]
fn nothing_built_on_a_made_up_graph_is_consistent() {
    let lines = || {
        let mut lines = building();
        lines.push(Message::assistant("Yes: Tom can reach Paul by the path Tom, Katy, Paul."));
        lines
    };
    let check = check_free(&ask("hello", None, lines()).0, None);
    assert_eq!(check.standing, Standing::MadeUp);
    assert!(check.claims.is_empty() && check.certificate.lines.is_empty(), "{check:?}");
    assert!(check.words.starts_with("Made up: the question names no Tom and no Katy and no Paul."));
    let marks = &check.certificate.marks;
    assert_eq!((marks.edges.len(), marks.nodes.len()), (2, 3));
    assert!(marks.edges.iter().all(|mark| mark.kind == tasks::MarkKind::False));
    // A name that one of two has: the other's edges are made up, and so is one that is only asked about.
    for (question, n_false) in [("Tom knows Katy. Whom else?", 1), ("Does Tom know Katy?", 2)] {
        let check = check_free(&ask(question, None, lines()).0, None);
        assert!(check.words.starts_with("Made up: the question names no Paul."), "{}", check.words);
        let is_false = |mark: &&tasks::EdgeMark| mark.kind == tasks::MarkKind::False;
        assert_eq!(check.certificate.marks.edges.iter().filter(is_false).count(), n_false);
    }
    // Whoever asks for a path does not say that there is an edge.
    let call = r#"{"edges": [["3", "7"]], "weights": null}"#;
    let lines_of = || {
        let undirected = r#"{"directed": false, "weighted": false}"#;
        vec![
            calling(&[("create_graph", undirected), ("add_edges", call)]),
            calling(&[("has_path", r#"{"start": "3", "end": "7"}"#)]),
            Message::assistant("Yes, there is a path between node 3 and node 7."),
        ]
    };
    let question = "Is there a path between node 3 and node 7?";
    let check = check_free(&ask(question, None, lines_of()).0, None);
    assert_eq!(check.standing, Standing::MadeUp, "{}", check.words);
    let question = format!("Node 3 is joined to node 7. {question}");
    let check = check_free(&ask(&question, None, lines_of()).0, None);
    assert_eq!(check.standing, Standing::Consistent, "{}", check.words);
    // A person's reply names it, and so does a person who changes the graph.
    let who = vec![Message::assistant("Who else is there?")];
    let (trace, _) = ask("Tom knows Katy. Whom can he reach?", None, who);
    let check = check_free(&ask("Paul. Katy knows him.", Some(trace), lines()).0, None);
    assert_eq!(check.standing, Standing::Consistent, "{}", check.words);
    let trace = ask("hello", None, lines()).0;
    let graph = trace.graph_after(trace.steps.len()).unwrap();
    assert_eq!(check_free(&trace, Some(&graph)).standing, Standing::Consistent);
    let mut lines = building();
    lines.push(Message::assistant("No, there is no path from Tom to Paul."));
    let check = check_free(&ask("hello", None, lines).0, None);
    assert_eq!(check.standing, Standing::Contradicts, "{}", check.words);
    assert!(check.words.starts_with("Made up: "), "{}", check.words);
}

#[test]
fn an_edge_between_names_that_the_question_does_not_connect_is_made_up() {
    let question = "Tom knows Katy. Katy's brother is Paul. Zoe knows nobody.";
    let edges =
        r#"{"edges": [["Tom", "Katy"], ["Katy", "Paul"], ["Tom", "Zoe"]], "weights": null}"#;
    let lines = vec![
        calling(&[
            ("create_graph", r#"{"directed": false, "weighted": false}"#),
            ("add_edges", edges),
        ]),
        calling(&[("has_path", r#"{"start": "Zoe", "end": "Paul"}"#)]),
        Message::assistant("Yes: Zoe can reach Paul by the path Zoe, Tom, Katy, Paul."),
    ];
    let check = check_free(&ask(question, None, lines).0, None);
    assert_eq!(check.standing, Standing::MadeUp, "{}", check.words);
    let said = "Made up: the question does not connect Tom and Zoe.";
    assert!(check.words.starts_with(said), "{}", check.words);
    let marks = &check.certificate.marks.edges;
    let of_zoe =
        |mark: &&tasks::EdgeMark| mark.source == "Zoe".into() || mark.target == "Zoe".into();
    let kinds: Vec<_> = marks.iter().filter(of_zoe).map(|mark| mark.kind).collect();
    assert_eq!(kinds, [tasks::MarkKind::False]);
}
