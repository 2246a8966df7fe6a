//! The tokenizer of `tokenizer.json` in the words of a file.

use serde_json::Value;

use super::{HuggingModel, refused};
use crate::GgufError;
use crate::file::Writing;
use crate::tokenizer::pattern_of;

const NORMAL: i32 = 1;
const CONTROL: i32 = 3;
const USER_DEFINED: i32 = 4;
const UNUSED: i32 = 5;

/// How texts are cut into words, by the name that files have for it.
fn cut(pre: &Value) -> Result<&'static str, GgufError> {
    let all = match pre["type"].as_str() {
        Some("Sequence") => pre["pretokenizers"].as_array().cloned().unwrap_or_default(),
        _ => vec![pre.clone()],
    };
    let (mut pattern, mut digits, mut bytes) = (None, false, None);
    for one in &all {
        match one["type"].as_str() {
            Some("Split") => pattern = one["pattern"]["Regex"].as_str(),
            Some("Digits") => digits = one["individual_digits"].as_bool().unwrap_or(false),
            Some("ByteLevel") => bytes = Some(one),
            other => {
                return Err(refused(format!(
                    "tokenizer.json cuts words by {}; Split, Digits and ByteLevel are read",
                    other.unwrap_or("nothing")
                )));
            }
        }
    }
    let Some(bytes) = bytes else {
        return Err(refused(
            "tokenizer.json does not write bytes as characters (ByteLevel); llama.cpp's \
             convert_hf_to_gguf.py makes a GGUF file of such a folder",
        ));
    };
    if bytes["add_prefix_space"].as_bool().unwrap_or(false) {
        return Err(refused(
            "tokenizer.json puts a space before every text, which is not done here",
        ));
    }
    let usual = bytes["use_regex"].as_bool().unwrap_or(true);
    match (pattern, digits, usual) {
        (None, true, true) => Ok("smollm"),
        (None, false, true) => Ok("gpt-2"),
        (Some(pattern), false, false) => pattern_of(pattern).ok_or_else(|| {
            refused(format!("tokenizer.json cuts words by {pattern:?}, which is not known here"))
        }),
        _ => Err(refused("tokenizer.json cuts words in a way that is not known here")),
    }
}

/// The text of a token that the configuration names, alone or as an object.
fn named<'t>(config: &'t Value, key: &str) -> Option<&'t str> {
    config[key].as_str().or_else(|| config[key]["content"].as_str())
}

fn template(model: &HuggingModel) -> Option<&str> {
    let given = &model.tokenizer_config["chat_template"];
    let of_list = || {
        let list = given.as_array()?;
        let usual = list.iter().find(|t| t["name"] == "default").or_else(|| list.first())?;
        usual["template"].as_str()
    };
    model.chat_template.as_deref().or_else(|| given.as_str()).or_else(of_list)
}

/// Writes the tokens with how texts become such, and the chat template.
pub(super) fn write(
    model: &HuggingModel,
    n_vocab: usize,
    head: &mut Writing,
) -> Result<(), GgufError> {
    let tokenizer = &model.tokenizer;
    let pairs = &tokenizer["model"];
    match pairs["type"].as_str() {
        // Files of before have no type.
        Some("BPE") | None if pairs["merges"].is_array() => {}
        other => {
            return Err(refused(format!(
                "tokenizer.json is of the kind {:?}; BPE is read",
                other.unwrap_or_default()
            )));
        }
    }
    if pairs["byte_fallback"].as_bool().unwrap_or(false) {
        return Err(refused(
            "tokenizer.json falls back to bytes as SentencePiece does; llama.cpp's \
             convert_hf_to_gguf.py makes a GGUF file of such a folder",
        ));
    }
    match tokenizer["normalizer"]["type"].as_str() {
        // Texts that are composed already, as nearly all are, are the same.
        None | Some("NFC") => {}
        Some(other) => {
            return Err(refused(format!(
                "tokenizer.json changes texts by {other}, which is not read"
            )));
        }
    }
    let mut tokens: Vec<Option<(String, i32)>> = vec![None; n_vocab];
    let mut put = |id: Option<u64>, text: &str, kind: i32| -> Result<(), GgufError> {
        let place = id.and_then(|id| tokens.get_mut(usize::try_from(id).ok()?));
        let place = place.ok_or_else(|| {
            refused(format!("token {text:?} has no number below vocab_size, {n_vocab}"))
        })?;
        *place = Some((text.to_owned(), kind));
        Ok(())
    };
    let vocab = pairs["vocab"].as_object().ok_or_else(|| refused("tokenizer.json has no vocab"))?;
    for (text, id) in vocab {
        put(id.as_u64(), text, NORMAL)?;
    }
    let added = tokenizer["added_tokens"].as_array().map(Vec::as_slice).unwrap_or_default();
    for token in added {
        let text = token["content"].as_str().unwrap_or_default();
        let is_special = token["special"].as_bool().unwrap_or(false);
        put(token["id"].as_u64(), text, if is_special { CONTROL } else { USER_DEFINED })?;
    }
    let tokens: Vec<(String, i32)> = tokens
        .into_iter()
        .enumerate()
        .map(|(i, token)| token.unwrap_or_else(|| (format!("[unused {i}]"), UNUSED)))
        .collect();
    let merge = |merge: &Value| match merge {
        Value::String(text) => Some(text.clone()),
        Value::Array(two) => Some(format!("{} {}", two.first()?.as_str()?, two.get(1)?.as_str()?)),
        _ => None,
    };
    let merges = pairs["merges"].as_array().map(Vec::as_slice).unwrap_or_default();
    let merges: Option<Vec<String>> = merges.iter().map(merge).collect();
    let merges = merges.ok_or_else(|| refused("a merge of tokenizer.json is no pair of tokens"))?;
    head.text("tokenizer.ggml.model", "gpt2");
    head.text("tokenizer.ggml.pre", cut(&tokenizer["pre_tokenizer"])?);
    let id_of = |text: &str| tokens.iter().position(|(known, _)| known == text);
    let of_config = |key: &str| {
        let id = &model.config[key];
        id.as_u64().or_else(|| id[0].as_u64()).map(|id| id as usize)
    };
    let told = &model.tokenizer_config;
    for (name, key) in [("bos_token", "bos_token_id"), ("eos_token", "eos_token_id")] {
        let id = named(told, name).and_then(id_of).or_else(|| of_config(key));
        if let Some(id) = id.filter(|id| *id < n_vocab) {
            head.number(&format!("tokenizer.ggml.{key}"), id);
        }
    }
    // What is put before each text: some files say it, others have it in what is done afterwards.
    let begins = named(told, "bos_token").is_some_and(|bos| {
        let after = &tokenizer["post_processor"];
        let all = match after["processors"].as_array() {
            Some(list) => list.clone(),
            None => vec![after.clone()],
        };
        all.iter().any(|one| one["single"][0]["SpecialToken"]["id"] == bos)
    });
    head.flag("tokenizer.ggml.add_bos_token", told["add_bos_token"].as_bool().unwrap_or(begins));
    let (texts, kinds): (Vec<String>, Vec<i32>) = tokens.into_iter().unzip();
    head.texts("tokenizer.ggml.tokens", &texts);
    head.ints("tokenizer.ggml.token_type", &kinds);
    head.texts("tokenizer.ggml.merges", &merges);
    if let Some(template) = template(model) {
        head.text("tokenizer.chat_template", template);
    }
    Ok(())
}
