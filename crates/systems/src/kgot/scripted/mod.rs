//! Scripts in the place of models: a program that knows how each task of our set is solved, and the
//! same with faults. They test the controller; what they score says nothing about the method.

mod facts;
mod faults;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, ToolCall,
    Usage, Watch,
};
use serde_json::{Value, json};
use tasks::kgot::{KgotCalculation, KgotSolution};

use super::{KgotLanguage, prompts, tools};

pub use faults::Faulty;

/// A script that knows the tasks of some seeds.
pub struct KgotScript {
    known: Vec<Known>,
}

struct Known {
    question: String,
    answer: String,
    solution: KgotSolution,
}

impl KgotScript {
    /// The script for the tasks of these seeds.
    pub fn new(seeds: impl IntoIterator<Item = u64>) -> Self {
        let solved = seeds.into_iter().flat_map(tasks::kgot::solved);
        let known = solved.map(|(case, solution)| Known {
            question: case.question,
            answer: case.answer,
            solution,
        });
        Self { known: known.collect() }
    }

    /// The task of a text. Where several have its question, the one whose values stand there.
    fn find(&self, text: &str, seen: &str) -> Option<&Known> {
        let asked = || self.known.iter().filter(|known| text.contains(&known.question));
        let has_all = |known: &&Known| known.solution.values.iter().all(|v| seen.contains(v));
        asked().find(has_all).or_else(|| asked().next())
    }

    fn answer(&self, request: &ChatRequest) -> Message {
        if request.messages.first().is_some_and(|m| m.role == Role::System) {
            return self.without_graph(request);
        }
        let text = request.messages.first().map_or("", |m| m.content.as_str());
        let Some(Known { solution, .. }) = self.find(text, part(text, "Graph")) else {
            return Message::assistant("I know only the tasks of the set.");
        };
        let has = |tool: &str| request.tools.iter().any(|t| t.name == tool);
        if has("read_file") {
            return read_files(solution, text);
        }
        if has(tools::CALCULATE) {
            return calculate(solution, text);
        }
        Message::assistant(reply(solution, text).to_string())
    }

    /// Reads the files, and then says what it knows.
    fn without_graph(&self, request: &ChatRequest) -> Message {
        let text = |role: Role| -> String {
            let of = request.messages.iter().filter(|m| m.role == role);
            of.map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
        };
        let read = text(Role::Tool);
        let Some(known) = self.find(&text(Role::User), &read) else {
            return Message::assistant("I know only the tasks of the set.");
        };
        if read.is_empty() {
            return read_files(&known.solution, "");
        }
        Message::assistant(format!("FINAL ANSWER: {}", known.answer))
    }
}

impl Model for KgotScript {
    fn label(&self) -> String {
        "Scripted model".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let message = self.answer(request);
        let finish = if message.tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        Box::pin(async move { Ok(ChatResponse { message, finish, usage: Usage::default() }) })
    }
}

/// The part of a prompt of that name, in either form.
fn part<'t>(text: &'t str, name: &str) -> &'t str {
    let tag = name.to_lowercase().replace(' ', "_");
    let xml = text
        .rsplit_once(&format!("<{tag}>\n"))
        .and_then(|(_, rest)| rest.split_once(&format!("\n</{tag}>")));
    let markdown =
        text.rsplit_once(&format!("## {name}\n\n")).map(|(_, rest)| match rest.find("\n\n## ") {
            Some(end) => (&rest[..end], ""),
            None => (rest, ""),
        });
    xml.or(markdown).map_or("", |(inner, _)| inner)
}

fn language(text: &str) -> KgotLanguage {
    if text.contains("SPARQL") {
        KgotLanguage::Sparql
    } else if text.starts_with(&prompts::vote(KgotLanguage::Direct))
        || text.starts_with(&prompts::forced(KgotLanguage::Direct))
    {
        KgotLanguage::Direct
    } else {
        KgotLanguage::Cypher
    }
}

fn read_files(solution: &KgotSolution, text: &str) -> Message {
    let graph = part(text, "Graph");
    let sparql = graph.contains("> <:");
    let missing = solution.sources.iter().filter(|file| !facts::are_there(file, graph, sparql));
    let calls = missing.enumerate().map(|(i, file)| ToolCall {
        id: format!("call_{i}"),
        name: "read_file".into(),
        arguments: json!({ "file": file }).to_string(),
    });
    Message { tool_calls: calls.collect(), ..Message::assistant("") }
}

fn reply(solution: &KgotSolution, text: &str) -> Value {
    let language = language(text);
    let sparql = language == KgotLanguage::Sparql;
    let query = if sparql { &solution.sparql } else { &solution.cypher };
    let begins = |prompt: &str| text.starts_with(prompt);
    if begins(&prompts::vote(language)) {
        let graph = part(text, "Graph");
        let missing: Vec<&str> = solution
            .sources
            .iter()
            .filter(|file| !facts::are_there(file, graph, sparql))
            .copied()
            .collect();
        if missing.is_empty() {
            let query = match language {
                KgotLanguage::Direct => solution.values.join(", "),
                _ => query.clone(),
            };
            return json!({ "query_type": "RETRIEVE", "query": query });
        }
        let reason = format!("The graph does not have what {} says.", missing.join(" and "));
        return json!({ "query_type": "INSERT", "query": reason });
    }
    if begins(prompts::MERGE_REASONS) {
        return json!({ "reason": part(text, "What is missing").replace("- ", "") });
    }
    if begins(&prompts::write(language)) {
        return json!({ "queries": facts::queries_of(part(text, "New information"), sparql) });
    }
    if begins(&prompts::fix(language)) {
        let failed = part(text, "Query");
        return json!({ "query": facts::corrected(failed, query) });
    }
    if begins(&prompts::reread(language)) || begins(&prompts::forced(KgotLanguage::Cypher)) {
        return json!({ "query": query });
    }
    if begins(&prompts::forced(language)) {
        return json!({ "query": if language == KgotLanguage::Direct { solution.values.join(", ") } else { query.clone() } });
    }
    if begins(prompts::NEEDS_MATHS) {
        return json!({ "needs_calculation": solution.calculation.is_some() });
    }
    if begins(prompts::ANSWER) {
        return json!({ "solution": answer(part(text, "What was found"), solution) });
    }
    if begins(prompts::CHOOSE) {
        let first = part(text, "Answers").lines().next().unwrap_or_default();
        return json!({ "solution": first.trim_start_matches("- ") });
    }
    json!({ "solution": solution.values.join(", ") })
}

/// The values of a result in their order: those of rows, or of a list in words.
fn values(result: &str) -> Vec<String> {
    match serde_json::from_str::<Value>(result.split("\n\n").next().unwrap_or(result)) {
        Ok(Value::Array(rows)) => rows
            .iter()
            .flat_map(|row| row.as_object().into_iter().flat_map(|row| row.values()))
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect(),
        _ => result.split(", ").map(str::to_owned).collect(),
    }
}

fn calculate(solution: &KgotSolution, text: &str) -> Message {
    let numbers: Vec<String> = values(part(text, "What was found"))
        .into_iter()
        .filter(|value| value.parse::<f64>().is_ok())
        .collect();
    let list = numbers.join(", ");
    let expression = match solution.calculation {
        Some(KgotCalculation::Sum) => format!("sum({list})"),
        Some(KgotCalculation::Difference) => format!("abs({})", numbers.join(" - ")),
        Some(KgotCalculation::Mean) => format!("round(mean({list}), 1)"),
        Some(KgotCalculation::Percent) => format!("round(100 * {})", numbers.join(" / ")),
        None => list,
    };
    let call = ToolCall {
        id: "call_0".into(),
        name: tools::CALCULATE.into(),
        arguments: json!({ "expression": expression }).to_string(),
    };
    Message { tool_calls: vec![call], ..Message::assistant("") }
}

fn answer(found: &str, solution: &KgotSolution) -> String {
    if solution.calculation.is_some()
        && let Some((_, told)) = found.rsplit_once(" gave ")
        && let Ok(Value::Object(told)) = serde_json::from_str(told)
        && let Some(Value::String(value)) = told.get("result")
    {
        return value.clone();
    }
    values(found).join(", ")
}
