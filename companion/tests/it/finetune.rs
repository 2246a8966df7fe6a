//! Fine-tuning as a person starts it: files are checked first, a stop loses nothing, and what comes out
//! is a model that answers.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use gguf::fixture::{self, Made};
use test_support::Folder;

use crate::program::{program, stderr, stdout};

/// A folder with a model in it.
fn folder() -> Folder {
    let bytes = fixture::file(&Made { stored: 0, ..Made::default() }).unwrap();
    Folder::new().with("base.gguf", bytes)
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = program();
    command.current_dir(folder).args(line.split(' '));
    command
}

fn graphground(folder: &Path, line: &str) -> Output {
    command(folder, line).output().unwrap()
}

fn pairs(folder: &Path, n: usize) {
    let made = graphground(folder, &format!("prompts make --n {n}"));
    std::fs::write(folder.join("pairs.jsonl"), made.stdout).unwrap();
}

const TUNE: &str = "finetune --base base.gguf --data pairs.jsonl --held-out-share 0.2 --set steps=6 \
                    --set batch=2 --set accumulate=1 --set measured=2 --set every=3 --checkpoint-seconds 0";

#[test]
fn what_cannot_be_learned_from_is_told_before_anything_is_trained() {
    let folder = folder();
    let lines = "{\"input\":\"a\",\"output\":\"b\"}\n{\"input\":\"a\"}\nnonsense\n\
                 {\"prompt\":\"x\",\"completion\":\"y<|im_end|>\"}\n";
    std::fs::write(folder.join("bad.jsonl"), lines).unwrap();
    let ended = graphground(&folder, "finetune --base base.gguf --data bad.jsonl");
    assert_eq!(ended.status.code(), Some(1));
    let told = stderr(&ended);
    for wanted in [
        "3 lines cannot be learned from; nothing was trained",
        "bad.jsonl, line 2: there is no \"output\" beside \"input\"",
        "bad.jsonl, line 3: it is no JSON",
        "bad.jsonl, line 4: message 2 has \"<|im_end|>\" in its text",
    ] {
        assert!(told.contains(wanted), "{told}");
    }
    let only_base: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(only_base.len(), 2);
    let none = graphground(&folder, "finetune --base none.gguf --data bad.jsonl");
    assert!(stderr(&none).contains("none.gguf"), "{}", stderr(&none));
    std::fs::write(folder.join("empty.jsonl"), "\n\n").unwrap();
    let empty = graphground(&folder, "finetune --base own --data empty.jsonl");
    assert!(
        stderr(&empty).contains("empty.jsonl: it has no line that is not empty"),
        "{}",
        stderr(&empty)
    );
}

/// A folder in Hugging Face's form, in one file of weights or in two with an index.
fn hugging(folder: &Path, in_two: bool) {
    let made = fixture::hugging("qwen2", "BF16", true);
    let at = folder.join("hugging");
    std::fs::create_dir_all(&at).unwrap();
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(at.join(name), bytes).unwrap();
    write("config.json", made.model.config.to_string().into());
    write("tokenizer.json", made.model.tokenizer.to_string().into());
    write("tokenizer_config.json", made.model.tokenizer_config.to_string().into());
    if !in_two {
        return write("model.safetensors", made.safetensors());
    }
    let _ = std::fs::remove_file(at.join("model.safetensors"));
    let (mut a, mut b) = (made.clone(), made);
    b.model.tensors = a.model.tensors.split_off(9);
    let mut map = serde_json::Map::new();
    for (name, half) in [("a.safetensors", &a), ("b.safetensors", &b)] {
        write(name, half.safetensors());
        map.extend(half.model.tensors.iter().map(|t| (t.name.clone(), name.into())));
    }
    let index = serde_json::json!({ "weight_map": map });
    write("model.safetensors.index.json", index.to_string().into());
}

#[test]
fn a_folder_in_hugging_faces_form_is_converted_tuned_and_asked() {
    let folder = folder();
    pairs(&folder, 20);
    hugging(&folder, false);
    let converted = graphground(&folder, "model convert hugging --out one.gguf");
    assert!(converted.status.success(), "{}", stderr(&converted));
    let told = stdout(&converted);
    assert!(told.contains("hugging: qwen2") && told.contains("BF16"), "{told}");
    // The same weights in two files are the same model, in the byte.
    hugging(&folder, true);
    let short = TUNE.replace("steps=6", "steps=2").replace("measured=2", "measured=0");
    let tune = short.replace("base.gguf", "hugging");
    let tuned = graphground(&folder, &format!("{tune} --name of-folder"));
    assert!(tuned.status.success(), "{}", stderr(&tuned));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("of-folder.base.gguf") == read("one.gguf"));
    let tune = short.replace("base.gguf", "one.gguf");
    let tuned = graphground(&folder, &format!("{tune} --name of-file"));
    assert!(tuned.status.success(), "{}", stderr(&tuned));
    assert!(read("of-folder.gguf") == read("of-file.gguf"));
    let asked = graphground(
        &folder,
        "run --task cycle --model local:of-folder.gguf --system standalone --reply-tokens 4",
    );
    assert!(matches!(asked.status.code(), Some(0 | 3)), "{}", stderr(&asked));
    // What leads out of the folder is not followed, and what is cut off is told.
    let index = r#"{"weight_map": {"model.norm.weight": "../one.gguf"}}"#;
    std::fs::write(folder.join("hugging/model.safetensors.index.json"), index).unwrap();
    let led = graphground(&folder, "model convert hugging --out two.gguf");
    assert!(stderr(&led).contains("no file of the folder"), "{}", stderr(&led));
    let whole = read("hugging/a.safetensors");
    std::fs::write(folder.join("hugging/model.safetensors"), &whole[..whole.len() - 9]).unwrap();
    let cut = graphground(&folder, "model convert hugging --out two.gguf");
    assert!(stderr(&cut).contains("ends within tensor"), "{}", stderr(&cut));
    std::fs::write(folder.join("hugging/model.safetensors"), [255; 64]).unwrap();
    let wild = graphground(&folder, "model convert hugging --out two.gguf");
    assert!(stderr(&wild).contains("no file of the form safetensors"), "{}", stderr(&wild));
    assert!(!folder.join("two.gguf").exists());
}

#[test]
fn a_training_that_was_killed_goes_on_and_its_model_answers() {
    let folder = folder();
    pairs(&folder, 20);
    let checked = graphground(&folder, &format!("{TUNE} --check"));
    assert!(checked.status.success(), "{}", stderr(&checked));
    assert!(stderr(&checked).contains("16 examples with"), "{}", stderr(&checked));
    let straight = graphground(&folder, &format!("{TUNE} --name straight"));
    assert!(straight.status.success(), "{}", stderr(&straight));
    let told = stdout(&straight);
    assert!(told.contains("| BLEU |") && told.contains("LoRA of rank 8 on 14 matrices"), "{told}");
    // Killed as soon as there is a checkpoint.
    let mut running = command(&folder, &format!("{TUNE} --name killed"));
    let mut running = running.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let checkpoint = folder.join("killed.checkpoint");
    while !checkpoint.exists() && running.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    running.kill().unwrap();
    running.wait().unwrap();
    if checkpoint.exists() {
        let refused = graphground(&folder, &format!("{TUNE} --name killed"));
        assert!(stderr(&refused).contains("--resume goes on with it"), "{}", stderr(&refused));
    }
    let resumed = graphground(&folder, &format!("{TUNE} --name killed --resume"));
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(read("straight.gguf"), read("killed.gguf"));
    assert_ne!(read("straight.gguf"), read("base.gguf"));
    assert!(!checkpoint.exists());
    // Table 4 of what was written before and after, and the model where models are named.
    let report = graphground(&folder, "report straight.after.runs.jsonl");
    let report = stdout(&report);
    assert!(report.contains("made up, fine-tuned") && report.contains("API accuracy"), "{report}");
    let shown = graphground(&folder, "model show local:straight.gguf");
    assert!(stdout(&shown).contains("made up: llama"), "{}", stderr(&shown));
    let asked = graphground(
        &folder,
        "run --task cycle --model local:straight.gguf --system standalone --reply-tokens 4",
    );
    assert!(matches!(asked.status.code(), Some(0 | 3)), "{}", stderr(&asked));
}

#[test]
fn our_own_model_learns_a_function_from_lessons() {
    let folder = folder();
    let lessons = graphground(&folder, "finetune --lessons find_bridges --n 12 --seed 1");
    std::fs::write(folder.join("lessons.jsonl"), lessons.stdout).unwrap();
    let line = "finetune --base own --data lessons.jsonl --held-out-share 0.25 --set steps=2 \
                --set measured=1 --name bridges";
    let ended = graphground(&folder, line);
    assert!(ended.status.success(), "{}", stderr(&ended));
    let card = std::fs::read_to_string(folder.join("bridges.md")).unwrap();
    assert!(card.contains("| calls of `find_bridges` |"), "{card}");
    let asked = graphground(&folder, "run --task cycle --model local:bridges.bin");
    assert!(asked.status.success(), "{}", stderr(&asked));
}
