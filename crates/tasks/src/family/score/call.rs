//! What was called, held against the right call.
//!
//! Paper: FamilyTool §6.1 names EM, Tool Acc. and Value Acc. and does not define them; its public
//! code does.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::model::FamilyCall;
use super::{Ruleset, mean};

/// What calls are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallScore {
    /// 1 where the call is right in all.
    pub exact_match: f64,
    /// 1 where the right tool was called.
    pub tool: f64,
    /// The share of parameters that are right.
    pub value: f64,
}

/// Calls of many samples, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallSummary {
    /// The number of samples.
    pub n_samples: usize,
    /// Exact match: the share of calls that are right in whole, 0 to 100.
    pub exact_match: f64,
    /// Tool accuracy: the share of right tools, 0 to 100.
    pub tool: f64,
    /// Value accuracy: the share of right values, 0 to 100.
    pub value: f64,
}

impl CallSummary {
    /// Takes the mean over samples.
    pub fn of(scores: &[CallScore]) -> Self {
        Self {
            n_samples: scores.len(),
            exact_match: mean(scores.iter().map(|s| s.exact_match)),
            tool: mean(scores.iter().map(|s| s.tool)),
            value: mean(scores.iter().map(|s| s.value)),
        }
    }
}

/// Measures the calls that were made against the right ones; no right call means that it is right to
/// call nothing.
///
/// As the public code does: parameters that the right call does not have cost nothing, values are
/// compared as JSON text, a missing one is `null`, and of several calls of one tool the last pair
/// decides. By the other rules calls of other tools and parameters too many cost, `"2"` is 2 and
/// `7:15` is `07:15`, and the order in a list says nothing.
pub fn score_call(gold: &[FamilyCall], made: &[FamilyCall], mode: Ruleset) -> CallScore {
    if gold.is_empty() || (made.is_empty() && mode == Ruleset::Paper) {
        let right = f64::from(gold.is_empty() && made.is_empty());
        return CallScore { exact_match: right, tool: right, value: right };
    }
    match mode {
        Ruleset::Compat => compat(gold, made),
        Ruleset::Paper => strict(gold, made),
    }
}

/// Calls by their tool, each as its stripped parameters.
fn by_tool(calls: &[FamilyCall]) -> BTreeMap<&str, Vec<Map<String, Value>>> {
    let mut all: BTreeMap<&str, Vec<Map<String, Value>>> = BTreeMap::new();
    for call in calls {
        let parameters = call.parameters.iter();
        let stripped = parameters.map(|(k, v)| (k.trim().to_owned(), v.clone())).collect();
        all.entry(call.name.trim()).or_default().push(stripped);
    }
    for of_tool in all.values_mut() {
        of_tool.sort_by_cached_key(|p| serde_json::to_string(p).unwrap_or_default());
    }
    all
}

fn compat(gold: &[FamilyCall], made: &[FamilyCall]) -> CallScore {
    let (gold, made) = (by_tool(gold), by_tool(made));
    let n_named = gold.keys().filter(|name| made.contains_key(*name)).count();
    let (mut n_keys, mut n_right, mut n_whole) = (0usize, 0usize, 0usize);
    for (name, right) in &gold {
        let Some(tried) = made.get(name) else { continue };
        let Some((right, tried)) = right.iter().zip(tried).next_back() else { continue };
        let same = right
            .iter()
            .filter(|(key, value)| text(tried.get(*key).unwrap_or(&Value::Null)) == text(value))
            .count();
        n_keys += right.len();
        n_right += same;
        n_whole += usize::from(same == right.len());
    }
    CallScore {
        exact_match: f64::from(n_whole == gold.len()),
        tool: n_named as f64 / gold.len() as f64,
        value: if n_keys == 0 { 0.0 } else { n_right as f64 / n_keys as f64 },
    }
}

/// A value as JSON text, which tells `1` from `1.0` and keeps the order of fields.
fn text(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn strict(gold: &[FamilyCall], made: &[FamilyCall]) -> CallScore {
    let (gold, made) = (by_tool(gold), by_tool(made));
    let names: BTreeSet<&str> = gold.keys().chain(made.keys()).copied().collect();
    let n_both = gold.keys().filter(|name| made.contains_key(*name)).count();
    let (mut n_keys, mut n_right) = (0usize, 0usize);
    let mut is_whole = gold.keys().eq(made.keys());
    let none = Vec::new();
    for name in gold.keys() {
        let (right, tried) = (&gold[name], made.get(name).unwrap_or(&none));
        is_whole &= right.len() == tried.len();
        for i in 0..right.len().max(tried.len()) {
            let empty = Map::new();
            let (right, tried) = (right.get(i).unwrap_or(&empty), tried.get(i).unwrap_or(&empty));
            let keys: BTreeSet<&String> = right.keys().chain(tried.keys()).collect();
            let is_same = |key: &&&String| match (right.get(**key), tried.get(**key)) {
                (Some(a), Some(b)) => plain(a) == plain(b),
                _ => false,
            };
            n_keys += keys.len();
            n_right += keys.iter().filter(is_same).count();
        }
    }
    is_whole &= n_right == n_keys;
    CallScore {
        exact_match: f64::from(is_whole),
        tool: n_both as f64 / names.len() as f64,
        value: if n_keys == 0 { f64::from(is_whole) } else { n_right as f64 / n_keys as f64 },
    }
}

/// A value without what is only a way of writing it.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let text = text.trim();
            if let Some(time) = time(text) {
                return time.into();
            }
            // A number with a leading zero or sign is a code, such as a telephone number.
            let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                && (!text.starts_with('0') || text == "0" || text.starts_with("0."));
            match text.parse::<f64>() {
                Ok(number) if is_number && number.is_finite() => number.into(),
                _ => text.into(),
            }
        }
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Value::from),
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(plain).collect();
            items.sort_by_cached_key(Value::to_string);
            items.into()
        }
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> =
                fields.iter().map(|(k, v)| (k.trim().to_owned(), plain(v))).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(fields.into_iter().collect())
        }
        other => other.clone(),
    }
}

/// A time of the day such as `7:15`, `07:15` or `7:15 pm`, as `07:15`.
fn time(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (clock, half) = match lower.strip_suffix("am").or(lower.strip_suffix("pm")) {
        Some(clock) => (clock.trim_end(), Some(lower.ends_with("pm"))),
        None => (lower.as_str(), None),
    };
    let (hours, minutes) = clock.split_once(':')?;
    let is_digits = |t: &str| t.chars().all(|c| c.is_ascii_digit());
    if hours.is_empty()
        || hours.len() > 2
        || minutes.len() != 2
        || !is_digits(hours)
        || !is_digits(minutes)
    {
        return None;
    }
    let (mut hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if let Some(is_pm) = half {
        hours = hours % 12 + if is_pm { 12 } else { 0 };
    }
    (hours < 24 && minutes < 60).then(|| format!("{hours:02}:{minutes:02}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, parameters: Value) -> FamilyCall {
        FamilyCall {
            name: name.into(),
            parameters: parameters.as_object().cloned().unwrap_or_default(),
        }
    }

    fn scores(gold: Value, made: Value) -> [(f64, f64, f64); 2] {
        let (gold, made) = ([call("t", gold)], [call("t", made)]);
        Ruleset::ALL.map(|mode| {
            let s = score_call(&gold, &made, mode);
            (s.exact_match, s.tool, s.value)
        })
    }

    #[test]
    fn a_parameter_too_many_costs_by_one_set_of_rules_alone() {
        let [paper, compat] = scores(json!({"a": "x"}), json!({"a": "x", "b": 1}));
        assert_eq!((paper, compat), ((0.0, 1.0, 0.5), (1.0, 1.0, 1.0)));
    }

    #[test]
    fn ways_of_writing_count_by_one_set_of_rules_alone() {
        let pairs = [("2", json!(2)), ("7:15 pm", json!("19:15")), ("1.0", json!(1))];
        for (text, other) in pairs {
            let [paper, compat] = scores(json!({ "a": text }), json!({ "a": other }));
            assert_eq!((paper, compat), ((1.0, 1.0, 1.0), (0.0, 1.0, 0.0)), "{text}");
        }
        let [paper, _] = scores(json!({"phone": "0012"}), json!({"phone": "12"}));
        assert_eq!(paper.0, 0.0);
        let [paper, compat] = scores(json!({"a": ["x", "y"]}), json!({"a": ["y", "x"]}));
        assert_eq!((paper.0, compat.0), (1.0, 0.0));
    }

    #[test]
    fn what_is_missing_is_null_and_no_parameters_are_worth_nothing_in_the_public_code() {
        let [_, compat] = scores(json!({"a": null}), json!({}));
        assert_eq!(compat, (1.0, 1.0, 1.0));
        let [paper, compat] = scores(json!({}), json!({}));
        assert_eq!((paper, compat), ((1.0, 1.0, 1.0), (1.0, 1.0, 0.0)));
    }

    #[test]
    fn calls_of_other_tools_cost_by_one_set_of_rules_alone() {
        let gold = [call("t", json!({"a": 1}))];
        let made = [call("u", json!({})), call(" t ", json!({" a": 1}))];
        let tool = |mode| score_call(&gold, &made, mode);
        assert_eq!((tool(Ruleset::Compat).exact_match, tool(Ruleset::Compat).tool), (1.0, 1.0));
        assert_eq!((tool(Ruleset::Paper).exact_match, tool(Ruleset::Paper).tool), (0.0, 0.5));
    }

    #[test]
    fn nothing_is_right_where_nothing_is_to_be_called() {
        for mode in Ruleset::ALL {
            assert_eq!(score_call(&[], &[], mode).exact_match, 1.0);
            assert_eq!(score_call(&[], &[call("t", json!({}))], mode).exact_match, 0.0);
            assert_eq!(score_call(&[call("t", json!({"a": 1}))], &[], mode).tool, 0.0);
        }
    }

    #[test]
    fn of_several_calls_of_a_tool_the_last_pair_decides_in_the_public_code() {
        let gold = [call("t", json!({"a": 1})), call("t", json!({"a": 2}))];
        let made = [call("t", json!({"a": 9})), call("t", json!({"a": 2}))];
        assert_eq!(score_call(&gold, &made, Ruleset::Compat).value, 0.0);
        let made = [call("t", json!({"a": 0})), call("t", json!({"a": 2}))];
        assert_eq!(score_call(&gold, &made, Ruleset::Compat).value, 1.0);
        assert_eq!(score_call(&gold, &made, Ruleset::Paper).value, 0.5);
    }
}
