//! Graph-CoT: thought, action, observation, one hop at a time.
//!
//! The baseline of GraphRunner §4, after the public description of its loop: two turns of the model
//! a step (a thought, then an action), everything so far in one message, four functions and a way to
//! finish. The instructions and examples are our own words.

mod actions;

use std::collections::BTreeSet;

use agent::Conversation;
use kg::{Kg, NodeIx};
use llm::{Message, Model};
use trace::{Step, StepBody, Stop};

use crate::experiment::SystemSpec;
use crate::kgqa::{Answered, Drawing, KgRequest, ROLES, begin, schema_text};

use actions::{Action, Heard, observe};

/// The system.
pub(crate) const SYSTEM: SystemSpec = SystemSpec {
    id: "graph_cot",
    title: "Graph-CoT",
    lede: "Thinks, asks the graph for one hop, reads, and thinks again.",
    roles: ROLES,
    has_tools: false,
    in_shape: false,
};

/// The fields of the options that it looks at.
pub(crate) const OPTIONS: &[&str] =
    &["semantics", "find", "measure", "max_shown", "max_steps", "max_context_chars"];

/// What the instructions begin with.
pub const INSTRUCTIONS: &str = "Answer a question about a graph by steps of Thought, Action and \
Observation.";

/// The most characters of a prompt: the baseline ends at 10,000 tokens.
const MAX_PROMPT: usize = 40_000;

/// Three solved questions, as many as the public baseline has: one of a hop, one that counts, one of
/// several hops with several actions in a line.
///
/// `// Departs from the baseline's code:` there they are about the domain at hand. What a graph is about
/// is not known here, so they are about a library, whatever the graph.
const EXAMPLES: &str = "Examples, about a library:\n\
Question: Who wrote Salt Roads?\n\
Thought 1: I need the node of the book Salt Roads.\n\
Action 1: RetrieveNode[Salt Roads]\n\
Observation 1: The node most like \"Salt Roads\" is book:4.\n\
Thought 2: Its author is a neighbour of type written_by.\n\
Action 2: NeighbourCheck[book:4, written_by]\n\
Observation 2: The written_by neighbours of book:4 are: author:9.\n\
Thought 3: The answer is to be a name.\n\
Action 3: NodeFeature[author:9, name]\n\
Observation 3: The name of author:9 is Ana Petrova.\n\
Thought 4: That is the author.\n\
Action 4: Finish[Ana Petrova]\n\n\
Question: How many books has Ana Petrova written?\n\
Thought 1: I need the node of Ana Petrova.\n\
Action 1: RetrieveNode[Ana Petrova]\n\
Observation 1: The node most like \"Ana Petrova\" is author:9.\n\
Thought 2: Her books are neighbours of type written_by; only their number is asked for.\n\
Action 2: NodeDegree[author:9, written_by]\n\
Observation 2: author:9 has 2 written_by neighbours.\n\
Thought 3: That is the number.\n\
Action 3: Finish[2]\n\n\
Question: Which publisher has published both Ana Petrova and Jon Hale?\n\
Thought 1: I need both authors.\n\
Action 1: RetrieveNode[Ana Petrova], RetrieveNode[Jon Hale]\n\
Observation 1: The node most like \"Ana Petrova\" is author:9. The node most like \"Jon Hale\" is \
author:2.\n\
Thought 2: Publishers are joined to books, so I need the books of each.\n\
Action 2: NeighbourCheck[author:9, written_by], NeighbourCheck[author:2, written_by]\n\
Observation 2: The written_by neighbours of author:9 are: book:4, book:7. The written_by neighbours \
of author:2 are: book:5.\n\
Thought 3: Now the publisher of each book.\n\
Action 3: NeighbourCheck[book:4, published_by], NeighbourCheck[book:7, published_by], \
NeighbourCheck[book:5, published_by]\n\
Observation 3: The published_by neighbours of book:4 are: publisher:1. The published_by neighbours of \
book:7 are: publisher:3. The published_by neighbours of book:5 are: publisher:3.\n\
Thought 4: Both have publisher:3; the answer is to be a name.\n\
Action 4: NodeFeature[publisher:3, name]\n\
Observation 4: The name of publisher:3 is Quay Press.\n\
Thought 5: That is the publisher.\n\
Action 5: Finish[Quay Press]\n";

/// The message of the model before a turn; the scratchpad has all steps so far.
fn prompt(kg: &Kg, question: &str, scratchpad: &str) -> Message {
    Message::user(format!(
        "{INSTRUCTIONS} In a Thought you consider what you know and what you need next. An Action \
         is one of these, or several in one line, parted by commas:\n\
         RetrieveNode[keyword]: the id of the node most like the keyword.\n\
         NodeFeature[id, feature]: a feature of a node, such as name.\n\
         NodeDegree[id, neighbour type]: how many neighbours of that type a node has.\n\
         NeighbourCheck[id, neighbour type]: the ids of a node's neighbours of that type.\n\
         Finish[answer]: ends with the answer.\n\n\
         {EXAMPLES}\n\
         Neighbour types are the edge types of this graph; edges are followed both ways.\n{}\n\
         Answer by names, not ids; part several by `; `; where a number is asked for, give it \
         alone; where there is nothing, finish with none.\n\
         Question: {question}\n{scratchpad}",
        schema_text(kg)
    ))
}

pub(crate) async fn run(
    request: &KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Answered {
    let kg: &Kg = request.finder.kg();
    let question = &request.question.question;
    let trace = begin(SYSTEM.id, model, Vec::new());
    let mut talk = Conversation::new(trace, model, request.setting, on_step);
    let mut reached: BTreeSet<NodeIx> = BTreeSet::new();
    let mut on = Drawing::default();
    let mut scratchpad = String::new();
    let mut answer = None;
    let mut stop = Stop::Rounds;
    'steps: for i in 1..=request.options.max_steps {
        let mut line = String::new();
        for word in ["Thought", "Action"] {
            scratchpad.push_str(&format!("{word} {i}:"));
            let asked = prompt(kg, question, &scratchpad);
            if asked.content.len() > MAX_PROMPT {
                let message = "the scratchpad has grown beyond 10,000 tokens".to_owned();
                stop = Stop::ModelFailed { message, is_overflow: true };
                break 'steps;
            }
            talk.say(vec![asked], true);
            match talk.ask(&[]).await {
                Ok(message) => line = first_line(&message.content, word),
                // The first line counts, and that was not cut.
                Err(Stop::CutOff) if talk.last_said().trim_start().contains('\n') => {
                    line = first_line(talk.last_said(), word);
                }
                Err(why) => {
                    stop = why;
                    break 'steps;
                }
            }
            scratchpad.push_str(&format!(" {line}\n"));
        }
        let mut seen = Vec::new();
        for action in Action::all(&line) {
            if let Action::Finish(text) = &action {
                answer = Some(format!("Answer: {text}"));
                stop = Stop::Answered;
                break 'steps;
            }
            let began = talk.now_ms();
            let Heard { call, result, effects, text, nodes } = observe(
                &action,
                request.finder,
                request.options.find.over,
                &mut on,
                talk.trace().n_calls() + 1,
            );
            reached.extend(nodes);
            talk.add(began, StepBody::Call { call, result, effects, told: Some(text.clone()) });
            seen.push(text);
        }
        if seen.is_empty() {
            let text = format!(
                "{line:?} is no action; an action is RetrieveNode[…], NodeFeature[…], \
                 NodeDegree[…], NeighbourCheck[…] or Finish[…]."
            );
            let finding = trace::Finding {
                rule: "read".into(),
                at: Some(format!("action {i}")),
                is_error: true,
                message: text.clone(),
                options: Vec::new(),
            };
            let now = talk.now_ms();
            let stage = format!("action {i}");
            talk.add(now, StepBody::Findings { stage, findings: vec![finding] });
            seen.push(text);
        }
        scratchpad.push_str(&format!("Observation {i}: {}\n", seen.join(" ")));
    }
    Answered { trace: talk.end(stop), answer, plan: None, reached, n_repairs: 0, part: None }
}

/// What a model says up to the end of its line: the baseline stops it there. A model that repeats
/// the word before is forgiven.
fn first_line(text: &str, word: &str) -> String {
    let line = text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let plain = line.trim_start_matches('*');
    let rest = plain.strip_prefix(word).and_then(|r| r.split_once(':')).map(|(_, r)| r.trim());
    let line = rest.unwrap_or(line);
    line.chars().take(4_000).collect()
}
