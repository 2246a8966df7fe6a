//! Calls, written as each format has them.

use serde_json::{Value, json};

use crate::cases::KnownCall;

type Write = fn(&[KnownCall]) -> Option<String>;

/// Each format under the name of the parser that knows it.
pub const WRITERS: &[(&str, Write)] = &[
    ("json", |calls| Some(as_list(calls, "name", "arguments"))),
    ("llama", |calls| {
        let one = |call: &KnownCall| json!({ "name": call.0, "parameters": call.1 }).to_string();
        Some(format!("<|python_tag|>{}", joined(calls, ";", one)))
    }),
    ("mistral", |calls| Some(format!("[TOOL_CALLS] {}", as_list(calls, "name", "arguments")))),
    ("cohere", |calls| {
        Some(format!("<|START_ACTION|>{}<|END_ACTION|>", as_list(calls, "tool_name", "parameters")))
    }),
    ("qwen", |calls| {
        let one = |call: &KnownCall| {
            format!("<tool_call>\n{}\n</tool_call>", json!({ "name": call.0, "arguments": call.1 }))
        };
        Some(joined(calls, "\n", one))
    }),
    ("qwen_xml", |calls| {
        let one = |call: &KnownCall| {
            let given = pairs(call, |k, v, _| format!("<parameter={k}>\n{v}\n</parameter>\n"));
            format!("<tool_call>\n<function={}>\n{given}</function>\n</tool_call>", call.0)
        };
        Some(joined(calls, "\n", one))
    }),
    ("pythonic", |calls| {
        let one = |call: &KnownCall| {
            let given: Vec<String> =
                fields(call).map(|(k, v)| format!("{k}={}", python(v))).collect();
            format!("{}({})", call.0, given.join(", "))
        };
        Some(format!("[{}]", joined(calls, ", ", one)))
    }),
    ("sarashina", |calls| {
        let one = |call: &KnownCall| {
            format!("{{'name': '{}', 'arguments': {}}}", call.0, python(&call.1))
        };
        Some(format!("<|tool_calls|>[{}]", joined(calls, ", ", one)))
    }),
    ("deepseek", |calls| {
        let one = |call: &KnownCall| {
            format!(
                "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{}\n```json\n{}\n```<｜tool▁call▁end｜>",
                call.0, call.1
            )
        };
        Some(format!("<｜tool▁calls▁begin｜>{}<｜tool▁calls▁end｜>", joined(calls, "\n", one)))
    }),
    ("deepseek31", |calls| {
        let one = |call: &KnownCall| {
            format!("<｜tool▁call▁begin｜>{}<｜tool▁sep｜>{}<｜tool▁call▁end｜>", call.0, call.1)
        };
        Some(format!("<｜tool▁calls▁begin｜>{}<｜tool▁calls▁end｜>", joined(calls, "", one)))
    }),
    ("deepseek32", |calls| Some(dsml(calls, "", "function_calls"))),
    ("deepseek_v4", |calls| Some(dsml(calls, "", "tool_calls"))),
    ("deepseek_v41", |calls| Some(dsml(calls, " ", "calls"))),
    ("glm45_moe", |calls| {
        let one = |call: &KnownCall| {
            let given = pairs(call, |k, v, _| {
                format!("<arg_key>{k}</arg_key>\n<arg_value>{v}</arg_value>\n")
            });
            format!("<tool_call>{}\n{given}</tool_call>", call.0)
        };
        Some(joined(calls, "\n", one))
    }),
    ("glm47_moe", |calls| Some(joined(calls, "", |call| keyed(call, "")))),
    ("hy_v4", |calls| {
        let one = |call: &KnownCall| keyed(call, ":6124c78e");
        Some(format!("<tool_calls:6124c78e>{}</tool_calls:6124c78e>", joined(calls, "", one)))
    }),
    ("step3", |calls| {
        let one = |call: &KnownCall| {
            let given = pairs(call, |k, v, _| {
                format!("<steptml:parameter name=\"{k}\">{v}</steptml:parameter>\n")
            });
            format!(
                "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"{}\">\n{given}</steptml:invoke><｜tool_call_end｜>\n",
                call.0
            )
        };
        Some(format!("<｜tool_calls_begin｜>\n{}<｜tool_calls_end｜>", joined(calls, "", one)))
    }),
    ("kimik2", |calls| {
        let mut text = "<|tool_calls_section_begin|>".to_owned();
        for (n, call) in calls.iter().enumerate() {
            text += &format!(
                "<|tool_call_begin|>functions.{}:{n}<|tool_call_argument_begin|>{}<|tool_call_end|>",
                call.0, call.1
            );
        }
        Some(text + "<|tool_calls_section_end|>")
    }),
    ("kimi_k3", |calls| {
        let mut text = "<|open|>tools<|sep|>".to_owned();
        for (n, call) in calls.iter().enumerate() {
            let given = pairs(call, |k, v, kind| {
                format!(
                    "<|open|>argument key=\"{k}\" type=\"{kind}\"<|sep|>{v}<|close|>argument<|sep|>"
                )
            });
            text += &format!(
                "<|open|>call tool=\"{}\" index=\"{n}\"<|sep|>{given}<|close|>call<|sep|>",
                call.0
            );
        }
        Some(text + "<|close|>tools<|sep|>")
    }),
    ("minimax_m2", |calls| {
        let one = |call: &KnownCall| {
            let given = pairs(call, |k, v, _| format!("<parameter name=\"{k}\">{v}</parameter>\n"));
            format!("<invoke name=\"{}\">\n{given}</invoke>\n", call.0)
        };
        Some(format!("<minimax:tool_call>\n{}</minimax:tool_call>", joined(calls, "", one)))
    }),
    ("minimax_m3", |calls| {
        const SIGN: &str = "]<]minimax[>[";
        let one = |call: &KnownCall| {
            let given: String = fields(call).map(|(k, v)| element(k, v)).collect();
            format!("{SIGN}<invoke name=\"{}\">{given}{SIGN}</invoke>\n", call.0)
        };
        Some(format!("{SIGN}<tool_call>\n{}{SIGN}</tool_call>", joined(calls, "", one)))
    }),
    ("gemma4", |calls| {
        Some(joined(calls, "", |call| {
            format!("<|tool_call>call:{}{}<tool_call|>", call.0, quoted(&call.1))
        }))
    }),
    ("inkling", |calls| {
        let one = |call: &KnownCall| {
            format!(
                "<|message_model|>{}<|content_invoke_tool_json|>{}<|end_message|>",
                call.0,
                json!({ "name": call.0, "args": call.1 })
            )
        };
        Some(joined(calls, "", one) + "<|content_model_end_sampling|>")
    }),
];

fn joined(calls: &[KnownCall], between: &str, one: impl Fn(&KnownCall) -> String) -> String {
    calls.iter().map(one).collect::<Vec<_>>().join(between)
}

fn as_list(calls: &[KnownCall], name: &str, arguments: &str) -> String {
    let list: Vec<Value> =
        calls.iter().map(|(n, given)| json!({ name: n, arguments: given })).collect();
    Value::Array(list).to_string()
}

fn fields(call: &KnownCall) -> impl Iterator<Item = (&String, &Value)> {
    call.1.as_object().into_iter().flatten()
}

/// A value between tags: texts as they are, all else in JSON.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn pairs(call: &KnownCall, one: impl Fn(&str, &str, &str) -> String) -> String {
    let kind = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        Value::Array(_) => "array",
        _ => "object",
    };
    fields(call).map(|(key, value)| one(key, &bare(value), kind(value))).collect()
}

fn keyed(call: &KnownCall, suffix: &str) -> String {
    let given = pairs(call, |k, v, _| {
        format!("<arg_key{suffix}>{k}</arg_key{suffix}><arg_value{suffix}>{v}</arg_value{suffix}>")
    });
    format!("<tool_call{suffix}>{}{given}</tool_call{suffix}>", call.0)
}

fn dsml(calls: &[KnownCall], space: &str, block: &str) -> String {
    let one = |call: &KnownCall| {
        let given = pairs(call, |k, v, kind| {
            let is_text = kind == "string";
            format!(
                "<｜DSML｜{space}parameter name=\"{k}\" string=\"{is_text}\">{v}</｜DSML｜{space}parameter>\n"
            )
        });
        format!("<｜DSML｜{space}invoke name=\"{}\">\n{given}</｜DSML｜{space}invoke>\n", call.0)
    };
    format!("<｜DSML｜{space}{block}>\n{}</｜DSML｜{space}{block}>", joined(calls, "", one))
}

/// Tags within tags, for objects and lists too.
fn element(key: &str, value: &Value) -> String {
    const SIGN: &str = "]<]minimax[>[";
    let inside = match value {
        Value::Object(object) => object.iter().map(|(k, v)| element(k, v)).collect(),
        Value::Array(list) => list.iter().map(|v| element("item", v)).collect(),
        other => bare(other),
    };
    format!("{SIGN}<{key}>{inside}{SIGN}</{key}>")
}

/// Names bare and texts between marks of their own.
fn quoted(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let fields: Vec<String> =
                object.iter().map(|(k, v)| format!("{k}:{}", quoted(v))).collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(quoted).collect::<Vec<_>>().join(","))
        }
        Value::String(text) => format!("<|\"|>{text}<|\"|>"),
        other => other.to_string(),
    }
}

/// A value as Python shows it.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::String(text) => {
            let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
            let text = text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
            format!("{quote}{}{quote}", text.replace(quote, &format!("\\{quote}")))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(python).collect::<Vec<_>>().join(", "))
        }
        Value::Object(object) => {
            let fields: Vec<String> = object
                .iter()
                .map(|(k, v)| format!("{}: {}", python(&json!(k)), python(v)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        number => number.to_string(),
    }
}
