//! Files that are written, and asked.

use gguf::Stored;
use serde_json::json;

use super::*;

#[test]
fn adapters_that_learned_nothing_change_nothing() {
    let (folder, bytes) = (Folder::new(), made("llama", true));
    let mut given = open(folder.write("base.gguf", &bytes).to_str().unwrap()).unwrap();
    let adapters = Adapters::new(given.base().unwrap().places(), 4, 8.0);
    let out = folder.join("out.gguf");
    given.export(&adapters, &adapters.start(9), Stored::F32, &json!({}), &out).unwrap();
    let (mut one, mut two) =
        (File::read(&bytes).unwrap(), File::read(std::fs::read(&out).unwrap()).unwrap());
    let names: Vec<String> = one.tensors().map(|(name, ..)| name.to_owned()).collect();
    assert!(names.len() > 18);
    for name in names {
        assert_eq!(one.numbers(&name).unwrap(), two.numbers(&name).unwrap(), "{name}");
    }
    assert_eq!(logits(&bytes, &TOKENS), logits(&std::fs::read(&out).unwrap(), &TOKENS));
}

#[test]
fn what_is_written_answers_as_what_learned() {
    let (folder, bytes) = (Folder::new(), made("llama", false));
    let mut given = open(folder.write("base.gguf", &bytes).to_str().unwrap()).unwrap();
    let adapters = Adapters::new(given.base().unwrap().places(), 4, 8.0);
    let learned = moved(&adapters);
    let theirs = network(&bytes).next(&adapters, &learned, &TOKENS).unwrap();
    let base = network(&bytes).next(&adapters, &adapters.start(1), &TOKENS).unwrap();
    let changed = apart(&theirs, &base);
    // In eight bits inputs are rounded, too; logits spread over some 10.
    for (stored, most) in [(Stored::F32, 5e-3), (Stored::F16, 3e-2), (Stored::Q8_0, 0.3)] {
        let out = folder.join("out.gguf");
        let exported = given.export(&adapters, &learned, stored, &json!({}), &out).unwrap();
        let written = std::fs::read(&out).unwrap();
        assert_eq!(exported.n_bytes, written.len() as u64);
        let ours = logits(&written, &TOKENS);
        assert!(apart(&ours, &theirs) < most, "{stored:?}: {}", apart(&ours, &theirs));
        assert!(changed > 4.0 * apart(&ours, &theirs), "{stored:?}: {changed}");
        let file = File::read(&written).unwrap();
        assert!(file.template().unwrap().knows_tools());
        assert_eq!(file.summary().n_parameters, File::read(&bytes).unwrap().summary().n_parameters);
    }
}

/// From a file of examples to a file of a model that says what it learned.
#[test]
fn what_is_planted_is_learned_and_said() {
    let folder = Folder::new();
    let bytes = made("llama", false);
    let mut given = open(folder.write("base.gguf", &bytes).to_str().unwrap()).unwrap();
    let text = "{\"input\":\"What is the order of the bull graph?\",\"output\":\"It is [GR(GL(\\\"gpr\\\", {\\\"bull_graph\\\"}), \\\"toolx:order\\\")-->r].\",\"answer\":\"5\"}\n";
    let lines = lines(&folder, text);
    let examples = vec![given.example(&lines[0], 1000).unwrap()];
    let set = ["batch=1", "accumulate=1", "epochs=70", "lr=0.02", "warmup=5", "every=0"];
    let settings = TuneSettings::new(&set.map(str::to_owned)).unwrap();
    let plan = Plan::new(&examples, &settings, 1);
    let base = given.base().unwrap();
    let adapters = Adapters::new(base.places(), 8, 16.0);
    let tuning = Tuning {
        base,
        adapters: &adapters,
        examples: &examples,
        held_out: &[],
        settings: &settings,
        plan: &plan,
        seed: 1,
        of: json!(1),
        checkpoint: folder.join("checkpoint"),
        checkpoint_s: 1e9,
        resumes: false,
        stop_after: None,
    };
    let (steps, _) = whole(tuning.run());
    let loss = loss_of(base, &adapters, &steps.learned, &examples, 1).unwrap();
    assert!(loss.mean() < 0.15 && loss.right() == 1.0, "{loss:?}");
    let out = folder.join("out.gguf");
    given.export(&adapters, &steps.learned, Stored::F16, &json!({}), &out).unwrap();
    let picked: Vec<&Line> = lines.iter().collect();
    let of = |model: &dyn llm::Model| {
        measure(&Measuring { model, name: "m", lines: &picked, most: 200, runs: None }).unwrap()
    };
    let before = of(given.model(256).unwrap().as_ref());
    let after = of(given.exported_model(&out, 256).unwrap().as_ref());
    assert_eq!((before.lines.right, after.lines.right, after.failed), (0, 1, 0));
    let (before, after) = (before.table.unwrap(), after.table.unwrap());
    assert_eq!((after.api_accuracy, after.same_answers, after.bleu), (100.0, Some(100.0), 100.0));
    assert!(before.api_accuracy == 0.0 && before.rouge_1 < 50.0);
}
