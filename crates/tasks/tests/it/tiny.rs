//! Questions about tiny graphs: their plans verify, and find what a walk finds that reads the question
//! and knows no plan.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, Finder};
use kg::generators::{TinyNames, tiny};
use kg::plan::{check_data, execute, print_plan, read_plan, verify};
use kg::{Kg, NodeIx};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use tasks::kgqa::{KgQuestion, ask_tiny, generate_tiny, tiny_semantics};

/// Questions about so many graphs of each kind.
fn asked(n: u64) -> Vec<(Finder, KgQuestion)> {
    let mut all = Vec::new();
    for seed in 0..n {
        for kind in [TinyNames::Ordinary, TinyNames::MadeUp] {
            let finder = Finder::new(Arc::new(tiny(seed, kind).unwrap()), Rc::new(text::NGrams));
            let question = ask_tiny(&mut ChaCha8Rng::seed_from_u64(seed), &finder).unwrap();
            all.push((finder, question));
        }
    }
    all
}

#[test]
fn every_plan_verifies_and_is_read_back_from_its_text() {
    let (mut hops, mut actions) = (BTreeSet::new(), BTreeSet::new());
    for (finder, question) in asked(400) {
        let plan = question.plan.unwrap();
        let verified = verify(&plan, finder.kg().schema(), tiny_semantics(), &question.question);
        assert!(verified.findings.is_empty(), "{:?} {}", verified.findings, question.question);
        let ready = verified.ready.unwrap();
        if !question.answers.is_empty() {
            let alarms = check_data(&ready, &finder, FindOptions::default());
            // Counting nothing is an answer, and the only step that may find nothing is before it.
            assert!(alarms.is_empty() || question.answers == ["0"], "{alarms:?}");
        }
        // Names of actions are spelt otherwise in the text.
        let read = read_plan(&print_plan(&plan)).unwrap();
        let found = |plan| {
            let ready = verify(plan, finder.kg().schema(), tiny_semantics(), "").ready.unwrap();
            execute(&ready, &finder, FindOptions::default()).answer().texts(finder.kg())
        };
        assert_eq!(found(&read), question.answers);
        assert_eq!(print_plan(&read), print_plan(&plan));
        hops.insert(question.hops);
        actions.extend(plan.steps.iter().map(|step| step.action.clone()));
    }
    assert_eq!(hops, BTreeSet::from([1, 2, 3]));
    assert_eq!(actions.len(), 4, "{actions:?}");
}

/// The names of a question with the places where they begin.
fn named(question: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (at, _) in question.match_indices('#') {
        let rest = &question[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        all.push((at, format!("#{}", &rest[..end.unwrap_or(rest.len())])));
    }
    all
}

/// The other ends of edges of a type at some nodes.
fn walk(kg: &Kg, front: &BTreeSet<NodeIx>, edge: &str) -> BTreeSet<NodeIx> {
    let mut next = BTreeSet::new();
    for (source, edge_type, target) in kg.edges() {
        if kg.schema().edge_type(edge_type).name == edge {
            next.extend(front.contains(&source).then_some(target));
            next.extend(front.contains(&target).then_some(source));
        }
    }
    next
}

/// What a person would find who reads the question and looks at the edges.
fn by_hand(kg: &Kg, question: &str) -> BTreeSet<String> {
    let schema = kg.schema();
    let names = named(question);
    let (_, start) = names.iter().find(|(_, name)| kg.find_id(name).is_some()).unwrap();
    let of = |is: &dyn Fn(&str) -> bool| -> Vec<(usize, &str)> {
        let all = names.iter().filter(|(_, name)| is(name));
        all.map(|(at, name)| (*at, name.as_str())).collect()
    };
    let edges = of(&|name| schema.edge_types().iter().any(|e| e.name == name));
    let mut front = BTreeSet::from([kg.find_id(start).unwrap()]);
    // The word before a name says which hop it is.
    let which = |at: usize| question[..at].split_whitespace().next_back().unwrap();
    let order = ["first", "second", "third"];
    for word in order {
        if let Some((_, edge)) = edges.iter().find(|(at, _)| which(*at) == word) {
            front = walk(kg, &front, edge);
        }
    }
    assert!(edges.iter().all(|(at, _)| order.contains(&which(*at))), "{question}");
    let attributes =
        of(&|name| schema.node_types().iter().any(|t| t.attributes.iter().any(|a| a == name)));
    if let Some((at, attribute)) = attributes.first() {
        let behind = &question[at + attribute.len()..];
        let digits = behind.split(|c: char| !c.is_ascii_digit()).find(|d| !d.is_empty()).unwrap();
        let value: u64 = digits.parse().unwrap();
        let says = |words: [&str; 3]| words.iter().any(|word| behind.contains(word));
        front.retain(|node| {
            let own = kg.attributes(*node).unwrap()[*attribute].as_u64().unwrap();
            match () {
                () if says(["more than", "over", "above"]) => own > value,
                () if says(["less than", "under", "below"]) => own < value,
                () => own == value,
            }
        });
    }
    if question.contains("How many") || question.contains("Count the") {
        return BTreeSet::from([front.len().to_string()]);
    }
    front.into_iter().map(|node| kg.name(node).to_owned()).collect()
}

#[test]
fn a_walk_over_the_edges_finds_what_the_plan_finds() {
    for (finder, question) in asked(600) {
        let found: BTreeSet<String> = question.answers.iter().cloned().collect();
        assert_eq!(by_hand(finder.kg(), &question.question), found, "{}", question.question);
        assert_eq!(found.len(), question.answers.len());
    }
}

#[test]
fn generated_questions_have_answers_and_names_of_their_own() {
    let kg = Arc::new(tiny(5, TinyNames::Ordinary).unwrap());
    let questions = generate_tiny(&kg, 30, 5);
    assert_eq!(questions.len(), 30);
    assert!(questions.iter().all(|q| !q.answers.is_empty()));
    let texts: BTreeSet<&str> = questions.iter().map(|q| q.question.as_str()).collect();
    assert_eq!(texts.len(), 30);
    assert_eq!(questions, generate_tiny(&kg, 30, 5));
}
