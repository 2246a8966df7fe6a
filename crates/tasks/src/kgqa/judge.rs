//! Reads a list of names out of an answer, and judges it.

use kg::fold;
use serde::{Deserialize, Serialize};

use crate::Verdict;

/// How good an answer is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KgJudgement {
    /// `Correct` where exactly the right names are given, `Partial` where some are.
    pub verdict: Verdict,
    /// What was read as the answer, part by part.
    pub read: Vec<String>,
    /// Right names that are not in it.
    pub missing: Vec<String>,
    /// What is in it and not right.
    pub extra: Vec<String>,
    /// Whether the answer is the reference word for word, but for case and spacing.
    pub exact_match: bool,
    /// Whether its parts are the reference's, each as often.
    pub multiset_match: bool,
    /// ROUGE-L (F1) of the answer with the reference. Paper: GraphRunner §4.1.
    pub rouge_l: f64,
    /// Why, in a sentence.
    pub explanation: String,
}

/// What a text says after its last `Answer:`; all of it where it has none, with `false`.
pub fn answer_part(text: &str) -> (&str, bool) {
    let lower = text.to_ascii_lowercase();
    match lower.rfind("answer:") {
        Some(at) => (text[at + "answer:".len()..].trim().trim_matches('*').trim(), true),
        None => (text.trim(), false),
    }
}

/// Judges a text against the right names. `named` are names of nodes that the text mentions, for
/// texts without an `Answer:` line, whose other words say nothing.
///
/// Right names are looked for as a whole, the longest first, because names may hold commas; what is
/// left between them and is neither separator nor filler is extra.
pub fn judge(answers: &[String], text: &str, named: &[String]) -> KgJudgement {
    let (part, has_line) = answer_part(text);
    let folded = fold(part);
    let mut rest = folded.clone();
    let mut by_length: Vec<&String> = answers.iter().collect();
    by_length.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    let mut missing = Vec::new();
    let mut found = Vec::new();
    for answer in by_length {
        match place(&rest, &fold(answer)) {
            Some((start, end)) => {
                rest.replace_range(start..end, ";");
                found.push(answer.clone());
            }
            None => missing.push(answer.clone()),
        }
    }
    let extra: Vec<String> = if has_line {
        rest.split([';', ',', '\n', '•']).filter_map(extra_of).collect()
    } else {
        let right: Vec<String> = answers.iter().map(|a| fold(a)).collect();
        named.iter().filter(|n| !right.contains(&fold(n))).cloned().collect()
    };
    let is_empty = folded.is_empty()
        || matches!(folded.trim_end_matches('.'), "none" | "unknown" | "nothing" | "not found");
    let extra = if is_empty { Vec::new() } else { extra };
    let verdict = match (is_empty, missing.is_empty(), extra.is_empty()) {
        (true, false, _) => Verdict::NoAnswer,
        (_, true, true) => Verdict::Correct,
        _ if !found.is_empty() => Verdict::Partial,
        _ => Verdict::Incorrect,
    };
    let reference = answers.join(", ");
    let list = |names: &[String]| {
        let shown: Vec<&str> = names.iter().take(6).map(String::as_str).collect();
        let more = names.len().saturating_sub(6);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", shown.join("; "))
    };
    let explanation = match verdict {
        Verdict::Correct => format!("exactly what is right: {}", list(answers)),
        Verdict::NoAnswer => format!("no answer; right is {}", list(answers)),
        _ if missing.is_empty() => format!("all that is right, and what is not: {}", list(&extra)),
        _ if extra.is_empty() => format!("missing: {}", list(&missing)),
        _ => format!("not right: {}; missing: {}", list(&extra), list(&missing)),
    };
    let mut parts: Vec<String> =
        part.split([';', '\n']).map(fold).filter(|p| !p.is_empty()).collect();
    let mut right: Vec<String> = answers.iter().map(|a| fold(a)).collect();
    let read: Vec<String> = found.iter().chain(&extra).cloned().collect();
    parts.sort();
    right.sort();
    let same_order = fold(&part.replace(';', ",")) == fold(&reference);
    KgJudgement {
        verdict,
        read,
        missing,
        extra,
        exact_match: same_order,
        multiset_match: parts == right || (right.is_empty() && is_empty),
        rouge_l: text::rouge_l(&reference, part).f1,
        explanation,
    }
}

/// Where a name stands in a text, not within a longer word.
fn place(text: &str, name: &str) -> Option<(usize, usize)> {
    if name.is_empty() {
        return None;
    }
    text.match_indices(name).map(|(start, _)| (start, start + name.len())).find(|(start, end)| {
        let before = text[..*start].chars().next_back();
        let after = text[*end..].chars().next();
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        // 5 is not in 5.2 either.
        let goes_on = text[*end..]
            .strip_prefix('.')
            .is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        !is_letter(before) && !is_letter(after) && !goes_on
    })
}

/// Words around names that say nothing by themselves.
const FILLER: &[&str] = &["and", "the", "also", "as well as", "none", "a", "an"];

fn extra_of(part: &str) -> Option<String> {
    let part = part.trim().trim_matches(|c: char| !c.is_alphanumeric()).trim();
    let part = part.strip_prefix("and ").unwrap_or(part);
    let part = part.strip_suffix(" and").unwrap_or(part);
    (!part.is_empty() && !FILLER.contains(&part)).then(|| part.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn verdict(answers: &[&str], text: &str, named: &[&str]) -> Verdict {
        let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        judge(&own(answers), text, &own(named)).verdict
    }

    #[test]
    fn lists_are_read_however_they_are_written() {
        use Verdict::*;
        let two = ["Mill Gate", "Purpura, Henoch"];
        for (text, expected) in [
            ("Answer: Mill Gate; Purpura, Henoch", Correct),
            ("I found two.\n**Answer:** purpura, henoch, mill_gate.", Correct),
            ("Answer:\n- Mill Gate\n- Purpura, Henoch", Correct),
            ("Answer: Mill Gate and Purpura, Henoch", Correct),
            ("Answer: Mill Gate", Partial),
            ("Answer: Mill Gate; Purpura, Henoch; Heron Hill", Partial),
            ("Answer: Heron Hill", Incorrect),
            ("Answer: none", NoAnswer),
            ("Answer: Mill Gateway; Purpura, Henoch", Partial),
            ("", NoAnswer),
        ] {
            assert_eq!(verdict(&two, text, &[]), expected, "{text}");
        }
        assert_eq!(verdict(&["5"], "Answer: 5 stations", &[]), Partial);
        assert_eq!(verdict(&["5"], "Answer: 5", &[]), Correct);
        assert_eq!(verdict(&["5"], "Answer: 5.2", &[]), Incorrect);
        assert_eq!(verdict(&["5"], "Answer: 15", &[]), Incorrect);
        assert_eq!(verdict(&[], "Answer: none", &[]), Correct);
        assert_eq!(verdict(&["Rome"], "It is Rome, I think.", &["Rome"]), Correct);
        assert_eq!(verdict(&["Rome"], "It is Rome or Paris.", &["Rome", "Paris"]), Partial);
    }

    proptest! {
        #[test]
        fn any_order_of_the_right_names_is_right(
            names in prop::collection::btree_set("[a-z]{2,5}( [a-z]{2,5})?", 1..5),
            wrong in "[A-Z]{6,8}",
        ) {
            let names: Vec<String> = names.into_iter().collect();
            let mut turned = names.clone();
            turned.reverse();
            let text = format!("Answer: {}", turned.join("; "));
            let told = judge(&names, &text, &[]);
            // A name that is part of another can be taken out of it.
            let apart = names.iter().all(|a| names.iter().all(|b| a == b || place(b, a).is_none()));
            if apart && names.iter().all(|n| !FILLER.contains(&n.as_str()) && n != "none") {
                prop_assert_eq!(told.verdict, Verdict::Correct);
                prop_assert!(told.multiset_match);
                prop_assert_eq!(judge(&names, &format!("{text}; {wrong}"), &[]).verdict, Verdict::Partial);
            }
        }
    }
}
