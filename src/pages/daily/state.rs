//! What the problem of the day holds: the problem, the run of whoever plays, and the script's calls.

use std::sync::Arc;

use agent::Limits;
use draw::{Mark, Marks, Places, Scene};
use graph::{Delta, NodeName};
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::{Message, ToolCall, ToolSpec};
use protocol::exact::Exact;
use protocol::problem::{GenerateProblem, ProblemView};
use protocol::runs::{EndedRun, ModelChoice, ProblemRun, StartRun};
use serde_json::Value;
use systems::Run;
use tasks::Verdict;

use crate::services::engine_client::{self, Beside};
use crate::shell::Shell;
use crate::state::daily::{self, Day, DayResult};
use crate::state::problem_run;
use crate::state::setup::ProblemSetup;
use crate::state::stored::Keeping;
use crate::state::tray::{self, TrayCall};
use crate::state::{home, marks};
use crate::workbench::session::{Happening, RunSession};

/// The key of the day in addresses.
pub(super) const DAY: &str = "day";
const SYSTEM: &str = "grounded";

#[derive(Clone, Copy)]
pub(super) struct PageState {
    pub(super) day: RwSignal<Day>,
    pub(super) problem: RwSignal<Option<ProblemView>>,
    pub(super) session: RunSession,
    /// The finished run of whoever plays.
    pub(super) run: RwSignal<Option<Arc<Run>>>,
    /// How many calls the script makes.
    pub(super) best: RwSignal<Option<usize>>,
    pub(super) notice: RwSignal<Option<String>>,
    /// The nodes that were clicked for the next call, in their order.
    pub(super) clicked: RwSignal<Vec<NodeName>>,
    /// A call from the tray that lacks arguments, for the form.
    pub(super) begun: RwSignal<Option<(String, Value)>>,
    /// Counts days, so that a problem that comes late is not shown.
    turn: StoredValue<u64>,
}

/// Today, in UTC.
pub(super) fn today() -> Day {
    Day::of_ms(js_sys::Date::now())
}

impl PageState {
    pub(super) fn new(_: Shell) -> Self {
        Self {
            day: RwSignal::new(today()),
            problem: RwSignal::new(None),
            session: RunSession::new(),
            run: RwSignal::new(None),
            best: RwSignal::new(None),
            notice: RwSignal::new(None),
            clicked: RwSignal::default(),
            begun: RwSignal::new(None),
            turn: StoredValue::new(0),
        }
    }

    /// Opens the problem of a day, unless it is open.
    pub(super) fn open(self, day: Day) {
        if self.day.get_untracked() != day || self.problem.with_untracked(Option::is_none) {
            self.day.set(day);
            self.load();
        }
    }

    /// Has the problem of the day made, and the script run on it.
    pub(super) fn load(self) {
        self.turn.update_value(|t| *t += 1);
        let turn = self.turn.get_value();
        self.session.clear();
        self.forget_call();
        self.problem.set(None);
        self.run.set(None);
        self.best.set(None);
        let ProblemSetup { task, difficulty, seed, wording, style } =
            daily::problem_of(self.day.get_untracked());
        let is_now = move || self.turn.try_get_value() == Some(turn);
        spawn_local(async move {
            let engine = engine_client::interactive();
            let ask = GenerateProblem { task, difficulty, seed, wording, style };
            match engine.ask(ask).await {
                Ok(Exact(problem)) if is_now() => {
                    let script = ModelChoice::Script { name: "script".to_owned() };
                    let ask = match run_of(&problem, script) {
                        Ok(ask) => ask,
                        Err(message) => return self.notice.set(Some(message)),
                    };
                    self.problem.set(Some(problem));
                    let (_, reply) =
                        engine.start_and_wait(&ask, &Beside::default(), |_, _| (), |_| ());
                    if let Ok(EndedRun { run, .. }) = reply.wait().await
                        && is_now()
                        && run.outcome.verdict == Verdict::Correct
                    {
                        self.best.set(Some(run.trace.n_calls()));
                    }
                }
                Err(message) if is_now() => self.notice.set(Some(message)),
                _ => {}
            }
        });
    }

    /// Puts whoever plays in the model's place, from the start.
    pub(super) fn play(self) {
        let Some(problem) = self.problem.get_untracked() else { return };
        self.session.clear();
        self.forget_call();
        self.run.set(None);
        let ask = match run_of(&problem, ModelChoice::Person) {
            Ok(ask) => ask,
            Err(message) => return self.notice.set(Some(message)),
        };
        let engine = engine_client::for_graph(&problem.graph);
        let keeping = Keeping::problem(&problem);
        self.session.start_keeping(
            &engine,
            &ask,
            keeping,
            SYSTEM,
            move |happening| match happening {
                Happening::Step(step) => self.session.push(step),
                Happening::Done(ended) => {
                    self.run.set(Some(Arc::new(problem_run::ended(&problem, ended))));
                }
                _ => {}
            },
        );
    }

    /// What came of the run.
    pub(super) fn played(self) -> Option<DayResult> {
        let of = |run: &Arc<Run>| DayResult::of(run.judgement.verdict, &run.trace.steps);
        self.run.with(|run| run.as_ref().map(of))
    }

    fn forget_call(self) {
        self.clicked.set(Vec::new());
        self.begun.set(None);
    }

    /// Takes a node for the next call, or takes it back.
    pub(super) fn click(self, node: NodeName) {
        if self.session.seat.with_untracked(Option::is_none) {
            return;
        }
        self.clicked.update(|all| match all.iter().position(|n| *n == node) {
            Some(at) => drop(all.remove(at)),
            None => all.push(node),
        });
    }

    /// Says what the player says: a call, or the answer.
    pub(super) fn say(self, message: Message) {
        self.forget_call();
        self.session.say(message);
    }

    /// Calls a function of the tray for the nodes that were clicked; where something is missing, its form
    /// asks for the rest.
    pub(super) fn call(self, tool: &ToolSpec) {
        let clicked = self.clicked.get_untracked();
        let call = self.problem.with_untracked(|problem| {
            problem.as_ref().map(|problem| tray::call_of(tool, &clicked, &problem.graph))
        });
        let Some(TrayCall { name, arguments, is_ready }) = call else { return };
        if !is_ready {
            return self.begun.set(Some((name, arguments)));
        }
        let mut message = Message::assistant("");
        message.tool_calls =
            vec![ToolCall { id: String::new(), name, arguments: arguments.to_string() }];
        self.say(message);
    }

    /// The graph as far as the calls have built it; behind the answer, the problem's with the verdict.
    pub(super) fn scene(self) -> Scene {
        self.problem.with(|problem| {
            let Some(problem) = problem else { return Scene::default() };
            let ended = self.run.with(|run| {
                run.as_ref().map(|run| {
                    let is_right = run.judgement.verdict == Verdict::Correct;
                    marks::of_certificate(&run.judgement.certificate.marks, is_right)
                })
            });
            if let Some(drawn) = ended {
                return marks::scene(problem, &drawn);
            }
            let (mut graph, mut drawn) = self.session.steps.with(|steps| {
                let last = steps.last().map(|step| marks::of_step(step));
                (home::grown(steps, usize::MAX), last.unwrap_or_default())
            });
            if self.session.seat.with(Option::is_some) {
                // What is still missing is there to be clicked.
                for name in problem
                    .graph
                    .names()
                    .filter(|name| !graph.has_node(name))
                    .cloned()
                    .collect::<Vec<_>>()
                {
                    let _ = graph.apply(&Delta::AddNode { node: name.clone() });
                    drawn.nodes.push((name, Mark::Faded, None));
                }
            }
            self.clicked.with(|clicked| {
                for name in clicked {
                    drawn.nodes.push((name.clone(), Mark::Picked, None));
                }
            });
            let places = if graph.names().all(|name| problem.places.get(name).is_some()) {
                problem.places.clone()
            } else {
                // What was added by mistake finds a place beside the others.
                let mut all = draw::layout(&graph, problem.layout, 1, &Places::default());
                problem.places.iter().for_each(|(name, at)| all.set(name.clone(), at));
                all
            };
            let whole = Scene::new(&problem.graph, &problem.places, &Marks::default());
            let grown = Scene::new(&graph, &places, &drawn);
            // Nothing jumps while the graph grows.
            if graph.names().all(|name| problem.graph.has_node(name)) {
                Scene { view: whole.view, ..grown }
            } else {
                grown
            }
        })
    }
}

fn run_of(problem: &ProblemView, model: ModelChoice) -> Result<StartRun<ProblemRun>, String> {
    // A person may think as long as it takes.
    let limits = Limits { max_rounds: 200, max_calls: 200, deadline_ms: None, ..Limits::default() };
    Ok(StartRun { limits: Some(limits), ..problem_run::ask(SYSTEM, problem, model)? })
}
