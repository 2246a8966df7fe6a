//! The tool that calculates.

use agent::{ToolFailure, ToolOutput, ToolSet};
use llm::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{failure, output, read_arguments, spec};

/// How models call it.
pub(in super::super) const CALCULATE: &str = "calculate";

/// The one tool that calculates.
pub(in super::super) struct Maths;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalculateArgs {
    expression: String,
}

impl ToolSet for Maths {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![spec(
            CALCULATE,
            "Calculates: + - * / // % ^ brackets, comparisons, 20% of 50, and functions such as \
             sum(1, 2), mean, median, min, max, round(x, digits), sqrt. Exact for whole numbers and \
             fractions. x = 3; x^2 names a value.",
            json!({
                "expression": { "type": "string", "description": "For example (12 + 30) / 4." },
            }),
            &["expression"],
        )]
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        if name != CALCULATE {
            return Err(failure("unknown_function", format!("there is no function {name}")));
        }
        let CalculateArgs { expression } = read_arguments(arguments)?;
        // Some seconds at most, also in a debug build.
        let limits = maths::MathsLimits { steps: 10_000_000, ..Default::default() };
        let value = maths::evaluate(&expression, &limits)
            .map_err(|error| failure("no_value", error.to_string()))?;
        Ok(output(json!(value.to_string())))
    }
}
