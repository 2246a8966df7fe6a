//! The same task and the same tools in one conversation, without a graph: what the graph is held
//! against.

use agent::RunContext;
use llm::{Message, Model};
use trace::{Step, Trace};

use super::{KgotOutcome, KgotTask, TaskTools, ToolPlace, prompts};

/// The id of the system that has no graph.
pub const NO_GRAPH: &str = "no-graph";

const ANSWER_RULES: &str = "Solve the task with the functions that you have. End with a line \
     `FINAL ANSWER: …`: a number, as few words as possible, or a list with commas; digits for \
     numbers, and no units unless asked for.";

/// Lets a model solve a task with tools and without a graph.
pub async fn run_without_graph(
    task: &KgotTask,
    model: &dyn Model,
    place: &ToolPlace<'_>,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> (Trace, KgotOutcome) {
    // One conversation has one model, which need not ask itself, and sees images by itself.
    let set = TaskTools::new(&task.files, place).without_model();
    let question = Message { images: set.images(), ..Message::user(prompts::task_text(task)) };
    let start = Trace::new(NO_GRAPH, model.label(), vec![Message::system(ANSWER_RULES), question]);
    let trace = agent::run_async(start, model, &set, setting, on_step).await;
    let said = trace.answer().unwrap_or_default();
    let answer = said.rsplit_once("FINAL ANSWER:").map(|(_, answer)| answer.trim());
    let answer = answer.map(|answer| answer.trim_end_matches('.').to_owned());
    let outcome = KgotOutcome { answer, ..KgotOutcome::default() };
    (trace, outcome)
}
