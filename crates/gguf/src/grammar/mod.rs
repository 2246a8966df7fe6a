//! Which tokens may come next, where a reply has to keep to a schema, to a grammar, or to a call of
//! one of some tools.

mod environment;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use llguidance::api::{GrammarWithLexer, TopLevelGrammar};
use llguidance::toktrie::{InferenceCapabilities, SimpleVob, TokEnv};
use llguidance::{Matcher, ParserFactory};
use llm::{ReplyShape, ToolSpec};
use serde_json::{Value, json};

use crate::GgufError;
use crate::tokenizer::ModelTokenizer;
use environment::Environment;

/// The most bytes of a schema or a grammar.
const MAX_GRAMMAR: usize = 1 << 20;
/// The most levels of a schema.
const MAX_DEPTH: usize = 64;

fn failed(reason: impl std::fmt::Display) -> GgufError {
    let reason = reason.to_string();
    // What follows the first line is the whole grammar.
    GgufError::Grammar { reason: reason.lines().next().unwrap_or_default().to_owned() }
}

/// How calls stand in the text of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// Hermes' `<tool_call>` around an object with `name` and `arguments`.
    Hermes,
    /// The bare object of llama 3, with `name` and `parameters`.
    Bare,
}

/// What makes grammars for a model; it is made once, because it walks through the whole vocabulary.
pub(crate) struct Grammars {
    factory: ParserFactory,
}

impl std::fmt::Debug for Grammars {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grammars").finish_non_exhaustive()
    }
}

fn depth(value: &Value) -> usize {
    // Without recursion: a schema may come from anywhere.
    let mut most = 0;
    let mut left = vec![(value, 1)];
    while let Some((value, n)) = left.pop() {
        most = most.max(n);
        match value {
            Value::Array(all) => left.extend(all.iter().map(|v| (v, n + 1))),
            Value::Object(all) => left.extend(all.values().map(|v| (v, n + 1))),
            _ => {}
        }
    }
    most
}

/// A schema with how its JSON is written: with one space behind commas and colons, as Python does
/// it, and no other. A model that may write spaces can write them without end.
fn written(mut schema: Value) -> Value {
    if let Some(map) = schema.as_object_mut() {
        let how = json!({
            "whitespace_flexible": false, "item_separator": ", ", "key_separator": ": ",
            // The alternatives of what derives its schema exclude one another.
            "coerce_one_of": true,
        });
        map.insert("x-guidance".to_owned(), how);
    }
    schema
}

fn of_shape(shape: &ReplyShape) -> Result<TopLevelGrammar, GgufError> {
    match shape {
        ReplyShape::Schema(schema) => {
            if schema.to_string().len() > MAX_GRAMMAR || depth(schema) > MAX_DEPTH {
                return Err(failed(format!(
                    "the schema has more than {MAX_GRAMMAR} bytes, or is more than {MAX_DEPTH} deep"
                )));
            }
            Ok(TopLevelGrammar::from_json_schema(written(schema.clone())))
        }
        ReplyShape::Grammar(grammar) => {
            if !grammar.has_texts() {
                return Err(failed("no text is of it"));
            }
            let regex = grammar.regex();
            if regex.len() > MAX_GRAMMAR {
                return Err(failed(format!("it has more than {MAX_GRAMMAR} bytes")));
            }
            Ok(TopLevelGrammar::from_regex(&regex))
        }
    }
}

/// A call of one of some tools, in the form in which the model writes calls.
fn of_calls(tools: &[ToolSpec], form: CallForm) -> Result<TopLevelGrammar, GgufError> {
    let arguments = if form == CallForm::Hermes { "arguments" } else { "parameters" };
    let call = |tool: &ToolSpec| {
        json!({
            "type": "object",
            "properties": { "name": { "const": tool.name }, arguments: tool.parameters },
            "required": ["name", arguments],
            "additionalProperties": false,
        })
    };
    let calls = json!({ "anyOf": tools.iter().map(call).collect::<Vec<_>>() });
    if form == CallForm::Bare {
        return of_shape(&ReplyShape::Schema(calls));
    }
    if calls.to_string().len() > MAX_GRAMMAR || depth(&calls) > MAX_DEPTH {
        return Err(failed("the schemas of the tools are too long or too deep"));
    }
    let lark = format!(
        "start: \"<tool_call>\\n\" call \"\\n</tool_call>\"\ncall: %json {}\n",
        written(calls)
    );
    Ok(TopLevelGrammar::from_grammar(GrammarWithLexer::from_lark(lark)))
}

impl Grammars {
    /// Walks through the vocabulary. O(its bytes).
    pub(crate) fn new(tokenizer: &Arc<ModelTokenizer>) -> Result<Self, GgufError> {
        let environment = Environment::new(Arc::clone(tokenizer))?;
        let environment: TokEnv = Arc::new(environment);
        let able = InferenceCapabilities {
            ff_tokens: environment.tokenize_is_canonical(),
            ..InferenceCapabilities::default()
        };
        let slices = llguidance::earley::SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&environment, able, &slices).map_err(failed)?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }

    fn begin(&self, grammar: TopLevelGrammar) -> Result<Constraint, GgufError> {
        let matcher = Matcher::new(self.factory.create_parser(grammar));
        match matcher.get_error() {
            Some(reason) => Err(failed(reason)),
            None => Ok(Constraint { matcher, forced: VecDeque::new() }),
        }
    }

    /// Begins a reply of some shape.
    ///
    /// # Errors
    /// The schema or the grammar cannot be compiled.
    pub(crate) fn shape(&self, shape: &ReplyShape) -> Result<Constraint, GgufError> {
        self.begin(of_shape(shape)?)
    }

    /// Begins a call of one of some tools.
    ///
    /// # Errors
    /// A schema of arguments cannot be compiled.
    pub(crate) fn call(&self, tools: &[ToolSpec], form: CallForm) -> Result<Constraint, GgufError> {
        self.begin(of_calls(tools, form)?)
    }
}

/// What may come next.
pub(crate) enum Next {
    /// This token, whatever the model thinks.
    Forced(u32),
    /// One of these tokens.
    OneOf(SimpleVob),
    /// Nothing: the reply is whole.
    End,
}

/// A reply that keeps to a grammar, token by token.
pub(crate) struct Constraint {
    matcher: Matcher,
    /// Tokens that follow from those so far.
    forced: VecDeque<u32>,
}

impl std::fmt::Debug for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Constraint").field("forced", &self.forced).finish_non_exhaustive()
    }
}

impl Constraint {
    /// What may come next.
    ///
    /// # Errors
    /// The grammar is too much work at this place.
    pub(crate) fn next(&mut self) -> Result<Next, GgufError> {
        if self.matcher.is_stopped() {
            return match self.matcher.get_error() {
                Some(reason) => Err(failed(reason)),
                None => Ok(Next::End),
            };
        }
        if self.forced.is_empty() {
            self.forced.extend(self.matcher.compute_ff_tokens());
        }
        if let Some(token) = self.forced.front() {
            return Ok(Next::Forced(*token));
        }
        self.matcher.compute_mask().map(Next::OneOf).map_err(failed)
    }

    /// Takes the token that came.
    ///
    /// # Errors
    /// It was none of those that may come.
    pub(crate) fn push(&mut self, token: u32) -> Result<(), GgufError> {
        if self.forced.front() == Some(&token) {
            self.forced.pop_front();
        } else {
            self.forced.clear();
        }
        self.matcher.consume_token(token).map_err(failed)
    }
}
