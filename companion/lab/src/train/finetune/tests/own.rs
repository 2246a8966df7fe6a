//! Our own model as a base.

use gguf::Stored;
use serde_json::json;

use super::super::own::{self, Own};
use super::*;

fn own() -> Own {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let config =
        ownmodel::Config { width: 16, n_layers: 2, n_heads: 2, n_place_heads: 1, hidden: 24 };
    let weights = (0..config.n_weights()).map(|_| rng.random::<f32>() - 0.5).collect();
    let network = ownmodel::OwnNetwork::new(config, weights).unwrap();
    let about = serde_json::Map::new();
    Own::read(&ownmodel::file::write(&network, ownmodel::file::Numbers::F32, &about)).unwrap()
}

fn lesson_lines(folder: &Folder, n: usize) -> Vec<Line> {
    let text: Vec<String> =
        lessons("find_bridges", n, 1).unwrap().iter().map(ToString::to_string).collect();
    lines(folder, &text.join("\n"))
}

#[test]
fn our_own_model_learns_by_the_same_rules() {
    let folder = Folder::new();
    let own = own();
    let adapters = Adapters::new(own.places(), 3, 6.0);
    assert_eq!(own.merged(&adapters, &adapters.start(1)), own.network.weights());
    let learned = moved(&adapters);
    let examples: Vec<Example> =
        lesson_lines(&folder, 3).iter().map(|line| own::example(line).unwrap()).collect();
    let batch: Vec<&Example> = examples.iter().collect();
    let mut gradient = vec![0.0; adapters.len()];
    own.learn(&adapters, &learned, &batch, Some(&mut gradient)).unwrap();
    for i in [0, 3, 4, 6, 9, 13] {
        for range in [adapters.a(i), adapters.b(i)] {
            let most = |a: &usize, b: &usize| gradient[*a].abs().total_cmp(&gradient[*b].abs());
            let place = range.max_by(most).unwrap();
            let at = |change: f32| {
                let mut moved = learned.clone();
                moved[place] += change;
                own.learn(&adapters, &moved, &batch, None).unwrap().sum
            };
            let slope = (at(2e-3) - at(-2e-3)) / 4e-3;
            let own = f64::from(gradient[place]);
            assert!((slope - own).abs() < 0.03 * own.abs().max(0.5), "{i}: {slope} {own}");
        }
    }
}

#[test]
fn our_own_model_is_written_and_asked_again() {
    let folder = Folder::new();
    let mut given = open("own").unwrap();
    let adapters = Adapters::new(given.base().unwrap().places(), 2, 4.0);
    let out = folder.join("tuned.bin");
    let about = json!({ "steps": 0 });
    given.export(&adapters, &moved(&adapters), Stored::F32, &about, &out).unwrap();
    let model = companion::own_model::load(out.to_str().unwrap()).unwrap();
    assert_eq!(model.head().about["fine-tuned"], about);
    assert!(model.head().about.contains_key("steps"));
    let shipped = companion::own_model::load("own").unwrap();
    let most = apart(model.network().weights(), shipped.network().weights());
    assert!(most > 0.0 && most < 0.1, "{most}");
    let picked = lesson_lines(&folder, 1);
    let picked: Vec<&Line> = picked.iter().collect();
    let model = given.exported_model(&out, 512).unwrap();
    let measuring =
        Measuring { model: model.as_ref(), name: "m", lines: &picked, most: 200, runs: None };
    let measured = measure(&measuring).unwrap();
    assert_eq!((measured.lines.n, measured.calls.n, measured.answers.n), (1, 2, 1));
    assert_eq!(measured.failed, 0);
    assert!(measured.table.is_none());
}

#[test]
fn lessons_are_lines_that_every_base_can_learn() {
    let folder = Folder::new();
    let bytes = made("llama", false);
    let given = open(folder.write("base.gguf", &bytes).to_str().unwrap()).unwrap();
    for function in ["find_bridges", "diameter", "is_tree"] {
        let text: Vec<String> =
            lessons(function, 12, 3).unwrap().iter().map(ToString::to_string).collect();
        let lines = lines(&folder, &text.join("\n"));
        assert_eq!(lines.len(), 12);
        for line in lines {
            let example = own::example(&line).unwrap();
            assert!(example.tokens.iter().all(|t| !ownmodel::codec::is_unknown(*t)), "{line:?}");
            assert!(given.example(&line, 20_000).unwrap().n_own() > 100);
            let called = line.messages.iter().flat_map(|m| &m.tool_calls).last().unwrap();
            assert_eq!(called.name, function);
        }
    }
    let text: Vec<String> =
        lessons("tasks", 40, 3).unwrap().iter().map(ToString::to_string).collect();
    let all = lines(&folder, &text.join("\n"));
    assert_eq!(all.len(), 40);
    assert!(all.iter().any(|line| line.tools.is_empty()));
    assert!(all.iter().all(|line| own::example(line).is_ok()));
    assert!(lessons("pagerank", 1, 1).unwrap_err().to_string().contains("find_bridges"));
    assert_eq!(lessons("diameter", 5, 1).unwrap(), lessons("diameter", 5, 1).unwrap());
    let of = |function: &str, said: &str| {
        let text = json!({ "messages": [{ "role": "user", "content": "Edges: (0,1)" },
            { "role": "assistant", "content": said, "tool_calls":
                [{ "id": "a", "function": { "name": function, "arguments": "{}" } }] }],
            "tools": [{ "function": { "name": function } }] });
        own::example(&lines(&folder, &text.to_string())[0]).unwrap_err()
    };
    assert!(
        of("count_triangles", "").contains("\"count_triangles\", for which our own model has no")
    );
    assert!(of("diameter", "an Umbrella").contains("\"Umbrella\""));
    assert!(of("has_path", "").contains("arguments that our own model cannot write"));
}
