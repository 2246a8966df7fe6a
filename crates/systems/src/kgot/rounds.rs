//! What a round does: calls tools and writes down what they give, or reads the answer.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;

use agent::{FreshQuestion, ToolFailure, answer_call_async};
use futures_util::future::{Either, join_all, select};
use llm::{ToolCall, ToolChoice};
use serde_json::{Value, json};
use trace::{Effects, MistakeKind, StepBody, Stop, ToolError, ToolResult};

use super::controller::{Ask, Controller, Found};
use super::graph::{Read, told};
use super::prompts::{self, Prompt};
use super::replies::{self, OneQuery, Queries, Reason};
use super::tools::{ASK_MODEL, LOOK, RUN_PYTHON, call_key, is_question};
use super::{GRAPH, KgotLanguage, TOOLS};

/// The letters of a tool's result that a prompt has.
const MAX_TOLD: usize = 24_000;
/// The most queries that one reply may have.
const MAX_QUERIES: usize = 40;
/// The most tool calls that one reply may have.
const MAX_CALLS: usize = 12;

impl Controller<'_> {
    /// Finds what is missing, and writes it into the graph.
    pub(super) async fn enhance(&mut self, reasons: BTreeSet<String>) -> Result<(), Stop> {
        let reason = self.merge_reasons(reasons).await?;
        let calls = self.choose_calls(&reason).await?;
        let results = self.carry_out(calls).await?;
        for (call, result) in results {
            self.write_down(&reason, &call, &result).await?;
        }
        Ok(())
    }

    async fn merge_reasons(&mut self, reasons: BTreeSet<String>) -> Result<String, Stop> {
        if reasons.len() < 2 {
            let first = reasons.into_iter().next();
            return Ok(first.unwrap_or_else(|| "something that the task needs".into()));
        }
        let list: Vec<String> = reasons.iter().map(|r| format!("- {r}")).collect();
        let list = list.join("\n");
        let prompt = Prompt::new(self.options.prompts, prompts::MERGE_REASONS)
            .with("Task", &prompts::task_text(self.task))
            .with("What is missing", &list);
        let ask = Ask { function: "merge_reasons", role: GRAPH, prompt };
        let merged: Option<Reason> = self.ask_one(ask, replies::read).await?;
        Ok(merged.map_or(list, |merged| merged.reason))
    }

    async fn choose_calls(&mut self, reason: &str) -> Result<Vec<ToolCall>, Stop> {
        let prompt = self.prompt_with_calls(prompts::CALL_TOOLS).with("What is missing", reason);
        let messages = prompt.messages();
        for attempt in 0..=self.options.max_replies {
            let question = FreshQuestion {
                model: self.model(TOOLS),
                role: TOOLS.id,
                messages: messages.clone(),
                tools: self.specs.clone(),
                temperature: None,
                tool_choice: ToolChoice::Required,
                sample: u64::from(attempt),
            };
            let answer = self.put("choose_tools", &[question]).await?.pop();
            match answer {
                Some(Ok(message)) if !message.tool_calls.is_empty() => {
                    let n = message.tool_calls.len();
                    if n > MAX_CALLS {
                        self.note(format!("of {n} tool calls the first {MAX_CALLS} are made"));
                    }
                    return Ok(message.tool_calls.into_iter().take(MAX_CALLS).collect());
                }
                Some(Ok(_)) | None => {
                    self.findings("choose_tools", "schema", "the reply calls no tool");
                }
                Some(Err(stop)) if stop.is_of_one_reply() => {
                    self.findings("choose_tools", "model", &stop.title());
                }
                Some(Err(stop)) => return Err(stop),
            }
        }
        Ok(Vec::new())
    }

    /// Makes the calls: questions to a model all at the same time, and then the others. A call that was made before, under
    /// the same name with the same arguments, has the result that it had.
    async fn carry_out(
        &mut self,
        calls: Vec<ToolCall>,
    ) -> Result<Vec<(ToolCall, ToolResult)>, Stop> {
        for tool in [ASK_MODEL, LOOK] {
            self.ask_models(tool, &calls).await?;
        }
        let times = self.reach_out(&calls).await?;
        let mut results = Vec::new();
        for call in calls {
            let key = self.key(&call);
            let now = self.talk.now_ms();
            let (began, took) = times.get(&key).copied().unwrap_or((now, 0.0));
            let result = match self.known.get(&key) {
                Some(result) => result.clone(),
                None => refused("schema", "expected {\"question\": \"…\"}".into()),
            };
            let body = StepBody::Call {
                call: call.clone(),
                result: result.clone(),
                effects: Effects::default(),
                told: None,
            };
            self.talk.add_timed(began, took, body);
            let line = format!("{}({})", call.name, call.arguments);
            // What was called before is written down again: a query may have been dropped.
            if !self.called.contains(&line) {
                self.called.push(line);
            }
            self.known.insert(key, result.clone());
            results.push((call, result));
        }
        Ok(results)
    }

    /// Answers the calls of a tool that asks a model, all at the same time.
    async fn ask_models(&mut self, tool: &'static str, calls: &[ToolCall]) -> Result<(), Stop> {
        let (mut keys, mut questions) = (Vec::new(), Vec::new());
        for call in calls.iter().filter(|call| call.name == tool) {
            let key = self.key(call);
            if self.known.contains_key(&key) || keys.contains(&key) {
                continue;
            }
            match self.tools.question(call) {
                None => {}
                Some(Err(ToolFailure { code, message, .. })) => {
                    self.known.insert(key, refused(&code, message));
                }
                Some(Ok(message)) => {
                    keys.push(key);
                    questions.push(FreshQuestion {
                        model: self.model(TOOLS),
                        role: TOOLS.id,
                        messages: vec![message],
                        tools: Vec::new(),
                        temperature: None,
                        tool_choice: ToolChoice::Auto,
                        sample: 0,
                    });
                }
            }
        }
        if questions.is_empty() {
            return Ok(());
        }
        let answers = self.put(tool, &questions).await?;
        for (key, answer) in keys.into_iter().zip(answers) {
            let result = match answer {
                Ok(message) => ToolResult::Value {
                    value: json!({ "answer": message.content }),
                    notes: Vec::new(),
                },
                Err(stop @ Stop::ModelFailed { .. }) => refused("model_failed", stop.title()),
                Err(stop) if stop.is_of_one_reply() => refused("model_failed", stop.title()),
                Err(stop) => return Err(stop),
            };
            self.known.insert(key, result);
        }
        Ok(())
    }

    /// Calls the tools that were not called yet, all at the same time, and gives when each began and
    /// what it took.
    async fn reach_out(
        &mut self,
        calls: &[ToolCall],
    ) -> Result<BTreeMap<String, (f64, f64)>, Stop> {
        self.tools.sees(self.graph.now());
        let mut open: Vec<(String, &ToolCall)> = Vec::new();
        for call in calls.iter().filter(|call| !is_question(&call.name)) {
            let key = self.key(call);
            if !self.known.contains_key(&key) && open.iter().all(|(known, _)| *known != key) {
                open.push((key, call));
            }
        }
        let answers = {
            let (tools, specs, talk) = (&self.tools, &self.specs, &self.talk);
            let answers = open.iter().map(|(_, call)| async move {
                let began = talk.now_ms();
                let result = answer_call_async(tools, specs, call).await.0;
                (began, talk.now_ms() - began, result)
            });
            let stopped = pin!(self.setting.cancel.cancelled());
            match select(stopped, pin!(join_all(answers))).await {
                Either::Left(_) => return Err(Stop::Cancelled),
                Either::Right((answers, _)) => answers,
            }
        };
        let mut times = BTreeMap::new();
        for ((key, _), (began, took, result)) in open.into_iter().zip(answers) {
            times.insert(key.clone(), (began, took));
            let result = self.talk.clean_result(result).await;
            self.known.insert(key, result);
        }
        Ok(times)
    }

    /// The same for the same call; Python reads the graph, and so is another call once that grew.
    fn key(&self, call: &ToolCall) -> String {
        let key = call_key(&call.name, &call.arguments);
        if call.name == RUN_PYTHON {
            return format!("{key} {}", self.graph.states().len());
        }
        key
    }

    /// Asks for the queries that write down what a tool gave, and carries them out.
    async fn write_down(
        &mut self,
        reason: &str,
        call: &ToolCall,
        result: &ToolResult,
    ) -> Result<(), Stop> {
        if matches!(result, ToolResult::Error(_)) {
            return Ok(());
        }
        let mut text: String = result.to_model_text().chars().take(MAX_TOLD + 1).collect();
        if text.chars().count() > MAX_TOLD {
            text = text.chars().take(MAX_TOLD).collect();
            text.push_str("… (cut)");
        }
        let information = format!("{}({}) gave:\n{text}", call.name, call.arguments);
        let prompt = self
            .prompt(&prompts::write(self.options.language))
            .with("What is missing", reason)
            .with("New information", &information);
        let ask = Ask { function: "write_queries", role: GRAPH, prompt };
        let Some(Queries { queries }) = self.ask_one(ask, replies::read).await? else {
            self.note("no queries could be read; what the tool gave is not written down");
            return Ok(());
        };
        if queries.len() > MAX_QUERIES {
            let n = queries.len();
            self.note(format!("of {n} queries the first {MAX_QUERIES} are carried out"));
        }
        for query in queries.into_iter().take(MAX_QUERIES) {
            self.write(query).await?;
        }
        Ok(())
    }

    /// Carries out a query that writes; one that fails is repaired some times, and then dropped.
    async fn write(&mut self, query: String) -> Result<(), Stop> {
        let language = self.language()?;
        let mut query = query;
        self.hold().await;
        self.outcome.n_queries += 1;
        for attempt in 0..=self.options.max_fixes {
            let began = self.talk.now_ms();
            match self.graph.write(language, &query).await {
                Ok((changes, effects, growth)) => {
                    self.outcome.n_fixed += u64::from(attempt > 0);
                    let value = told(&changes);
                    let result = ToolResult::Value { value, notes: Vec::new() };
                    self.add_query(began, "write_graph", &query, result, effects).await;
                    if !changes.is_empty() {
                        self.grown(growth);
                    }
                    return Ok(());
                }
                Err(why) => {
                    let result = refused("query", why.clone());
                    self.add_query(began, "write_graph", &query, result, Effects::default()).await;
                    if attempt == self.options.max_fixes {
                        break;
                    }
                    match self.fix(&query, &why).await? {
                        Some(fixed) => query = fixed,
                        None => break,
                    }
                }
            }
        }
        self.outcome.n_dropped += 1;
        self.note("the query is dropped");
        Ok(())
    }

    async fn fix(&mut self, query: &str, why: &str) -> Result<Option<String>, Stop> {
        let prompt = self
            .prompt(&prompts::fix(self.options.language))
            .with("Query", query)
            .with("Error", why);
        let ask = Ask { function: "fix_query", role: GRAPH, prompt };
        let fixed: Option<OneQuery> = self.ask_one(ask, replies::read).await?;
        Ok(fixed.map(|fixed| fixed.query))
    }

    /// Reads what queries give: those that fail are fixed, those that give nothing are written
    /// anew. Results that are equal are one.
    pub(super) async fn solve(&mut self, queries: BTreeSet<String>) -> Result<Vec<Found>, Stop> {
        let mut found: Vec<Found> = Vec::new();
        for query in queries {
            if self.options.language == KgotLanguage::Direct && !looks_like_a_query(&query) {
                keep(&mut found, Found { text: query, support: Vec::new() });
                continue;
            }
            if let Some(read) = self.read(query).await? {
                let name = |id: &kg::property::NodeId| self.graph.name(*id).map(str::to_owned);
                let support = read.nodes.iter().filter_map(name).collect();
                keep(&mut found, Found { text: read.text, support });
            }
        }
        Ok(found)
    }

    async fn read(&mut self, query: String) -> Result<Option<Read>, Stop> {
        let language = self.language()?;
        let mut query = query;
        let (mut n_fixes, mut n_rereads) = (0, 0);
        loop {
            let began = self.talk.now_ms();
            match self.graph.read(language, &query).await {
                Ok(mut read) => {
                    read.text = self.talk.clean_text(read.text).await;
                    let value = serde_json::from_str(&read.text).unwrap_or(Value::Null);
                    let names = read.nodes.iter().filter_map(|id| self.graph.name(*id));
                    let mut effects = Effects::default();
                    effects.touched.nodes = names.map(Into::into).collect();
                    let result = ToolResult::Value { value, notes: Vec::new() };
                    self.add_query(began, "read_graph", &query, result, effects).await;
                    if !read.is_empty() {
                        return Ok(Some(read));
                    }
                    if n_rereads == self.options.max_rereads {
                        return Ok(None);
                    }
                    n_rereads += 1;
                    let prompt =
                        self.prompt(&prompts::reread(self.options.language)).with("Query", &query);
                    let ask = Ask { function: "reread", role: GRAPH, prompt };
                    let next: Option<OneQuery> = self.ask_one(ask, replies::read).await?;
                    match next.map(|next| next.query) {
                        Some(next) if next != query => query = next,
                        _ => return Ok(None),
                    }
                }
                Err(why) => {
                    let result = refused("query", why.clone());
                    self.add_query(began, "read_graph", &query, result, Effects::default()).await;
                    if n_fixes == self.options.max_fixes {
                        return Ok(None);
                    }
                    n_fixes += 1;
                    match self.fix(&query, &why).await? {
                        Some(fixed) => query = fixed,
                        None => return Ok(None),
                    }
                }
            }
        }
    }

    /// The rounds are used up: what comes nearest.
    pub(super) async fn force(&mut self) -> Result<Vec<Found>, Stop> {
        let prompt = self.prompt(&prompts::forced(self.options.language));
        let ask = Ask { function: "forced_query", role: GRAPH, prompt };
        let votes = self.options.votes.max(1);
        let temperature = (votes > 1).then_some(self.options.vote_temperature);
        let queries: Vec<OneQuery> = self.ask_many(ask, votes, temperature, replies::read).await?;
        self.solve(queries.into_iter().map(|query| query.query).collect()).await
    }

    /// A query as the trace has it.
    pub(super) fn query_call(&self, name: &str, query: &str) -> ToolCall {
        let n = self.talk.trace().steps.len();
        ToolCall {
            id: format!("query_{n}"),
            name: name.to_owned(),
            arguments: json!({ "query": query }).to_string(),
        }
    }

    async fn add_query(
        &mut self,
        began: f64,
        name: &str,
        query: &str,
        result: ToolResult,
        effects: Effects,
    ) {
        let call = self.query_call(name, query);
        let body = StepBody::Call { call, result, effects, told: None };
        let took = self.talk.now_ms() - began;
        self.talk.add_clean(began, took, body).await;
    }
}

fn keep(found: &mut Vec<Found>, new: Found) {
    if !found.iter().any(|known| known.text == new.text) {
        found.push(new);
    }
}

fn refused(code: &str, message: String) -> ToolResult {
    let kind = MistakeKind::Library;
    ToolResult::Error(ToolError { kind, code: code.into(), message, witness: None })
}

/// In direct retrieval the reply is the answer, but for one that is a query after all.
fn looks_like_a_query(text: &str) -> bool {
    let start: String = text.chars().take(20).collect::<String>().to_uppercase();
    ["MATCH", "SELECT", "COUNT", "RETURN"].iter().any(|word| start.contains(word))
}
