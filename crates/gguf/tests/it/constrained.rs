//! Replies that keep to a shape, of a model whose weights are made up.

use futures_util::FutureExt as _;
use gguf::fixture::{self, Made};
use gguf::{Draw, File, LocalModel, LocalOptions};
use llm::{
    ChatRequest, ChatResponse, FinishReason, Grammar, Message, Model, ModelError, ReplyShape,
    ToolChoice, ToolSpec,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn made(made: &Made) -> LocalModel {
    let bytes = fixture::file(made).unwrap();
    let options = LocalOptions { n_ctx: made.n_ctx, ..LocalOptions::default() };
    LocalModel::load(File::read(bytes).unwrap(), options).unwrap()
}

fn ask(model: &LocalModel, request: &ChatRequest) -> Result<ChatResponse, ModelError> {
    model.complete(request, &()).now_or_never().unwrap()
}

fn request(shape: Option<ReplyShape>, seed: u64) -> ChatRequest {
    ChatRequest {
        messages: vec![Message::user("say it")],
        max_tokens: Some(300),
        temperature: Some(1.5),
        seed: Some(seed),
        reply_shape: shape,
        ..ChatRequest::default()
    }
}

/// Whether a value keeps to a schema of the kind that is drawn below.
fn keeps(value: &Value, schema: &Value) -> bool {
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return all.contains(value);
    }
    if let Some(all) = schema.get("anyOf").and_then(Value::as_array) {
        return all.iter().any(|schema| keeps(value, schema));
    }
    let size = |key: &str| schema.get(key).and_then(Value::as_i64).unwrap();
    match (schema["type"].as_str().unwrap(), value) {
        ("integer", Value::Number(n)) => {
            // -0 is a whole number, too, and only read as one with a fraction.
            let whole = n.as_f64().filter(|x| x.fract() == 0.0).map(|x| x as i64);
            whole.is_some_and(|n| (size("minimum")..=size("maximum")).contains(&n))
        }
        ("boolean", Value::Bool(_)) | ("null", Value::Null) => true,
        ("string", Value::String(text)) => text.chars().count() as i64 <= size("maxLength"),
        ("array", Value::Array(all)) => {
            (size("minItems")..=size("maxItems")).contains(&(all.len() as i64))
                && all.iter().all(|value| keeps(value, &schema["items"]))
        }
        ("object", Value::Object(map)) => {
            let properties = schema["properties"].as_object().unwrap();
            map.iter().all(|(key, value)| properties.get(key).is_some_and(|s| keeps(value, s)))
                && schema["required"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|key| map.contains_key(key.as_str().unwrap()))
        }
        _ => false,
    }
}

fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": "null" })),
        (-50..50_i64, 0..200_i64).prop_map(
            |(least, more)| json!({ "type": "integer", "minimum": least, "maximum": least + more })
        ),
        (0..9_usize).prop_map(|n| json!({ "type": "string", "maxLength": n })),
        prop::collection::vec("[a-c \"\\\\é]{0,4}", 1..4).prop_map(|all| json!({ "enum": all })),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0..2_usize, 0..2_usize).prop_map(|(items, least, more)| json!({
                "type": "array", "items": items, "minItems": least, "maxItems": least + more,
            })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({ "anyOf": all })),
            (prop::collection::btree_map("[a-z]{1,3}", inner, 1..3), any::<bool>()).prop_map(
                |(properties, is_all)| {
                    let names: Vec<&String> = properties.keys().collect();
                    json!({
                        "type": "object", "properties": properties, "additionalProperties": false,
                        "required": if is_all { names } else { vec![] },
                    })
                }
            ),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn what_keeps_to_a_schema_is_of_that_schema(schema in schemas(), seed: u64) {
        let model = made(&Made { n_ctx: 1024, ..Made::default() });
        let asked = request(Some(ReplyShape::Schema(schema.clone())), seed);
        let answer = ask(&model, &asked).unwrap();
        prop_assume!(answer.finish == FinishReason::Stop);
        let value: Value = serde_json::from_str(&answer.message.content).unwrap();
        prop_assert!(keeps(&value, &schema), "{} is none of {}", value, schema);
    }
}

fn grammars() -> impl Strategy<Value = Grammar> {
    let leaf = prop_oneof![
        "[a-d .*\\[\\]^$(){}|+?\\\\/#&~\n\"-]{0,4}".prop_map(Grammar::Text),
        "[a-d\"\\]\\\\^-]{0,3}".prop_map(Grammar::AnyBut),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Grammar::All),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Grammar::OneOf),
            (inner, 0..2_u32, 0..3_u32).prop_map(|(of, least, more)| Grammar::times(
                of,
                least,
                least + more
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_keeps_to_a_grammar_is_a_text_of_it(grammar in grammars(), seed: u64) {
        let model = made(&Made { architecture: "qwen2", ..Made::default() });
        let asked = request(Some(ReplyShape::Grammar(grammar.clone())), seed);
        let answer = ask(&model, &asked).unwrap();
        prop_assume!(answer.finish == FinishReason::Stop);
        // Another engine of regular expressions says whether it is one.
        let whole = regex::Regex::new(&format!(r"\A(?:{})\z", grammar.regex())).unwrap();
        prop_assert!(whole.is_match(&answer.message.content), "{:?}", answer.message.content);
    }
}

#[test]
fn forced_tokens_change_no_logits() {
    let (model, fresh) = (made(&Made::default()), made(&Made::default()));
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["the_station", "and_a_way"],
        "properties": {
            "the_station": { "enum": ["the ring", "the inn"] },
            "and_a_way": { "type": "integer", "minimum": 0, "maximum": 99 },
        },
    });
    let draw = Draw { temperature: 1.0, seed: 4, ..Draw::default() };
    let prompt = model.tokenizer().tokens("and then").unwrap();
    let mut generation = model.start(prompt.clone(), 200, draw).unwrap();
    generation.keep_to(&ReplyShape::Schema(schema)).unwrap();
    let mut tokens = prompt;
    while let Some(token) = generation.draw() {
        if model.tokenizer().is_end(token) {
            break;
        }
        generation.push(token);
        tokens.push(token);
    }
    assert!(generation.fault().is_none());
    let text: Vec<u8> = tokens.iter().flat_map(|t| model.tokenizer().bytes(*t)).copied().collect();
    assert!(text.starts_with(b"and then{\"the_station\": \"the "));
    // One token at a time, and none forced.
    let mut slow = fresh.start(tokens[..1].to_vec(), 200, draw).unwrap();
    for token in &tokens[1..] {
        slow.logits();
        slow.push(*token);
    }
    assert_eq!(slow.logits(), generation.logits());
}

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, properties: Value, required: &[&str]| ToolSpec {
        name: name.to_owned(),
        description: "Does it.".to_owned(),
        parameters: json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        }),
    };
    let node = json!({ "type": "integer", "minimum": 0, "maximum": 20 });
    vec![
        tool("has_path", json!({ "source": node, "target": node }), &["source", "target"]),
        tool("colour", json!({ "name": { "enum": ["<red>", "b\"lue"] } }), &["name"]),
        tool("has_cycle", json!({}), &[]),
    ]
}

/// llama 3's way to write a call.
const BARE: &str = "{% for tool in tools %}{{ tool | tojson }}{% endfor %}{% for message in messages %}[{{ message.role }}]{{ message.content }}{% for call in message.tool_calls %}{{ '{\"name\": \"' + call.function.name + '\", \"parameters\": ' + (call.function.arguments | tojson) + '}' }}{% endfor %}{% endfor %}[assistant]";

#[test]
fn a_call_that_has_to_come_comes() {
    for template in [fixture::TEMPLATE, BARE] {
        let model = made(&Made { template, n_ctx: 2048, ..Made::default() });
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let asked = ChatRequest {
                tools: tools(),
                tool_choice: ToolChoice::Required,
                ..request(None, seed)
            };
            let answer = ask(&model, &asked).unwrap();
            assert_eq!(answer.finish, FinishReason::ToolCalls, "{answer:?}");
            let [call] = answer.message.tool_calls.as_slice() else { panic!("{answer:?}") };
            assert_eq!(answer.message.content, "");
            let tool = asked.tools.iter().find(|t| t.name == call.name).unwrap();
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            assert!(keeps(&arguments, &tool.parameters), "{call:?}");
            seen.insert(call.name.clone());
            // Where it may but need not, such weights write anything.
            let free = ChatRequest { tool_choice: ToolChoice::Auto, ..asked };
            assert!(ask(&model, &free).unwrap().message.tool_calls.is_empty());
        }
        assert!(seen.len() > 1, "{seen:?}");
    }
}

#[test]
fn a_schema_that_cannot_be_used_is_told() {
    let model = made(&Made::default());
    let asked = request(Some(ReplyShape::Schema(json!({ "type": "nothing" }))), 0);
    let error = ask(&model, &asked).unwrap_err();
    assert!(matches!(error, ModelError::Local { .. }));
    let text = error.to_string();
    assert!(text.contains("the grammar of the answer cannot be used"), "{text}");
    // And the model goes on.
    assert!(ask(&model, &request(None, 0)).is_ok());
}

#[test]
fn a_reply_that_is_cut_off_says_so() {
    let model = made(&Made::default());
    let schema = json!({ "type": "string", "minLength": 40, "maxLength": 60 });
    let shape = Some(ReplyShape::Schema(schema));
    let asked = ChatRequest { max_tokens: Some(8), ..request(shape, 0) };
    let answer = ask(&model, &asked).unwrap();
    assert_eq!(answer.finish, FinishReason::Length);
    assert!(answer.message.content.starts_with('"'));
}

#[test]
fn a_model_can_be_asked_from_several_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<LocalModel>();
}
