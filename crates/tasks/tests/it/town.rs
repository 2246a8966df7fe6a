//! Questions about the town and about any graph: right by walks that know neither plans nor searches.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, FindOver, Finder};
use kg::generators::{TinyNames, hetionet_like, metro, tiny, town};
use kg::plan::{Semantics, execute, verify};
use kg::{Kg, KgBuilder};
use proptest::prelude::*;
use tasks::Difficulty;
use tasks::kgqa::{
    KgQuestion, TOWN_TEMPLATES, generate_town, generate_typed, is_told, is_typed, known, plan_of,
    questions_about, read_questions, read_typed, recognise,
};
use text::Bm25Similarity;

fn set(names: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    names.into_iter().collect()
}

/// All (source, edge, target) by name.
fn facts(kg: &Kg) -> Vec<(String, String, String)> {
    let edge = |t| kg.schema().edge_type(t).name.clone();
    kg.edges().map(|(s, t, o)| (kg.name(s).to_owned(), edge(t), kg.name(o).to_owned())).collect()
}

/// The answer of a family by joins over the list of facts, written by hand for each.
fn by_joins(id: &str, f: &[(String, String, String)], a: &str, b: &str) -> BTreeSet<String> {
    let from =
        |x: &str, e: &str| set(f.iter().filter(|t| t.0 == x && t.1 == e).map(|t| t.2.clone()));
    let to = |x: &str, e: &str| set(f.iter().filter(|t| t.2 == x && t.1 == e).map(|t| t.0.clone()));
    let near = |x: &str, e: &str| &from(x, e) | &to(x, e);
    let each = |s: BTreeSet<String>, g: &dyn Fn(&str) -> BTreeSet<String>| -> BTreeSet<String> {
        s.iter().flat_map(|x| g(x)).collect()
    };
    match id {
        "friends_of_person" => near(a, "friend_of"),
        "workplace_of_person" => from(a, "works_at"),
        "owner_of_shop" => to(a, "owns"),
        "kin_of_person" => near(a, "parent_of"),
        "n_people_of_street" => set([to(a, "lives_in").len().to_string()]),
        "friends_of_spouse" => each(near(a, "married_to"), &|p| near(p, "friend_of")),
        "streets_of_friends" => each(near(a, "friend_of"), &|p| from(p, "lives_in")),
        "shared_friends" => &near(a, "friend_of") & &near(b, "friend_of"),
        "guests_of_both" => &to(a, "went_to") & &to(b, "went_to"),
        "workers_of_street" => each(to(a, "stands_in"), &|s| to(s, "works_at")),
        "streets_of_workers" => {
            each(each(from(a, "owns"), &|s| to(s, "works_at")), &|p| from(p, "lives_in"))
        }
        "shops_of_guests" => {
            each(each(to(a, "held_in"), &|e| to(e, "went_to")), &|p| from(p, "works_at"))
        }
        other => panic!("no joins for {other}"),
    }
}

/// The answer of a question about a text: whoever's text has the words, and who is joined to that.
fn by_reading(kg: &Kg, f: &[(String, String, String)], question: &KgQuestion) -> BTreeSet<String> {
    let texts: Vec<(String, String)> = kg
        .nodes()
        .filter_map(|n| {
            Some((kg.name(n).to_owned(), kg.attributes(n)?.get("story")?.as_str()?.into()))
        })
        .collect();
    // The longest run of words of the question that stands in some text.
    let words: Vec<&str> = question.question.trim_end_matches('?').split(' ').collect();
    let mut runs: Vec<String> = Vec::new();
    for start in 0..words.len() {
        runs.push(words[start..].join(" "));
    }
    let (who, _) = runs
        .iter()
        .find_map(|run| texts.iter().find(|(_, text)| text.contains(run.as_str())))
        .expect("a text tells it");
    let near = |edge: &str| {
        let pairs = f.iter().filter(|t| t.1 == edge);
        set(pairs.filter_map(|(s, _, o)| match (s == who, o == who) {
            (true, _) => Some(o.clone()),
            (_, true) => Some(s.clone()),
            _ => None,
        }))
    };
    match question.template.as_str() {
        "told_pet_street" => near("lives_in"),
        "told_find_friends" => near("friend_of"),
        "told_cellar_owner" => near("owns"),
        "told_mishap_street" => near("held_in"),
        _ => set([who.clone()]),
    }
}

#[test]
fn questions_about_a_town_are_right_by_joins_and_by_reading() {
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..8 {
        let kg = Arc::new(town(seed).unwrap());
        let facts = facts(&kg);
        let questions = generate_town(&kg, 90, 0, seed);
        assert!(questions.len() >= 80, "{}", questions.len());
        for question in &questions {
            *families.entry(question.template.clone()).or_default() += 1;
            let found = set(question.answers.clone());
            assert_eq!(found.len(), question.answers.len());
            assert_eq!(plan_of(&question.question), question.plan, "{}", question.question);
            if is_told(question) {
                assert_eq!(found, by_reading(&kg, &facts, question), "{}", question.question);
                continue;
            }
            let (template, plan) = recognise(&question.question).expect("recognised");
            assert_eq!(template.id, question.template, "{}", question.question);
            assert_eq!(Some(&plan), question.plan.as_ref());
            let names: Vec<&str> = plan.steps.iter().filter_map(|s| s.hint.as_deref()).collect();
            let (a, b) = (names[0], names.get(1).copied().unwrap_or_default());
            assert_eq!(found, by_joins(template.id, &facts, a, b), "{}", question.question);
        }
        let told = questions.iter().filter(|q| is_told(q)).count();
        assert!((25..=35).contains(&told), "a third is in texts alone: {told}");
        let names: BTreeSet<&str> = questions.iter().map(|q| q.id.as_str()).collect();
        assert_eq!(names.len(), questions.len());
    }
    assert_eq!(families.len(), TOWN_TEMPLATES.len() + 8, "{families:?}");
}

/// What a text alone tells is found by its plan where texts are searched, and not by names.
#[test]
fn plans_for_texts_need_a_search_over_texts() {
    let (mut n, mut right, mut right_by_names) = (0, 0, 0);
    for seed in 0..6 {
        let kg = Arc::new(town(seed).unwrap());
        let finder = Finder::new(kg.clone(), Rc::new(Bm25Similarity));
        for question in generate_town(&kg, 90, 0, seed).iter().filter(|q| is_told(q)) {
            let plan = question.plan.as_ref().unwrap();
            let ready = verify(plan, kg.schema(), Semantics::default(), "").ready.unwrap();
            let found = |over| {
                let options = FindOptions { over, ..FindOptions::default() };
                set(execute(&ready, &finder, options).answer().texts(&kg))
            };
            n += 1;
            right += usize::from(found(FindOver::Texts) == set(question.answers.clone()));
            right_by_names += usize::from(found(FindOver::Names) == set(question.answers.clone()));
        }
    }
    assert!(n > 150 && right * 10 >= n * 9, "{right} of {n}");
    assert_eq!(right_by_names, 0);
}

/// The neighbours of some nodes over the list of all edges, whichever way they go.
fn walk(kg: &Kg, front: &BTreeSet<u32>, edge: &str) -> BTreeSet<u32> {
    let mut next = BTreeSet::new();
    for (source, edge_type, target) in kg.edges() {
        if kg.schema().edge_type(edge_type).name == edge {
            next.extend(front.contains(&source.0).then_some(target.0));
            next.extend(front.contains(&target.0).then_some(source.0));
        }
    }
    next
}

/// What a person would find who reads the words and looks at the edges.
fn by_walking(kg: &Kg, question: &str) -> BTreeSet<String> {
    let quoted: Vec<&str> = question.split('"').skip(1).step_by(2).collect();
    let words: Vec<&str> = question.split('"').step_by(2).collect();
    let named = |i: usize| -> BTreeSet<u32> {
        let of = words[i].rsplit_once("to the ").unwrap().1.trim();
        let is_it = |n: &kg::NodeIx| {
            kg.name(*n) == quoted[i] && kg.schema().node_type(kg.node_type(*n)).name == of
        };
        kg.nodes().filter(is_it).map(|n| n.0).collect()
    };
    let found = if question.contains("\" and by \"") || words[2] == " and by " {
        let near = |edge: usize| walk(kg, &named(edge + 1), quoted[edge]);
        &near(0) & &near(2)
    } else {
        let last = quoted.len() - 1;
        let mut front = named(last);
        assert_eq!(front.len(), 1, "{question}");
        for edge in quoted[..last].iter().rev() {
            front = walk(kg, &front, edge);
        }
        front
    };
    if question.starts_with("How many") {
        return set([found.len().to_string()]);
    }
    let asked = question.strip_prefix("Which ").unwrap().split(" is joined").next().unwrap();
    let node = |n: u32| kg::NodeIx(n);
    for n in &found {
        let of = &kg.schema().node_type(kg.node_type(node(*n))).name;
        assert_eq!(of, asked, "{question}");
    }
    found.into_iter().map(|n| kg.name(node(n)).to_owned()).collect()
}

/// A graph whose names and types are awkward: same names, quotes, one type joined to many.
fn awkward() -> Kg {
    let mut kg = KgBuilder::new("awkward");
    for (i, name) in ["Ann", "Ann", "Bo \"B\"", "Cy; D", "Eve", "Flo", "", "Gil"].iter().enumerate()
    {
        kg.node(&format!("p{i}"), "Person of note", name, Default::default()).unwrap();
    }
    for (i, name) in ["Red", "Blue", "Eve"].iter().enumerate() {
        kg.node(&format!("t{i}"), "Team", name, Default::default()).unwrap();
    }
    for i in 0..8 {
        kg.edge(&format!("p{i}"), "plays in", &format!("t{}", i % 3)).unwrap();
        kg.edge(&format!("p{i}"), "likes", &format!("p{}", (i + 3) % 8)).unwrap();
        kg.edge(&format!("p{i}"), "about", &format!("t{}", (i + 1) % 3)).unwrap();
        kg.edge(&format!("p{i}"), "about", &format!("p{}", (i + 1) % 8)).unwrap();
    }
    kg.build().unwrap()
}

#[test]
fn questions_about_any_graph_are_right_by_a_walk_over_all_edges() {
    let graphs = [
        metro(8, 1).unwrap(),
        town(2).unwrap(),
        hetionet_like(2_000, 30_000, 3).unwrap(),
        tiny(4, TinyNames::Ordinary).unwrap(),
        awkward(),
    ];
    for (i, kg) in graphs.into_iter().enumerate() {
        let kg = Arc::new(kg);
        let questions = generate_typed(&kg, 60, 7);
        let least = [60, 60, 60, 10, 8][i];
        assert!(questions.len() >= least, "{}: {}", kg.title(), questions.len());
        let mut families = BTreeSet::new();
        for question in &questions {
            families.insert(question.template.as_str());
            assert!(is_typed(question) && !question.answers.is_empty());
            let found = set(question.answers.clone());
            assert_eq!(by_walking(&kg, &question.question), found, "{}", question.question);
            assert_eq!(found.len(), question.answers.len());
            // It is verified, without a remark, and is read back from its words.
            let plan = question.plan.as_ref().unwrap();
            let verified = verify(plan, kg.schema(), Semantics::default(), &question.question);
            assert!(verified.findings.is_empty(), "{:?}", verified.findings);
            assert_eq!(read_typed(&question.question).as_ref(), Some(plan));
            let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
            let own = known(&finder, &question.question).unwrap();
            assert_eq!(own.answers, question.answers);
            let level = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];
            assert_eq!(question.level, Some(level[question.hops as usize - 1]));
        }
        if i < 3 {
            assert_eq!(families.len(), 5, "{}: {families:?}", kg.title());
        }
        assert_eq!(generate_typed(&kg, 60, 7), questions, "the same seed");
    }
}

#[test]
fn a_file_of_such_questions_is_read_as_it_was_made() {
    let kg = Arc::new(town(1).unwrap());
    for questions in [generate_typed(&kg, 30, 1), questions_about(&kg, 30, 0, 1)] {
        let lines: Vec<String> =
            questions.iter().map(|q| serde_json::to_string(q).unwrap()).collect();
        let rows = read_questions(&lines.join("\n")).unwrap();
        let back: Vec<KgQuestion> = rows.into_iter().map(|row| row.question).collect();
        assert_eq!(back, questions);
    }
}

#[test]
fn every_graph_has_questions_of_its_own_kind() {
    let kinds = |kg: Kg| -> (usize, bool) {
        let questions = questions_about(&Arc::new(kg), 12, 0, 3);
        (questions.len(), questions.iter().all(is_typed))
    };
    assert_eq!(kinds(metro(6, 1).unwrap()), (12, false));
    assert_eq!(kinds(town(1).unwrap()), (12, false));
    assert_eq!(kinds(tiny(4, TinyNames::Ordinary).unwrap()), (12, false));
    assert_eq!(kinds(hetionet_like(400, 3_000, 1).unwrap()), (12, true));
    // A graph without edges has none.
    let mut alone = KgBuilder::new("alone");
    alone.node("a", "Thing", "A", Default::default()).unwrap();
    assert_eq!(kinds(alone.build().unwrap()).0, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the graph, what is asked is right.
    #[test]
    fn questions_about_random_graphs_are_right(
        edges in prop::collection::vec((0..14_u32, 0..4_usize, 0..14_u32), 1..40),
        types in prop::collection::vec(0..3_usize, 14),
        seed in any::<u64>(),
    ) {
        let mut kg = KgBuilder::new("random");
        for (i, of) in types.iter().enumerate() {
            // Some names are shared, some are another node's id.
            let name = if i % 5 == 0 { "n3".to_owned() } else { format!("node {}", i / 2) };
            kg.node(&format!("n{i}"), ["A", "B b", "C-c"][*of], &name, Default::default()).unwrap();
        }
        for (a, edge, b) in &edges {
            kg.edge(&format!("n{a}"), ["e", "f g", "h_i", "A"][*edge], &format!("n{b}")).unwrap();
        }
        let kg = Arc::new(kg.build().unwrap());
        for question in generate_typed(&kg, 12, seed) {
            prop_assert_eq!(by_walking(&kg, &question.question), set(question.answers));
        }
    }
}
