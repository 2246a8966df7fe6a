//! How near what a model wrote is to what was to be written.
//!
//! Paper: Graph-ToolFormer §5.2, table 4; its API-generation accuracy as the public code counts it,
//! and two measures of ours that look at calls and answers instead of letters.

use std::collections::BTreeMap;

use text::{BleuCounts, rouge_l, rouge_lsum, rouge_n};

use super::execute::ExecutedText;
use super::fill::Order;
use super::hubs::{models, tasks};
use super::parse::sites;
use super::tree::{Api, Bracket, Call, Value};

/// The scores of one text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairScore {
    /// F1 of single tokens in common.
    pub rouge_1: f64,
    /// F1 of pairs of tokens in common.
    pub rouge_2: f64,
    /// F1 of the longest common subsequence.
    pub rouge_l: f64,
    /// The same, line by line.
    pub rouge_lsum: f64,
    /// The counts that BLEU is computed from.
    pub bleu: BleuCounts,
    /// Whether the texts are the same.
    pub is_exact: bool,
    /// Whether the public code counts the calls as right.
    pub is_api_hit: bool,
    /// Whether the calls are the same ones, in whatever order and spelling.
    pub has_same_calls: bool,
}

impl PairScore {
    /// Measures a text, without running anything.
    pub fn of(reference: &str, prediction: &str) -> Self {
        Self {
            rouge_1: rouge_n(1, reference, prediction).f1,
            rouge_2: rouge_n(2, reference, prediction).f1,
            rouge_l: rouge_l(reference, prediction).f1,
            rouge_lsum: rouge_lsum(reference, prediction).f1,
            bleu: BleuCounts::of(reference, prediction),
            is_exact: reference == prediction,
            is_api_hit: is_api_hit(reference, prediction),
            has_same_calls: has_same_calls(reference, prediction),
        }
    }
}

/// As the public code counts: without spaces and in small letters, the first stretch of the
/// reference from `[gr(` to the nearest `)-->r]` (or from `[gl(` to `)]`, where nothing reasons)
/// stands somewhere in the prediction. If the first call is silent, the stretch has the words up to
/// the first that is not.
pub fn is_api_hit(reference: &str, prediction: &str) -> bool {
    let fold = |text: &str| text.replace(' ', "").to_lowercase();
    let (reference, prediction) = (fold(reference), fold(prediction));
    let stretch = |open: &str, close: &str| {
        let rest = &reference[reference.find(open)?..];
        Some(&rest[..rest.find(close)? + close.len()])
    };
    let wanted = stretch("[gr(", ")-->r]").or_else(|| stretch("[gl(", ")]"));
    wanted.is_some_and(|wanted| prediction.contains(wanted))
}

/// Whether both texts have the same brackets: the same calls with the same say about their results,
/// in any order and spelling. A bracket that cannot be read is like no other.
pub fn has_same_calls(reference: &str, prediction: &str) -> bool {
    match (counted(reference), counted(prediction)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

fn counted(text: &str) -> Option<BTreeMap<String, usize>> {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for site in sites(text) {
        *all.entry(plain(&site.bracket.ok()?)).or_default() += 1;
    }
    Some(all)
}

/// A bracket in one spelling.
pub(super) fn plain(bracket: &Bracket) -> String {
    let mut bracket = bracket.canonical();
    for call in &mut bracket.calls {
        plain_functions(call);
    }
    bracket.to_string()
}

fn plain_functions(call: &mut Call) {
    for (i, value) in call.arguments.iter_mut().enumerate() {
        match value {
            Value::Call(inner) => plain_functions(inner),
            Value::Text(text) if call.api == Api::Reason && i == 1 => {
                if let Some((domain, name)) = text.split_once(':')
                    && let Some(model) = models::find(domain)
                {
                    let name = tasks::function(name).map_or(name, |(_, f)| f.name);
                    *text = format!("{}:{name}", model.id);
                }
            }
            _ => {}
        }
    }
}

/// Whether what a model wrote gives the answers that the right text gives; `None` where one of the
/// right calls cannot be run.
pub fn has_same_answers(reference: &ExecutedText, prediction: &ExecutedText) -> Option<bool> {
    let wanted = reference.answers(Order::Text).into_iter().collect::<Option<Vec<&str>>>()?;
    if wanted.is_empty() {
        return None;
    }
    let given = prediction.answers(Order::Text).into_iter().collect::<Option<Vec<&str>>>();
    Some(given.is_some_and(|given| given == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolformer::{Executor, Hubs, Mode};

    const ORDER: &str = "It is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r].";

    #[test]
    fn accuracy_is_counted_as_the_public_code_counts() {
        let other = "The number is [gr( GL(\"gpr\", {\"bull_graph\"}),\"toolx:order\")-->r], or so";
        assert!(is_api_hit(ORDER, other));
        assert!(!is_api_hit(ORDER, &other.replace("-->", "->")));
        // With a silent call first, the words between count too.
        let silent = "A [GR(GL(\"cora\"), \"x:y\")] and [GR(GL(\"cora\"), \"x:z\")-->r] B";
        assert!(is_api_hit(silent, &format!("C{}", &silent[1..])));
        assert!(!is_api_hit(silent, &silent.replace(" and ", " or ")));
        let load = "The [GL(\"a\", \"all\")] graph";
        assert!(is_api_hit(load, "[GL(\"a\",\"all\")]") && !is_api_hit(load, "[GL(\"a\")]"));
        assert!(!is_api_hit("no call", "no call"));
    }

    #[test]
    fn calls_are_equal_in_any_order_and_spelling() {
        let a = "[GL(\"x\")] [GR(GL(\"cora\"), \"graph_bert:topic\", \"paper#1\")-->r]";
        let b = "[GR(GL(\"cora\"), 'graph-bert:topic', paper # 1) -> r] then [GL(\"x\")]";
        assert!(has_same_calls(a, b));
        assert!(!has_same_calls(a, &b.replace(" -> r", "")));
        assert!(!has_same_calls(a, &format!("{b} [GL(\"x\")]")));
        assert!(!has_same_calls("[GL(", "[GL("));
        assert!(has_same_calls("no", "calls"));
    }

    #[test]
    fn answers_are_compared_where_the_right_ones_are_known() {
        let mut executor = Executor::new(Hubs::new().unwrap(), Mode::Ours);
        let mut same = |a: &str, b: &str| has_same_answers(&executor.run(a), &executor.run(b));
        assert_eq!(same(ORDER, &ORDER.replace("bull", "house")), Some(true));
        assert_eq!(same(ORDER, &ORDER.replace("bull", "cycle")), Some(false));
        assert_eq!(same(ORDER, "[GR("), Some(false));
        let topic = "[GR(GL(\"cora\"), \"graph_bert:topic\", paper#1)-->r]";
        assert_eq!(same(topic, topic), None);
        assert_eq!(same("[GL(\"gpr\")]", "[GL(\"gpr\")]"), None);
    }
}
