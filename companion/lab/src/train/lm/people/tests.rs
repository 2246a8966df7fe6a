use std::collections::BTreeSet;

use rand::SeedableRng as _;

use super::*;

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Each kind comes out of both halves of the lines, and all that the model is to say has tokens.
#[test]
fn every_kind_is_asked_in_learned_and_held_out_lines() {
    for (i, kind) in KINDS.iter().enumerate() {
        for lines in [Lines::Learned, Lines::HeldOut] {
            let mut rng = rng(i as u64);
            let mut n = 0;
            for _ in 0..40 {
                let Some(talked) = talk(&mut rng, kind, lines, true) else { continue };
                n += usize::from(lesson(&mut rng, &talked).is_some());
                if std::env::var_os("GRAPHGROUND_SHOW").is_some() && n < 4 {
                    println!("--- {kind} {lines:?}\n{}", talked.messages[0].content);
                    for message in &talked.messages[1..] {
                        for call in &message.tool_calls {
                            println!("  {} {}", call.name, call.arguments);
                        }
                        println!("  > {}", message.content);
                    }
                }
            }
            assert!(n >= 20, "{kind} {lines:?}: {n} of 40");
        }
    }
}

/// What is built is what is written: both ends of each edge are in the question, or an end's first
/// word does.
#[test]
fn nothing_is_built_that_the_question_does_not_name() {
    let mut rng = rng(7);
    for i in 0..200 {
        let kind = KINDS[i % KINDS.len()];
        let Some(talked) = talk(&mut rng, kind, Lines::Learned, true) else { continue };
        let question = talked.messages[0].content.to_lowercase();
        for call in talked.messages.iter().flat_map(|message| &message.tool_calls) {
            let arguments: serde_json::Value = serde_json::from_str(&call.arguments).unwrap();
            for edge in arguments["edges"].as_array().into_iter().flatten() {
                for node in edge.as_array().unwrap() {
                    let name = node.as_str().map_or_else(|| node.to_string(), str::to_lowercase);
                    assert!(question.contains(&name), "{name} is not in {question}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_asks_the_same() {
    let ask = || {
        let talked = talk(&mut rng(3), "path", Lines::Learned, true).unwrap();
        talked.messages[0].content.clone()
    };
    assert_eq!(ask(), ask());
}

/// The lines were written without the public questions that measure what was learned.
#[test]
fn no_line_shares_five_words_with_the_everyday_questions() {
    // They are next to the data sets.
    let Some(folder) = test_data::folder("../field/words") else { return };
    let text = std::fs::read_to_string(folder.join("questions.jsonl")).unwrap();
    let words = |text: &str| -> Vec<String> {
        let text = text.to_lowercase();
        let is_part = |c: char| c.is_alphanumeric() || c == '{' || c == '}';
        text.split(|c: char| !is_part(c)).filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    let fives = |text: &str| -> Vec<Vec<String>> {
        words(text).windows(5).map(<[String]>::to_vec).collect()
    };
    let asked: BTreeSet<Vec<String>> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .flat_map(|row| fives(row["question"].as_str().unwrap_or_default()))
        .collect();
    assert!(asked.len() > 1000);
    for domain in templates::domains() {
        for (sort, line, _) in domain.all() {
            let shared = fives(line).into_iter().find(|five| asked.contains(five));
            assert_eq!(shared, None, "{} {sort} {line}", domain.name);
        }
    }
}
