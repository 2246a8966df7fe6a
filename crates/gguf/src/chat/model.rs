//! A loaded model as one that answers conversations.

use decoding::{Beat, Draw, RunStats, per_second};
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, Usage,
    Watch,
};

use super::calls::Shown;
use super::generation::Step;
use super::{LocalModel, locked};
use crate::GgufError;
use crate::network::BATCH;
use crate::template::Prompt;
use crate::tokenizer::Detokenizer;

/// A loaded model for one run, with whom it asks between tokens.
#[derive(Clone, Copy)]
pub struct Answering<'a> {
    model: &'a LocalModel,
    beat: &'a dyn Beat,
    draw: Draw,
}

impl From<GgufError> for ModelError {
    fn from(error: GgufError) -> Self {
        match error {
            GgufError::Overflow { limit, .. } | GgufError::TooLong { limit } => {
                Self::ContextOverflow {
                    message: error.to_string(),
                    limit: Some(limit as u64),
                    hint: "; load the model with a longer context, or shorten the conversation"
                        .to_owned(),
                }
            }
            GgufError::Stopped => Self::Cancelled,
            other => Self::Local { reason: other.to_string() },
        }
    }
}

/// Where the first of some texts begins.
fn stop_in(text: &str, stop: &[String]) -> Option<usize> {
    stop.iter().filter(|s| !s.is_empty()).filter_map(|s| text.find(s.as_str())).min()
}

/// How many tokens of a prompt go through a layer before whoever may stop it is asked.
struct Batches {
    /// Tokens of the batch that is under way.
    size: usize,
    /// Tokens that fit, by the slowest layer of the batch so far.
    fit: f64,
    begun: Option<f64>,
    /// What a layer may take, in milliseconds; none where nobody minds.
    most_ms: Option<f64>,
}

impl Batches {
    /// Tokens of the first batch, of which nobody knows how long it takes.
    const FIRST: usize = 4;

    fn new(begun: Option<f64>, most_ms: Option<f64>) -> Self {
        let adapts = begun.is_some() && most_ms.is_some();
        let size = if adapts { Self::FIRST } else { BATCH };
        Self { size, fit: f64::INFINITY, begun, most_ms }
    }

    fn adapt(&mut self, now: Option<f64>) {
        if let (Some(begun), Some(now), Some(most_ms)) = (self.begun, now, self.most_ms) {
            let took = (now - begun).max(0.1);
            self.fit = self.fit.min(self.size as f64 * most_ms / took);
        }
    }

    /// The size of the next batch.
    fn next(&mut self) {
        // No more than twice as many at once: the first batch warms up what the others find warm.
        self.size = (self.fit.min(2.0 * self.size as f64) as usize).clamp(1, BATCH);
        self.fit = f64::INFINITY;
    }
}

/// A conversation with its tools in words, as Hermes' prompt has them: what a model gets whose template
/// has no place for tools, where [`LocalOptions::describes_tools`] is set.
///
/// [`LocalOptions::describes_tools`]: crate::LocalOptions::describes_tools
pub fn described(request: &ChatRequest) -> Vec<Message> {
    let mut rules = String::from(
        "You may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n",
    );
    for tool in &request.tools {
        let tool = serde_json::json!({ "type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        } });
        rules.push_str(&format!("{tool}\n"));
    }
    rules.push_str("</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>");
    let mut messages = request.messages.clone();
    match messages.first_mut() {
        Some(first) if first.role == Role::System => {
            first.content = format!("{}\n\n{rules}", first.content);
        }
        _ => messages.insert(0, Message::system(rules)),
    }
    messages
}

impl<'a> Answering<'a> {
    pub(super) fn new(model: &'a LocalModel, beat: &'a dyn Beat) -> Self {
        Self { model, beat, draw: model.options.draw }
    }

    /// The same, with another way to draw tokens where a request does not say it.
    pub fn with_draw(self, draw: Draw) -> Self {
        Self { draw, ..self }
    }

    async fn go_on(&self) -> Result<(), GgufError> {
        if self.beat.go_on().await { Ok(()) } else { Err(GgufError::Stopped) }
    }

    async fn answer(
        &self,
        request: &ChatRequest,
        watch: &dyn Watch,
    ) -> Result<ChatResponse, GgufError> {
        // Whoever asked may have gone while others were answered.
        self.go_on().await?;
        let (model, options) = (self.model, &self.model.options);
        let knows_tools = model.template.knows_tools();
        let is_described = !knows_tools && options.describes_tools && !request.tools.is_empty();
        let has_tools = !request.tools.is_empty() && (knows_tools || is_described);
        let with_tools = is_described.then(|| described(request));
        let prompt = model.prompt(&Prompt {
            messages: with_tools.as_deref().unwrap_or(&request.messages),
            tools: if knows_tools { &request.tools } else { &[] },
            now_s: self.beat.today_s(),
        })?;
        let room = request.max_tokens.map_or(options.max_tokens, |n| n as usize);
        let draw = Draw {
            temperature: request.temperature.map_or(self.draw.temperature, |t| t as f32),
            seed: request.seed.unwrap_or(self.draw.seed),
            ..self.draw
        };
        let mut generation = model.start(prompt, room, draw)?;
        if has_tools && !request.tool_choice.is_auto() {
            let grammars = model.grammars()?;
            generation.constrain(grammars.call(&request.tools, model.template.call_form())?);
        } else if let Some(shape) = &request.reply_shape {
            generation.keep_to(shape)?;
        }
        let begun = self.beat.now_ms();
        self.go_on().await?;
        let mut batch = Batches::new(begun, self.beat.patience_ms());
        loop {
            let step = generation.step(batch.size);
            if step == Step::End {
                break;
            }
            batch.adapt(self.beat.now_ms());
            if step == Step::Batch {
                self.beat.read(generation.n_read(), generation.n_prompt());
                batch.next();
            }
            self.go_on().await?;
            batch.begun = self.beat.now_ms();
        }
        let prefilled = self.beat.now_ms();
        let mut shown = Shown::new(has_tools);
        let mut text = Detokenizer::default();
        let mut finish = FinishReason::Length;
        // What was said, where the request names texts before which it ends.
        let mut said = String::new();
        while let Some(token) = generation.draw() {
            if model.tokenizer.is_end(token) {
                finish = FinishReason::Stop;
                break;
            }
            let piece = text.push(&model.tokenizer, token);
            if !request.stop.is_empty() {
                said.push_str(&piece);
                if stop_in(&said, &request.stop).is_some() {
                    finish = FinishReason::Stop;
                    break;
                }
            }
            shown.push(&piece, watch);
            generation.push(token);
            self.go_on().await?;
        }
        if let Some(fault) = generation.fault() {
            return Err(fault.clone());
        }
        let rest = text.finish();
        shown.push(&rest, watch);
        let ended = self.beat.now_ms();
        let serial = request.messages.iter().map(|m| m.tool_calls.len()).sum();
        let mut answer = shown.finish(serial, watch);
        if let Some(at) = stop_in(&answer.text, &request.stop) {
            answer.text.truncate(at);
        }
        if !answer.calls.is_empty() {
            finish = FinishReason::ToolCalls;
        }
        let (n_prompt, n_cached) = (generation.n_prompt(), generation.n_cached());
        let n_output = generation.n_drawn();
        *locked(&model.stats) = Some(RunStats {
            n_prompt,
            n_cached,
            n_output,
            prefill_per_s: per_second(n_prompt - n_cached, begun, prefilled),
            decode_per_s: per_second(n_output, prefilled, ended),
            n_context: generation.n_context(),
            n_ctx: options.n_ctx,
        });
        Ok(ChatResponse {
            message: Message { tool_calls: answer.calls, ..Message::assistant(answer.text) },
            finish,
            usage: Usage {
                input_tokens: Some(n_prompt as u64),
                output_tokens: Some(n_output as u64),
                cached_tokens: Some(n_cached as u64),
                reasoning_tokens: None,
            },
        })
    }
}

impl Model for Answering<'_> {
    fn label(&self) -> String {
        self.model.label()
    }

    fn constrains(&self) -> bool {
        true
    }

    fn complete<'b>(
        &'b self,
        request: &'b ChatRequest,
        watch: &'b dyn Watch,
    ) -> BoxFuture<'b, Result<ChatResponse, ModelError>> {
        Box::pin(async move { Ok(self.answer(request, watch).await?) })
    }
}

impl Model for LocalModel {
    fn label(&self) -> String {
        format!("{} ({}, on this machine)", self.summary.name, self.summary.quantisation)
    }

    fn constrains(&self) -> bool {
        true
    }

    fn complete<'b>(
        &'b self,
        request: &'b ChatRequest,
        watch: &'b dyn Watch,
    ) -> BoxFuture<'b, Result<ChatResponse, ModelError>> {
        Box::pin(async move { Ok(self.with_beat(&()).answer(request, watch).await?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_takes_no_longer_than_a_stop_may() {
        let mut batch = Batches::new(Some(0.0), Some(50.0));
        let mut now = 0.0;
        // 2 ms a token: 25 of them fit.
        for _ in 0..10 {
            now += 2.0 * batch.size as f64;
            batch.adapt(Some(now));
            batch.next();
            batch.begun = Some(now);
        }
        assert_eq!(batch.size, 25);
        // A machine that is slow now is given less at once, and never nothing.
        batch.adapt(Some(now + 5000.0));
        batch.adapt(Some(now));
        batch.next();
        assert_eq!(batch.size, 1);
        assert_eq!(Batches::new(None, Some(50.0)).size, BATCH);
        assert_eq!(Batches::new(Some(0.0), None).size, BATCH);
    }
}
