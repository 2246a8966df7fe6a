//! Files of language models: their heads, their chat templates, their tokenizers, and the tool calls
//! in what they write.

use std::cell::OnceCell;

use gguf::fixture::{self, Made};
use gguf::{
    ChatTemplate, Detokenizer, Draw, File, HuggingModel, HuggingTensor, LocalModel, LocalOptions,
    Prompt,
};
use llm::{Message, ToolCall, ToolSpec};
use serde_json::{Value, json};

use crate::{Target, text};

/// Bytes of a file behind the input: enough for the weights that the seeds promise.
const WEIGHTS: usize = 150_000;

fn made(architecture: &'static str) -> Vec<u8> {
    fixture::file(&Made { architecture, ..Made::default() }).unwrap_or_default()
}

fn options() -> LocalOptions {
    LocalOptions { n_ctx: 32, budget_bytes: Some(50_000_000), ..LocalOptions::default() }
}

/// A head whose weights are all zero.
fn file(data: &[u8]) {
    let mut bytes = data.to_vec();
    bytes.resize(data.len() + WEIGHTS, 0);
    let Ok(file) = File::read(bytes) else { return };
    if let Ok(model) = LocalModel::load(file, options()) {
        let tokens = model.tokenizer().prompt("a cat <|im_end|>\u{1f600}").unwrap_or_default();
        if let Ok(mut generation) = model.start(tokens, 2, Draw::default()) {
            let _ = generation.draw();
        }
    }
}

/// A template, and a conversation of every kind of message through it.
pub(super) fn template(data: &[u8]) {
    let Ok(template) = ChatTemplate::new(&text(data), "<s>", "</s>") else { return };
    let call = ToolCall {
        id: "call_0".to_owned(),
        name: "f".to_owned(),
        arguments: "{\"a\": [1, \"b\"]}".to_owned(),
    };
    let messages = [
        Message::system("be brief"),
        Message::user("hello <|im_end|>"),
        Message { tool_calls: vec![call], ..Message::assistant("") },
        Message::tool("call_0", "{\"b\": 1}"),
        Message::assistant("done"),
        Message::user("more"),
    ];
    let tools = [ToolSpec {
        name: "f".to_owned(),
        description: "Does it.".to_owned(),
        parameters: json!({ "type": "object", "properties": {} }),
    }];
    for tools in [&tools[..], &[]] {
        let prompt = Prompt { messages: &messages, tools, now_s: Some(951_782_400) };
        let _ = template.render(&prompt);
    }
}

/// A folder in Hugging Face's form: its three JSON files, and the list of its tensors, whose numbers are
/// all zero.
fn folder(data: &[u8]) {
    let Ok(all) = serde_json::from_slice::<Value>(data) else { return };
    let tensor = |one: &Value| {
        Some(HuggingTensor {
            name: one[0].as_str()?.to_owned(),
            kind: one[1].as_str()?.to_owned(),
            shape: one[2]
                .as_array()?
                .iter()
                .map(|n| n.as_u64().map_or(0, |n| n as usize))
                .collect(),
        })
    };
    let model = HuggingModel {
        config: all["config"].clone(),
        tokenizer: all["tokenizer"].clone(),
        tokenizer_config: all["tokenizer_config"].clone(),
        tensors: all["tensors"].as_array().into_iter().flatten().filter_map(tensor).collect(),
        ..HuggingModel::default()
    };
    let read = |name: &str| {
        let found = model.tensors.iter().find(|tensor| tensor.name == name);
        let n = found.map_or(0, |tensor| {
            tensor.shape.iter().fold(1_usize, |n, side| n.saturating_mul(*side))
        });
        let n_bytes = if found.is_some_and(|t| t.kind == "F32") { 4 } else { 2 };
        // Nobody's folder has as many numbers as a few letters can promise.
        Ok(vec![0; n.min(WEIGHTS).saturating_mul(n_bytes)])
    };
    let mut out = Vec::new();
    if gguf::convert(&model, read, &mut out).is_ok()
        && let Ok(file) = File::read(out)
    {
        let _ = LocalModel::load(file, options());
    }
}

fn folders() -> Vec<Vec<u8>> {
    let made = |model_type| {
        let made = fixture::hugging(model_type, "F16", false).model;
        let tensor = |t: &HuggingTensor| json!([t.name, t.kind, t.shape]);
        let tensors: Vec<Value> = made.tensors.iter().map(tensor).collect();
        json!({ "config": made.config, "tokenizer": made.tokenizer, "tensors": tensors,
                "tokenizer_config": made.tokenizer_config })
    };
    ["llama", "qwen2"].map(|name| made(name).to_string().into_bytes()).to_vec()
}

/// A text as tokens, and back.
fn tokens(model: &LocalModel, data: &[u8]) {
    let (tokenizer, text) = (model.tokenizer(), text(data));
    let _ = tokenizer.prompt(&text);
    let Ok(tokens) = tokenizer.tokens(&text) else { return };
    let mut all = Detokenizer::default();
    let mut back: String = tokens.iter().map(|token| all.push(tokenizer, *token)).collect();
    back.push_str(&all.finish());
    assert_eq!(back, text);
}

/// A model with each kind of cuts.
fn models() -> Vec<LocalModel> {
    let load =
        |architecture| LocalModel::load(File::read(made(architecture)).ok()?, options()).ok();
    ["llama", "qwen2"].into_iter().filter_map(load).collect()
}

pub(super) fn targets() -> Vec<Target> {
    let loaded = OnceCell::new();
    vec![
        Target::new("gguf_file", 16_384, file, |_| {
            ["llama", "qwen2"].into_iter().map(made).collect()
        }),
        Target::new("hugging_folder", 16_384, folder, |_| folders()),
        Target::new("gguf_template", 2048, template, |_| {
            let loops = "{% for i in range(3) %}{{ loop.index0 }}{% set ns = namespace(a=i) %}{% if not \
                         loop.last %}{{ ns.a | tojson(indent=2) }}{% endif %}{% endfor %}";
            let python = "{%- macro say(m) %}{{ m['content'].strip().split(' ')[0] }}{% endmacro -%}\
                          {{ say(messages[1]) }}{{ strftime_now('%d %b %Y') }}";
            let refusing = "{% if messages[0].role != 'user' %}{{ raise_exception('no rules') }}{% endif %}\
                            {{ bos_token }}{{ messages | length }}";
            [fixture::TEMPLATE, loops, python, refusing].map(|t| t.as_bytes().to_vec()).to_vec()
        }),
        Target::new(
            "gguf_tokens",
            512,
            move |data| {
                for model in loaded.get_or_init(models) {
                    tokens(model, data);
                }
            },
            |_| {
                [
                    "in the ring and 12",
                    "<|im_start|>user\nthe<|im_end|>",
                    "d\u{e9}j\u{e0} \u{1f600}\t  'll 1234",
                ]
                .map(|t| t.as_bytes().to_vec())
                .to_vec()
            },
        ),
        Target::new(
            "gguf_calls",
            2048,
            |data| {
                let text = text(data);
                let (said, calls) = fixture::answer(&text);
                // What is read of an answer is in it.
                assert!(said.len() <= text.len());
                assert!(calls.iter().all(|call| !call.id.is_empty()));
            },
            |_| {
                [
                    "Let me see.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>",
                    "<tool_call>{'name': 'f', 'arguments': '{}'}</tool_call><tool_call>{\"name\"",
                    "<|python_tag|>{\"name\": \"f\", \"parameters\": {\"a\": 1}} and more",
                    "{\"function\": {\"name\": \"g\", \"arguments\": {}}}",
                ]
                .map(|t| t.as_bytes().to_vec())
                .to_vec()
            },
        ),
    ]
}
