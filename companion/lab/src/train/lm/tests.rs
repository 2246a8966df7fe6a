use std::collections::HashSet;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tasks::{Difficulty, TaskGroup, TaskId};
use test_support::Folder;

use super::*;

fn mix(tasks: Vec<TaskId>) -> Mix {
    Mix {
        tasks,
        with_tools: 0.7,
        benchmark: 0.5,
        mistakes: 0.2,
        hardest: Difficulty::Hard,
        inline: 0.0,
        sentences: Arc::default(),
        plans: 0.0,
        people: 0.0,
        noise: 0.0,
    }
}

/// Every question of ours is in the model's words, and every edge is one list of numbers.
#[test]
fn every_wording_is_in_the_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for task in TaskGroup::NlGraph.tasks() {
        let mix = mix(vec![task]);
        for _ in 0..300 {
            let asked = lessons::draw(&mut rng, &mix);
            let encoded = ownmodel::text::encode(&asked.question);
            assert_eq!(encoded.n_unknown, 0, "{}", asked.question);
            assert_eq!(ownmodel::text::decode(&encoded.tokens), asked.question);
            let n_heads = encoded.tokens.iter().filter(|t| (272..336).contains(*t)).count();
            let graph = &asked.problem.graph;
            assert!(n_heads >= graph.n_edges(), "{}", asked.question);
            assert!(encoded.tokens.len() < 4 * graph.n_edges() + 6 * graph.n_nodes() + 140);
        }
    }
}

#[test]
fn conversations_end_in_an_answer_that_is_right() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for task in TaskGroup::NlGraph.tasks() {
        let mix = mix(vec![task]);
        for _ in 0..60 {
            let asked = lessons::draw(&mut rng, &mix);
            let Some((messages, learned)) = lessons::conversation(&mut rng, &mix, &asked) else {
                continue;
            };
            let answer = &messages.last().unwrap().content;
            let judgement = tasks::verify(&asked.problem, answer);
            assert_eq!(judgement.verdict, tasks::Verdict::Correct, "{answer}");
            let text = lessons::lesson(messages.clone(), &learned, asked.has_tools).unwrap();
            assert!(text.is_own.iter().any(|is| *is));
            if std::env::var("SHOW").is_ok() {
                let names: Vec<String> = text
                    .tokens
                    .iter()
                    .zip(&text.is_own)
                    .map(|(t, own)| {
                        format!("{}{}", ownmodel::name_of(*t), if *own { "*" } else { "" })
                    })
                    .collect();
                eprintln!("{}\n{}\n", asked.question, names.join(" "));
            }
        }
    }
}

fn sentences() -> Sentences {
    let hubs = systems::toolformer::Hubs::new().unwrap();
    Sentences::make(&hubs, 200, 1).unwrap()
}

#[test]
fn inline_calls_are_in_the_table() {
    let sentences = sentences();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut missing = std::collections::BTreeSet::new();
    let fresh = (0..4000).filter_map(|_| sentences.any(&mut rng));
    for pair in sentences.pairs.iter().cloned().chain(fresh) {
        for text in [pair.input, pair.output] {
            let encoded = ownmodel::text::encode(&text);
            if encoded.n_unknown > 0 {
                let words = text.split(|c: char| !c.is_ascii_alphabetic());
                missing.extend(
                    words
                        .filter(|word| ownmodel::text::encode(word).n_unknown > 0)
                        .map(str::to_owned),
                );
                continue;
            }
            assert_eq!(ownmodel::text::decode(&encoded.tokens), text);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn held_out_questions_never_come() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mix = Mix { benchmark: 1.0, ..mix(vec![TaskId::Cycle]) };
    let mut same = rng.clone();
    // What `make` draws before.
    let _: f64 = same.random();
    let asked = lessons::draw(&mut same, &mix);
    let held_out = HashSet::from([lessons::hash(&asked.question)]);
    let (_, n) = lessons::make(&mut rng, &mix, &held_out);
    assert_eq!(n, 1);
}

/// A training of a few small steps.
fn options(folder: &std::path::Path, name: &str, stop_after: Option<usize>) -> LmOptions {
    let set =
        ["steps=6", "tokens=200", "every=3", "measured=1", "width=16", "layers=1", "hidden=16"];
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    LmOptions {
        settings: LmSettings::new(&set).unwrap(),
        tasks: vec![TaskId::Connectivity, TaskId::Flow],
        seed: 4,
        checkpoint: folder.join(name),
        checkpoint_s: 1e9,
        resumes: true,
        stop_after,
        held_out: HashSet::new(),
        sentences: Arc::default(),
        begins_with: None,
    }
}

#[test]
fn a_training_that_was_stopped_ends_with_the_same_weights() {
    let folder = Folder::new();
    let whole = |ended| match ended {
        LmEnded::Whole(state) => state.learner,
        LmEnded::Stopped => panic!("it stopped"),
    };
    let one = whole(run(&options(&folder, "one", None)).unwrap());
    assert!(matches!(run(&options(&folder, "two", Some(2))).unwrap(), LmEnded::Stopped));
    let other = LmOptions { resumes: false, ..options(&folder, "two", None) };
    let refused = run(&other).err().map(|e| e.to_string()).unwrap();
    assert!(refused.contains("--resume"), "{refused}");
    let other = LmOptions { seed: 5, ..options(&folder, "two", None) };
    assert!(run(&other).err().map(|e| e.to_string()).unwrap().contains("other settings"));
    let two = whole(run(&options(&folder, "two", None)).unwrap());
    assert_eq!(one.state(), two.state());
    // A checkpoint that is cut off is no checkpoint.
    let bytes = std::fs::read(folder.join("two")).unwrap();
    std::fs::write(folder.join("cut"), &bytes[..bytes.len() - 7]).unwrap();
    assert!(
        run(&options(&folder, "cut", None))
            .err()
            .map(|e| e.to_string())
            .unwrap()
            .contains("cut off")
    );
}

#[test]
fn the_learning_rate_rises_stays_and_falls() {
    let settings =
        LmSettings::new(&["steps=1000".into(), "lr=1".into(), "fall=0.5".into()]).unwrap();
    assert!(settings.rate(0) < 0.01);
    assert!((settings.rate(400) - 1.0).abs() < 1e-9);
    assert!(settings.rate(750) < 0.6 && settings.rate(999) < 0.03);
    assert!(
        LmSettings::new(&["lt=1".into()]).unwrap_err().to_string().contains("lr (learning rate")
    );
    assert!(LmSettings::new(&["width=7".into()]).unwrap().config().is_err());
}

/// Every statement that is taught names what is asked in its call, letter by letter, and its call can
/// be read.
#[test]
fn statements_of_every_set_have_calls_that_are_read() {
    let sentences = sentences();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for set in SETS {
        let mut inputs = HashSet::new();
        for _ in 0..200 {
            let pair = sentences.of(&mut rng, set).unwrap();
            let sites = systems::toolformer::sites(&pair.output);
            assert!(!sites.is_empty() && sites.iter().all(|site| site.bracket.is_ok()), "{pair:?}");
            assert!(!pair.input.contains(['{', '}', '<', '>']), "{}", pair.input);
            assert!(pair.output.contains("-->r]") && !pair.output.contains("[TBR]"), "{pair:?}");
            // What a call is about stands in the question: nothing has to be made up.
            let ids = |text: &str| -> HashSet<String> {
                let ends = |c: char| c.is_whitespace() || "\"),]?".contains(c);
                let all = text.split('#').skip(1);
                let all = all.map(|id| id.split(ends).next().unwrap_or_default());
                all.map(|id| id.trim_end_matches(['.', ':', '\'']).to_owned()).collect()
            };
            let asked = ids(&pair.input);
            let plain = |id: &String| asked.contains(id) || pair.input.contains(id.as_str());
            assert!(ids(&pair.output).iter().all(plain), "{pair:?}");
            inputs.insert(pair.input);
        }
        // Fresh ones each time.
        assert!(inputs.len() > 150, "{}: {}", set.id, inputs.len());
    }
}

#[test]
fn a_curve_is_drawn_from_its_table() {
    let set = SetShare { set: "cora".into(), right: 0.25 };
    let point = |step: usize| {
        let share = Share {
            task: TaskId::Flow,
            level: Difficulty::Easy,
            has_tools: true,
            right: step as f64 / 400.0,
        };
        let (shares, sets) = (vec![share], vec![set.clone()]);
        let plans = vec![PlanShare { hops: 1, right: 0.5 }];
        let people = vec![PeopleShare { kind: "path".into(), is_held_out: false, right: 0.75 }];
        Point { step, loss: 3.0 / step as f64, seconds: 60.0, shares, sets, plans, people }
    };
    let table = curve(&[point(100), point(200), point(300)]);
    let svg = drawing(&table).unwrap();
    assert_eq!(svg.matches("<polyline").count(), 6);
    assert!(svg.contains("inline calls") && svg.contains(">300<") && !svg.contains("chosen"));
    let wrong = drawing(&table.replace("0.250", "a quarter")).unwrap_err().to_string();
    assert!(wrong.contains("line 2"), "{wrong}");
    assert!(drawing("step\tloss\n1\t2\n").unwrap_err().to_string().contains("no column"));
}
