//! A run as the page tells it: steps that come one by one, and a cursor that walks over them.

use std::sync::Arc;

use draw::Marks;
use graph::Graph;
use systems::Run;
use tasks::claims::Claim;
use trace::{Step, StepBody};

use super::{claimed, marks};

/// Steps that several views hold: one may be megabytes, and none is copied.
pub type Steps = Vec<Arc<Step>>;

/// The steps of a trace, to be shown.
pub fn shared(steps: &[Step]) -> Steps {
    steps.iter().cloned().map(Arc::new).collect()
}

/// A run that is shown, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// The system's id.
    pub system: String,
    /// The steps that have come.
    pub steps: Steps,
    /// The run, once it is finished.
    pub run: Option<Arc<Run>>,
    /// How many steps the cursor has passed.
    pub cursor: usize,
    /// Whether its end may be known: it was played to its end once, or nobody waits for that.
    pub is_told: bool,
    /// What its answer claims, once that was checked.
    pub claims: Vec<Claim>,
    /// The claim that is shown alone.
    pub picked: Option<usize>,
}

impl Story {
    /// A run that has just begun.
    pub fn begin(system: &str) -> Self {
        Self {
            system: system.to_owned(),
            steps: Vec::new(),
            run: None,
            cursor: 0,
            is_told: false,
            claims: Vec::new(),
            picked: None,
        }
    }

    /// A finished run, seen from its end.
    pub fn from_run(run: Run) -> Self {
        let steps = shared(&run.trace.steps);
        let cursor = steps.len();
        let system = run.system.clone();
        let begun = Self::begin(&system);
        Self { steps, run: Some(Arc::new(run)), cursor, is_told: true, ..begun }
    }

    /// Takes the finished run; the cursor stays where it is.
    pub fn finish(&mut self, run: Run) {
        // Steps that came one by one stay the ones that are shown already.
        let same = self.steps.iter().zip(&run.trace.steps).take_while(|(a, b)| a.as_ref() == *b);
        let n_same = same.count();
        self.steps.truncate(n_same);
        self.steps.extend(shared(&run.trace.steps[n_same..]));
        self.run = Some(Arc::new(run));
        self.is_told |= self.at_end();
    }

    /// One step on, if there is one.
    pub fn forward(&mut self) -> bool {
        let can = self.cursor < self.steps.len();
        self.seek(self.cursor + usize::from(can));
        can
    }

    /// Moves the cursor; whoever comes to the end knows it.
    pub fn seek(&mut self, cursor: usize) {
        self.cursor = cursor.min(self.steps.len());
        self.picked = None;
        self.is_told |= self.at_end();
    }

    /// Goes to the end without playing up to there.
    pub fn skip(&mut self) {
        self.seek(self.steps.len());
    }

    /// The finished run, once its end may be known.
    pub fn told(&self) -> Option<&Arc<Run>> {
        self.run.as_ref().filter(|_| self.is_told)
    }

    /// One step back, if there is one.
    pub fn back(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    /// Whether the cursor is behind the last step of a finished run.
    pub fn at_end(&self) -> bool {
        self.run.is_some() && self.cursor == self.steps.len()
    }

    /// The graph that the calls up to the cursor have made, and what to mark on it. None of a graph is
    /// the problem's own: at the end, where the verdict's marks are drawn on the graph as the text
    /// has it. Nothing for a run without calls, which has no graph of its own.
    pub fn scene(&self) -> Option<(Option<Graph>, Marks)> {
        if self.at_end()
            && let Some(run) = &self.run
        {
            return Some((None, claimed::with_evidence(&self.claims, self.picked, &run.judgement)));
        }
        if !self.steps.iter().any(|s| matches!(s.body, StepBody::Call { .. })) {
            return None;
        }
        let mut graph = Graph::undirected();
        for step in self.steps.iter().take(self.cursor) {
            if let StepBody::Call { effects, .. } = &step.body {
                for delta in &effects.deltas {
                    graph.apply(delta).ok()?;
                }
            }
        }
        let last = self.cursor.checked_sub(1).and_then(|at| self.steps.get(at));
        let marks = match last.map(|s| &s.body) {
            Some(StepBody::Call { effects, .. }) => marks::of_effects(effects),
            _ => Marks::default(),
        };
        Some((Some(graph), marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::Delta;
    use llm::ToolCall;
    use trace::{Effects, ToolResult};

    fn adds(node: &str) -> Step {
        let deltas = vec![Delta::AddNode { node: node.into() }];
        Step {
            at_ms: 0.0,
            took_ms: 0.0,
            by_person: false,
            body: StepBody::Call {
                call: ToolCall { id: "1".into(), name: "add_nodes".into(), arguments: "{}".into() },
                result: ToolResult::Value { value: serde_json::Value::Null, notes: vec![] },
                effects: Effects { deltas, ..Effects::default() },
                told: None,
            },
        }
    }

    #[test]
    fn the_cursor_shows_the_graph_of_its_step() {
        let mut story = Story::begin("grounded");
        story.steps = shared(&[adds("a"), adds("b")]);
        let size = |s: &Story| s.scene().unwrap().0.unwrap().n_nodes();
        assert_eq!(size(&story), 0);
        assert!(story.forward());
        assert_eq!(size(&story), 1);
        assert!(story.forward() && !story.forward());
        assert_eq!(size(&story), 2);
        story.back();
        assert_eq!(size(&story), 1);
    }

    #[test]
    fn the_verdict_comes_with_the_last_step_and_stays() {
        let problem = tasks::task(tasks::TaskId::Cycle).generate(tasks::Difficulty::Easy, 1);
        let judgement = tasks::verify(&problem, "There is no cycle.");
        let steps = vec![adds("a"), adds("b")];
        let mut trace = trace::Trace::new("grounded", "script".into(), vec![]);
        trace.steps = steps.clone();
        let run = Run {
            system: "grounded".into(),
            task: problem.task(),
            difficulty: None,
            seed: None,
            question: String::new(),
            trace,
            judgement,
        };
        let mut story = Story::begin("grounded");
        story.steps = shared(&steps);
        story.forward();
        story.finish(run.clone());
        assert!(story.told().is_none(), "it was not played to its end");
        story.forward();
        assert!(story.told().is_some());
        story.back();
        assert!(story.told().is_some(), "what was told is not taken back");
        let mut skipped = Story::begin("grounded");
        skipped.steps = shared(&steps);
        skipped.finish(run.clone());
        assert!(skipped.told().is_none());
        skipped.skip();
        assert!(skipped.told().is_some() && skipped.at_end());
        assert!(Story::from_run(run).told().is_some());
    }

    #[test]
    fn a_run_without_calls_has_no_graph_of_its_own() {
        let story = Story::begin("standalone");
        assert_eq!(story.scene(), None);
    }
}
