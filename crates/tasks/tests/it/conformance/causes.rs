//! Why a verdict of ours and a score of the benchmark's script differ: what the script matched, and
//! which of our rules decided.

use std::fmt;

use tasks::dataset::LoggedAnswer;
use tasks::{
    Answer, Judgement, ReadingPart, ReadingRule, TaskId, Verdict, explain_reading, verify,
};

use super::official::{Matched, Row, Scored};

/// A logged answer, judged twice.
pub struct Judged<'a> {
    pub text: &'a str,
    pub task: TaskId,
    pub scored: Scored,
    pub judgement: Judgement,
    /// The label of the run that was logged is another one than the graph's.
    pub has_wrong_label: bool,
    accepted: bool,
    rules: Vec<ReadingRule>,
}

impl<'a> Judged<'a> {
    /// `None` for an answer that was never scored.
    pub fn new(row: &Row, logged: &'a LoggedAnswer) -> Option<Self> {
        let scored = super::official::score(row)?;
        let points = logged.official_score?;
        Some(Self {
            text: &logged.text,
            task: logged.problem.task(),
            judgement: verify(&logged.problem, &logged.text),
            has_wrong_label: points != scored.points
                && row.official_rule.as_deref().is_some_and(|rule| rule.ends_with("/batch")),
            accepted: points > 0.0,
            rules: explain_reading(&logged.problem, &logged.text),
            scored,
        })
    }

    /// `Correct` agrees with a score of 1 and `Incorrect` with any other.
    pub fn agrees(&self) -> bool {
        matches!(
            (self.accepted, self.judgement.verdict),
            (true, Verdict::Correct) | (false, Verdict::Incorrect)
        )
    }

    fn rule(&self, part: ReadingPart) -> Option<&ReadingRule> {
        self.rules.iter().find(|rule| rule.part == part)
    }

    /// The yes or no that we read.
    fn our_decision(&self) -> Option<bool> {
        match self.judgement.answer.as_ref()? {
            Answer::Connectivity(answer) => Some(answer.connected),
            Answer::Cycle(answer) => Some(answer.has_cycle),
            Answer::Topology(answer) => answer.possible,
            // Whoever gives a path says that there is one.
            Answer::Hamilton(answer) => answer.exists.or(Some(!answer.path.is_empty())),
            _ => None,
        }
    }

    /// The list of numbers that we read, as the script would write it.
    fn our_list(&self) -> Vec<i64> {
        let names = match self.judgement.answer.as_ref() {
            Some(Answer::Topology(answer)) => &answer.order,
            Some(Answer::Hamilton(answer)) => &answer.path,
            Some(Answer::ShortestPath(answer)) => &answer.path,
            _ => return Vec::new(),
        };
        names.iter().filter_map(graph::NodeName::as_int).collect()
    }

    /// The first step of our certificate that does not hold, without its numbers.
    fn fault(&self) -> Option<String> {
        let lines = &self.judgement.certificate.lines;
        let line = lines.iter().find(|line| line.holds == Some(false))?;
        let mut fault = String::new();
        for c in line.text.chars() {
            match c {
                '0'..='9' if fault.ends_with('#') => {}
                '0'..='9' => fault.push('#'),
                _ => fault.push(c),
            }
        }
        // Lists of whatever length are one cause.
        for more in [", # and #", " and # more", ", #", " and #", ",#"] {
            while fault.contains(&format!("#{more}")) {
                fault = fault.replace(&format!("#{more}"), "#");
            }
        }
        Some(fault)
    }

    fn fails(&self, words: &str) -> bool {
        self.fault().is_some_and(|fault| fault.contains(words))
    }

    /// Whether any step of our certificate with these words does not hold.
    fn fails_anywhere(&self, words: &str) -> bool {
        let lines = &self.judgement.certificate.lines;
        lines.iter().any(|line| line.holds == Some(false) && line.text.contains(words))
    }

    /// Whether our certificate is one of the verdict: all holds for `Correct`, and something fails
    /// or is missing for `Partial` and `Incorrect`.
    fn is_proved(&self) -> bool {
        let fails = self.fault().is_some();
        let missing = self.rule(ReadingPart::Witness).is_none();
        let decides = matches!(self.task, TaskId::Connectivity | TaskId::Cycle);
        match self.judgement.verdict {
            Verdict::Correct => !fails,
            // A yes needs no witness there, but one that is shown may be false.
            Verdict::Partial if decides => fails && !missing && !self.fails("claimed"),
            Verdict::Partial => fails || missing,
            Verdict::Incorrect if decides => self.fails("claimed"),
            Verdict::Incorrect => fails,
            Verdict::NoAnswer => self.rule(ReadingPart::Nothing).is_some(),
        }
    }

    /// Whether the clause before a place only supposes what stands there.
    fn is_supposed(&self, at: usize) -> bool {
        let from = self.text[..at].rfind(['.', '\n']).map_or(0, |stop| stop + 1);
        let clause = format!(" {} ", &self.text[from..at]);
        [" if ", " whether ", " if,"].iter().any(|word| clause.contains(word))
    }

    /// The class of a disagreement, as `docs/verifier.md` lists them; `None` if what the script
    /// matched and what we read do not explain it.
    pub fn class(&self) -> Option<&'static str> {
        use Matched::{List, NoPhrase, Number, Pairs, Phrase};
        use TaskId::*;
        use Verdict::*;
        if self.has_wrong_label {
            return Some("4.2 an early run with wrong labels");
        }
        if !self.is_proved() {
            return None;
        }
        let verdict = self.judgement.verdict;
        let right_or_wrong = matches!(verdict, Correct | Incorrect);
        let nothing = self.rule(ReadingPart::Nothing).is_some();
        let decision = self.rule(ReadingPart::Decision);
        let witness = self.rule(ReadingPart::Witness).is_some();
        let number = self.rule(ReadingPart::Number).is_some();
        let leads = decision.is_some_and(|rule| rule.rule == "yes or no at the start");
        Some(match (self.task, &self.scored.matched) {
            // Both refuse it; the script has no third value.
            (_, NoPhrase) if nothing && !self.accepted => NO_ANSWER,
            (Topology | ShortestPath | Hamilton, List { fault: Some(_), .. })
                if nothing && !self.accepted =>
            {
                NO_ANSWER
            }
            (Matching, Pairs { .. }) if nothing && !self.accepted => NO_ANSWER,
            (Connectivity, NoPhrase) if nothing => "4.1 no verdict in the text counts as no",
            // A bare "no" comes out right, as all that does not say yes.
            (Connectivity, NoPhrase) if leads && self.our_decision() == Some(true) => {
                "4.1 a bare yes or no is not understood"
            }
            (Connectivity, NoPhrase) if decision.is_some() && self.our_decision() == Some(true) => {
                "4.1 a path asserted in other words is not seen"
            }
            (Connectivity, Phrase(..)) if verdict == Partial && witness => {
                "4.1 the path shown is never checked"
            }
            (Cycle, Phrase(_, at)) if nothing && self.is_supposed(*at) => {
                "4.2 a condition is taken for a verdict"
            }
            (Cycle, Phrase(words, _)) if self.our_decision() == Some(words.contains(" no ")) => {
                "4.2 a phrase elsewhere in the text counts, not the conclusion"
            }
            (Cycle, Phrase(words, _))
                if verdict == Partial && witness && !words.contains(" no ") =>
            {
                "4.2 the cycle shown is never checked"
            }
            (Cycle, NoPhrase) if decision.is_some() && matches!(verdict, Correct | Partial) => {
                "4.2 the verdict stands in other words"
            }
            (Topology, List { fault: None, .. }) if self.fails("it leaves out") => {
                "4.3 nodes without successors may be missing"
            }
            (Topology, NoPhrase) if verdict == Correct => "4.3 a valid order without a keyword",
            (Topology, List { fault: Some(_), numbers, .. })
                if verdict == Correct && *numbers != self.our_list() =>
            {
                "4.3 other numbers are read than the order"
            }
            (ShortestPath, List { fault: None, .. }) if self.fails("stated total") => {
                "4.4 the total is scored apart"
            }
            (ShortestPath, NoPhrase) if verdict == Correct => "4.4 a path without the key phrase",
            (ShortestPath, List { fault: Some(_), numbers, .. })
                if verdict == Correct && *numbers != self.our_list() =>
            {
                "4.4 a path without the key phrase"
            }
            (Flow, Number(first)) if number && right_or_wrong && *first != self.our_value() => {
                "4.5 the first number is read, not the value"
            }
            (Flow, Number(first))
                if self.accepted && verdict == Partial && witness && *first == self.our_value() =>
            {
                "4.5 the flow told is never checked"
            }
            (Matching, Pairs { clash: false, .. })
                if self.accepted && (self.fails("not interested") || self.fails("is given")) =>
            {
                "4.6 invalid pairs are passed over"
            }
            (Matching, Pairs { .. }) if self.accepted && self.fails("stated") => {
                "4.6 wrong counts are passed over"
            }
            (Matching, Pairs { numbers, .. })
                if verdict == Correct && *numbers != 2 * self.our_pairs() =>
            {
                "4.6 numbers in the prose become pairs"
            }
            (Hamilton, NoPhrase) if verdict == Correct => "4.7 a correct path in other words",
            (Hamilton, List { numbers, .. })
                if verdict == Correct && *numbers != self.our_list() =>
            {
                let told = self.rules.iter().any(|rule| rule.rule == "told visits");
                if told {
                    "4.7 a list that is cut off counts, not the walk told before"
                } else {
                    "4.7 other numbers are read than the path"
                }
            }
            // Decision, number or count right, witness false or missing.
            (_, matched) if verdict == Partial && !self.accepted && self.is_half(matched) => HALF,
            _ => return None,
        })
    }

    /// Whether one half is right, which the script does not count, and the other fails for both.
    fn is_half(&self, matched: &Matched) -> bool {
        let fails_there = match matched {
            Matched::List { fault, .. } => fault.is_some(),
            Matched::NoPhrase | Matched::Pairs { .. } => true,
            _ => false,
        };
        let says = |part| self.rule(part).is_some();
        let right = match self.task {
            // NLGraph's graphs all have such an order or path.
            TaskId::Topology | TaskId::Hamilton => self.our_decision() == Some(true),
            TaskId::Matching => says(ReadingPart::Number) && !self.fails_anywhere("stated"),
            TaskId::ShortestPath => says(ReadingPart::Number) && !self.fails_anywhere("stated"),
            _ => false,
        };
        // Or the witness is right, and the number beside it is not.
        let witness = says(ReadingPart::Witness)
            && self.fails("stated")
            && matches!(self.task, TaskId::Matching | TaskId::ShortestPath);
        fails_there && (right || witness)
    }

    fn our_value(&self) -> Option<i64> {
        match self.judgement.answer.as_ref()? {
            Answer::Flow(answer) => answer.value.map(|value| value as i64),
            _ => None,
        }
    }

    fn our_pairs(&self) -> usize {
        match self.judgement.answer.as_ref() {
            Some(Answer::Matching(answer)) => answer.pairs.len(),
            _ => 0,
        }
    }
}

/// A class in which nobody gives a point, and only we tell why.
pub const NO_ANSWER: &str = "wrong for us as well: no answer in the text";
/// A class in which the script, which knows no half points, gives none.
pub const HALF: &str = "partly right for us, wrong for the script";

/// What the script matched and what decided for us, in one line.
impl fmt::Display for Judged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "script: {}; ours: {}", self.scored.matched, self.judgement.verdict.as_str())?;
        let mut before = " by";
        for rule in &self.rules {
            write!(f, "{before} {}", rule.rule)?;
            if !rule.words.is_empty() {
                write!(f, " {:?}", rule.words)?;
            }
            before = ",";
        }
        match self.fault() {
            Some(fault) => write!(f, "; fails: {fault}"),
            None => Ok(()),
        }
    }
}
