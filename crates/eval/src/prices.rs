//! What models cost and how much they read: data that a person can change.
//!
//! What is not known is told as unknown, never as nothing.

use llm::Usage;
use serde::{Deserialize, Serialize};
use systems::experiment::{Cost, Setup};

/// What one model costs, in dollars for a million tokens, and how much it reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Price {
    /// The model's name, or how its names begin.
    pub model: String,
    /// Dollars for a million input tokens.
    pub input: Option<f64>,
    /// Dollars for a million input tokens from the endpoint's cache.
    pub cached: Option<f64>,
    /// Dollars for a million output tokens.
    pub output: Option<f64>,
    /// The context window in tokens.
    pub context: Option<u64>,
}

/// Prices, one row for each model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prices(pub Vec<Price>);

/// Where the browser keeps the table.
pub const PRICES: &str = "graphground.prices";

/// Where the prices that ship come from, and when they were read.
pub const CARD: &str = "From the model pages of platform.claude.com as published in mid-2026. \
                        Prices change: check them before you rely on a sum.";

impl Default for Prices {
    /// Few and sure rather than many and doubtful.
    fn default() -> Self {
        let row = |model: &str, input, cached, output, context| Price {
            model: model.into(),
            input: Some(input),
            cached,
            output: Some(output),
            context: Some(context),
        };
        Self(vec![
            row("claude-sonnet-5", 2.0, Some(0.2), 10.0, 1_000_000),
            row("claude-sonnet-4-5", 3.0, None, 15.0, 200_000),
            row("claude-haiku-4-5", 1.0, None, 5.0, 200_000),
        ])
    }
}

impl Prices {
    /// What is known of a model: the row whose name is the longest beginning of the model's.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let name = model.trim();
        self.0
            .iter()
            .filter(|p| !p.model.trim().is_empty() && is_a(name, p.model.trim()))
            .max_by_key(|p| p.model.trim().len())
    }

    /// What a run cost: each role's tokens at the price of its model; `None` where one is not known.
    pub fn of_run(&self, setup: &Setup, cost: &Cost) -> Option<f64> {
        if cost.roles.is_empty() {
            let model = setup.first_model().map_or("", |m| m.model.as_str());
            return self.cost(model, &cost.usage);
        }
        let of = |(role, usage): (&String, &Usage)| {
            let model = setup.model(role).or_else(|| setup.first_model());
            self.cost(model.map_or("", |m| m.model.as_str()), usage)
        };
        cost.roles.iter().map(of).sum()
    }

    /// What a run cost in dollars; `None` where tokens or prices are not known.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<f64> {
        let price = self.of(model)?;
        let (read, written) = (usage.input_tokens?, usage.output_tokens?);
        let cached = usage.cached_tokens.unwrap_or(0).min(read);
        // Without a price for the cache, what came from it is counted in full: rather too much.
        let of_cache = price.cached.or(price.input)?;
        let millions = (read - cached) as f64 * price.input?
            + cached as f64 * of_cache
            + written as f64 * price.output?;
        Some(millions / 1e6)
    }
}

/// Whether a model is the one of that name, or a dated version of it.
fn is_a(model: &str, name: &str) -> bool {
    let model = model.rsplit('/').next().unwrap_or(model);
    let name = name.rsplit('/').next().unwrap_or(name);
    let Some(rest) = model.strip_prefix(name) else { return false };
    // `claude-sonnet-5-5` is another model than `claude-sonnet-5`; a date or a tag is not.
    let version = rest.trim_start_matches(['-', '@', ':']);
    rest.is_empty()
        || version == "latest"
        || (rest.len() > version.len()
            && version.len() >= 8
            && version.chars().all(|c| c.is_ascii_digit() || c == '-'))
}

/// A sum for people.
pub fn dollars(sum: Option<f64>) -> String {
    match sum {
        None => "cost unknown".into(),
        Some(sum) if sum > 0.0 && sum < 0.0001 => "less than $0.0001".into(),
        Some(sum) => format!("${sum:.4}"),
    }
}

/// Reads a price that a person typed: empty is unknown.
///
/// # Errors
/// It is no price.
pub fn read_price(text: &str) -> Result<Option<f64>, String> {
    let text = text.trim().trim_start_matches('$');
    if text.is_empty() || text.eq_ignore_ascii_case("unknown") {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(price) if price.is_finite() && (0.0..=1e6).contains(&price) => Ok(Some(price)),
        _ => Err(format!("{text:?} is no price: give dollars for a million tokens, or nothing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: Option<u64>, output: Option<u64>, cached: Option<u64>) -> Usage {
        Usage {
            input_tokens: input,
            output_tokens: output,
            cached_tokens: cached,
            reasoning_tokens: None,
        }
    }

    #[test]
    fn what_is_unknown_is_never_nothing() {
        let prices = Prices::default();
        let known = usage(Some(1000), Some(1000), None);
        assert_eq!(prices.cost("some-model", &known), None);
        assert_eq!(prices.cost("claude-sonnet-5", &usage(Some(1000), None, None)), None);
        let no_output =
            Prices(vec![Price { model: "m".into(), input: Some(1.0), ..Price::default() }]);
        assert_eq!(no_output.cost("m", &known), None);
        assert_eq!(dollars(None), "cost unknown");
    }

    #[test]
    fn a_sum_counts_the_cache_apart() {
        let prices = Prices::default();
        let sum =
            prices.cost("claude-sonnet-5", &usage(Some(1_000_000), Some(100_000), Some(500_000)));
        // 0.5 M at 2, 0.5 M at 0.2, 0.1 M at 10.
        assert!((sum.unwrap() - 2.1).abs() < 1e-9, "{sum:?}");
        assert_eq!(dollars(sum), "$2.1000");
    }

    #[test]
    fn a_dated_name_is_the_model_and_another_version_is_not() {
        let prices = Prices::default();
        let of = |name| prices.of(name).map(|p| p.model.as_str());
        assert_eq!(of("claude-haiku-4-5-20251001"), Some("claude-haiku-4-5"));
        assert_eq!(of("anthropic/claude-sonnet-5"), Some("claude-sonnet-5"));
        assert_eq!(of("claude-sonnet-5-5"), None);
        assert_eq!(of("claude-sonnet-50"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn prices_that_are_typed_are_read() {
        assert_eq!(read_price(" $2.50 "), Ok(Some(2.5)));
        assert_eq!(read_price("unknown"), Ok(None));
        assert_eq!(read_price("0"), Ok(Some(0.0)));
        for bad in ["-1", "nan", "inf", "two", "1e9"] {
            assert!(read_price(bad).is_err(), "{bad}");
        }
    }
}
