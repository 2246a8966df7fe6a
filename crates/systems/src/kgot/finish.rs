//! From results to the answer.

use std::collections::BTreeSet;

use agent::{FreshQuestion, ToolSet, answer_call};
use llm::ToolChoice;
use trace::{Effects, StepBody, Stop, ToolResult};

use super::GRAPH;
use super::controller::{Ask, Controller, Found};
use super::prompts::{self, Prompt};
use super::replies::{self, NeedsMaths};
use super::tools::{CALCULATE, Maths};

impl Controller<'_> {
    /// Makes the answer of results that all differ. The public code formats each three times and
    /// asks once more, 13 to 26 questions; here each is formatted once, and the last question comes
    /// only where answers differ.
    pub(super) async fn finish(&mut self, found: Vec<Found>) -> Result<String, Stop> {
        let n_before = self.talk.trace().n_rounds();
        let mut answers: Vec<(String, Vec<String>)> = Vec::new();
        for result in found {
            let text = self.calculated(&result.text).await?;
            let prompt = self.prompt_of_result(prompts::ANSWER, &text);
            let ask = Ask { function: "parse_solution", role: GRAPH, prompt };
            let n = self.options.answers.max(1);
            let temperature = (n > 1).then_some(self.options.vote_temperature);
            for answer in self.ask_many(ask, n, temperature, replies::solution).await? {
                if !answer.is_empty() && !answers.iter().any(|(known, _)| *known == answer) {
                    answers.push((answer, result.support.clone()));
                }
            }
        }
        if answers.is_empty() {
            self.outcome.is_forced = true;
            let prompt = self.prompt(prompts::GUESS);
            let ask = Ask { function: "forced_solution", role: GRAPH, prompt };
            let guess = self.ask_one(ask, replies::solution).await?;
            answers.extend(guess.map(|guess| (guess, Vec::new())));
        }
        let answer = if answers.len() > 1 { self.choose(&answers).await? } else { None };
        let answer = answer.or_else(|| answers.first().cloned());
        self.outcome.n_finishing = (self.talk.trace().n_rounds() - n_before) as u64;
        let (answer, support) = answer.unwrap_or_default();
        self.outcome.support = support;
        Ok(answer)
    }

    fn prompt_of_result(&self, instruction: &str, result: &str) -> Prompt {
        Prompt::new(self.options.prompts, instruction)
            .with("Task", &prompts::task_text(self.task))
            .with("What was found", result)
    }

    /// The result, with what was calculated from it where that is needed.
    async fn calculated(&mut self, result: &str) -> Result<String, Stop> {
        if !self.options.maths {
            return Ok(result.to_owned());
        }
        let prompt = self.prompt_of_result(prompts::NEEDS_MATHS, result);
        let ask = Ask { function: "need_for_maths", role: GRAPH, prompt };
        let needs: Option<NeedsMaths> = self.ask_one(ask, replies::read).await?;
        if !needs.is_some_and(|needs| needs.needs_calculation) {
            return Ok(result.to_owned());
        }
        let mut tools = Maths;
        let specs = tools.specs();
        let mut prompt = self.prompt_of_result(prompts::CALCULATE, result).messages();
        for attempt in 0..=self.options.max_fixes {
            let question = FreshQuestion {
                model: self.model(GRAPH),
                role: GRAPH.id,
                messages: prompt.clone(),
                tools: specs.clone(),
                temperature: None,
                tool_choice: ToolChoice::Required,
                sample: u64::from(attempt),
            };
            let answer = self.put("calculate", &[question]).await?.pop();
            let message = match answer {
                Some(Ok(message)) => message,
                Some(Err(stop)) if stop.is_of_one_reply() => {
                    self.findings("calculate", "model", &stop.title());
                    continue;
                }
                Some(Err(stop)) => return Err(stop),
                None => break,
            };
            let Some(call) = message.tool_calls.iter().find(|call| call.name == CALCULATE) else {
                self.findings("calculate", "schema", "the reply does not call calculate");
                continue;
            };
            let began = self.talk.now_ms();
            let (outcome, effects, told) = answer_call(&mut tools, &specs, call);
            let text = outcome.to_model_text();
            let is_error = matches!(outcome, ToolResult::Error(_));
            debug_assert_eq!(effects, Effects::default());
            self.talk
                .add(began, StepBody::Call { call: call.clone(), result: outcome, effects, told });
            if is_error {
                prompt.truncate(1);
                let words = format!("{} failed: {text}. Call it again.", call.arguments);
                prompt.push(llm::Message::user(words));
                continue;
            }
            return Ok(format!("{result}\n\ncalculate({}) gave {text}", call.arguments));
        }
        self.note("nothing was calculated");
        Ok(result.to_owned())
    }

    /// One of several answers, by the model; nothing where it names none of them.
    async fn choose(
        &mut self,
        answers: &[(String, Vec<String>)],
    ) -> Result<Option<(String, Vec<String>)>, Stop> {
        let list: BTreeSet<String> = answers.iter().map(|(a, _)| format!("- {a}")).collect();
        let list: Vec<String> = list.into_iter().collect();
        let prompt = Prompt::new(self.options.prompts, prompts::CHOOSE)
            .with("Task", &prompts::task_text(self.task))
            .with("Answers", &list.join("\n"));
        let ask = Ask { function: "define_final_solution", role: GRAPH, prompt };
        let chosen = self.ask_one(ask, replies::solution).await?;
        let same = |chosen: &str| {
            answers.iter().find(|(a, _)| a.eq_ignore_ascii_case(chosen.trim())).cloned()
        };
        Ok(chosen.and_then(|chosen| same(&chosen).or(Some((chosen, Vec::new())))))
    }
}
