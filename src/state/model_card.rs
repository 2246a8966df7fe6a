//! A first look at a model: eight problems without tools and with them, as a card and a badge to paste.

use tasks::{Difficulty, TaskGroup, TaskId, Verdict};

use super::setup::ProblemSetup;

/// The seed of all eight problems.
const SEED: u64 = 1;

/// The problems: one of each of the benchmark's tasks, easy ones.
pub fn problems() -> Vec<ProblemSetup> {
    let setup = |task| ProblemSetup {
        task,
        difficulty: Difficulty::Easy,
        seed: SEED,
        ..ProblemSetup::default()
    };
    TaskGroup::NlGraph.tasks().map(setup).collect()
}

/// What a model made of a problem, without tools or with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How right its answer is.
    pub verdict: Option<Verdict>,
    /// Tools that it called.
    pub n_calls: usize,
    /// What its answer says of the graph and does not hold.
    pub n_false: usize,
}

/// A row of the card: the task, without tools, with them.
pub type TestRow = (TaskId, [Outcome; 2]);

/// The card.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCard {
    /// The model, as it calls itself.
    pub model: String,
    /// Whether a program answered that knows the questions.
    pub is_script: bool,
    /// The day, as YYYY-MM-DD.
    pub date: String,
    /// Where this was done.
    pub address: String,
    /// The eight problems.
    pub rows: Vec<TestRow>,
}

fn word(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Correct) => "correct",
        Some(Verdict::Partial) => "partly right",
        Some(Verdict::Incorrect) => "wrong",
        Some(Verdict::NoAnswer) => "no answer",
        None => "not asked",
    }
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    let is_sign = |c: char| matches!(c, '|' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '\\');
    text.chars()
        .filter(|c| !c.is_control())
        .flat_map(|c| is_sign(c).then_some('\\').into_iter().chain([c]))
        .collect()
}

impl ModelCard {
    /// Whether every problem was answered on both sides.
    pub fn is_whole(&self) -> bool {
        !self.rows.is_empty()
            && self.rows.iter().all(|(_, sides)| sides.iter().all(|s| s.verdict.is_some()))
    }

    /// Correct answers without tools and with them.
    pub fn n_correct(&self) -> [usize; 2] {
        [0, 1].map(|side| {
            let is_correct = |row: &&TestRow| row.1[side].verdict == Some(Verdict::Correct);
            self.rows.iter().filter(is_correct).count()
        })
    }

    /// False claims in the answers without tools.
    pub fn n_false(&self) -> usize {
        self.rows.iter().map(|(_, sides)| sides[0].n_false).sum()
    }

    /// The result in a line.
    pub fn line(&self) -> String {
        let [alone, with_tools] = self.n_correct();
        let n = self.rows.len();
        let claims = match self.n_false() {
            0 => String::new(),
            1 => ", 1 false claim about the graph".to_owned(),
            n => format!(", {n} false claims about the graph"),
        };
        format!(
            "{}: without tools {alone} of {n}{claims}; with tools {with_tools} of {n}",
            self.model
        )
    }

    /// The card as Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("### {} on eight graph problems\n\n", cell(&self.model));
        if self.is_script {
            out += "**A script answered, which knows the questions. This says nothing about a model.**\n\n";
        }
        out += "| problem | without tools | with tools | calls |\n|---|---|---|---|\n";
        for (task, [alone, with_tools]) in &self.rows {
            let false_claims = match alone.n_false {
                0 => String::new(),
                1 => " (1 false claim)".to_owned(),
                n => format!(" ({n} false claims)"),
            };
            out += &format!(
                "| {} | {}{false_claims} | {} | {} |\n",
                task.title(),
                word(alone.verdict),
                word(with_tools.verdict),
                with_tools.n_calls
            );
        }
        let [alone, with_tools] = self.n_correct();
        let n = self.rows.len();
        out += &format!("| **correct** | **{alone} of {n}** | **{with_tools} of {n}** | |\n\n");
        out += &format!(
            "Easy problems of seed {SEED}, one answer each, {}. Eight problems are a first look and no \
             benchmark. Made with [Graphground]({}).\n",
            self.date, self.address
        );
        out
    }

    /// The badge as an SVG file.
    pub fn badge(&self) -> String {
        let [alone, with_tools] = self.n_correct();
        let n = self.rows.len();
        let model: String = self.model.chars().take(40).collect();
        let right = match self.is_script {
            true => "a script, no model".to_owned(),
            false => format!("alone {alone}/{n} · with tools {with_tools}/{n}"),
        };
        // Verdana at 11 pixels takes about 6.6 of them a character; the text is stretched to fit.
        let wide = |text: &str| (text.chars().count() as f64).mul_add(6.6, 12.0).round();
        let (a, b) = (wide(&model), wide(&right));
        let text = |x: f64, room: f64, words: &str| {
            format!(
                r##"<text x="{:.1}" y="14" text-anchor="middle" textLength="{:.0}" lengthAdjust="spacingAndGlyphs">{}</text>"##,
                x + room / 2.0,
                room - 12.0,
                draw::escape(words)
            )
        };
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{all}" height="20" role="img"><title>{title}</title><rect width="{all}" height="20" rx="3" fill="#33383f"/><path d="M{a} 0h{stem}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{a}z" fill="#0b6b62"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{one}{two}</g></svg>"##,
            all = a + b,
            stem = b - 3.0,
            title = draw::escape(&self.line()),
            one = text(0.0, a, &model),
            two = text(a, b, &right),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(model: &str) -> ModelCard {
        let of = |verdict, n_calls, n_false| Outcome { verdict: Some(verdict), n_calls, n_false };
        let rows = problems()
            .iter()
            .enumerate()
            .map(|(i, setup)| {
                let alone = if i == 0 { Verdict::Correct } else { Verdict::Incorrect };
                (setup.task, [of(alone, 0, usize::from(i == 3)), of(Verdict::Correct, i, 0)])
            })
            .collect();
        ModelCard {
            model: model.into(),
            is_script: false,
            date: "2026-03-01".into(),
            address: "https://example.org/".into(),
            rows,
        }
    }

    #[test]
    fn eight_tasks_are_asked_once_each() {
        let tasks: std::collections::BTreeSet<_> = problems().iter().map(|p| p.task).collect();
        assert_eq!(tasks.len(), 8);
        assert!(
            problems().iter().all(|p| tasks::task(p.task).difficulties.contains(&p.difficulty))
        );
    }

    #[test]
    fn the_line_and_the_card_say_the_same() {
        let card = card("small-model");
        assert!(card.is_whole());
        assert_eq!(
            card.line(),
            "small-model: without tools 1 of 8, 1 false claim about the graph; with tools 8 of 8"
        );
        let text = card.markdown();
        assert!(text.contains("| **correct** | **1 of 8** | **8 of 8** | |"), "{text}");
        assert_eq!(text.lines().filter(|l| l.starts_with("| ")).count(), 1 + 8 + 1);
    }

    #[test]
    fn a_name_is_never_markup() {
        let card = card("<script>|`x`");
        assert!(!card.badge().contains("<script>"));
        assert!(card.markdown().contains("\\<script\\>\\|\\`x\\`"));
        assert!(card.badge().starts_with("<svg") && card.badge().ends_with("</svg>"));
    }

    #[test]
    fn a_script_is_no_evidence() {
        let card = ModelCard { is_script: true, ..card("script") };
        assert!(card.markdown().contains("says nothing about a model"));
        assert!(card.badge().contains("a script, no model") && !card.badge().contains("8/8"));
    }
}
