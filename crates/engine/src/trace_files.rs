//! Files of traces, and what can be asked of a trace without a model.

use protocol::exact::Exact;
use protocol::traces::{
    CompareTraces, JudgeAnswers, JudgedAnswers, ReadTraces, ReplayTrace, TextFile, TraceFile,
    WriteTraces,
};
use systems::RunOptions;
use systems::grounded::GraphTools;
use systems::{kgetool, kgqa};
use trace::diff::{Diff, diff};
use trace::replay::{Replay, fill_effects, replay as replay_trace};
use trace::{Trace, formats};

use crate::context::{Context, Ended};
use crate::problems::bounded;

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;

/// The tools as they were before the first step.
fn tools(trace: &Trace) -> GraphTools {
    let tools = GraphTools::before(trace);
    match RunOptions::default().max_result_chars {
        Some(max) => tools.with_compact_results(max),
        None => tools,
    }
}

/// Reads a file. In a format that does not say what a call did to the graph, the calls are made
/// again to find out.
pub(crate) fn parse(bytes: &[u8]) -> Result<TraceFile, String> {
    let formats::Opened { format, mut records, notes } =
        formats::open(bytes).map_err(|e| e.to_string())?;
    if format.id != formats::FORMATS[0].id {
        for record in &mut records {
            let mut tools = tools(&record.trace);
            fill_effects(&mut record.trace, &mut tools);
        }
    }
    Ok(TraceFile { format: format.title.to_owned(), records, notes: notes.lines() })
}

pub(crate) async fn read(context: &Context, ask: ReadTraces) -> Result<TraceFile, Ended> {
    let bytes = match ask.text {
        Some(text) => text.into_bytes(),
        None => context.attachments.take_bytes().pop().map(|(_, bytes)| bytes).unwrap_or_default(),
    };
    Ok(parse(&bytes)?)
}

pub(crate) async fn judge(context: &Context, ask: JudgeAnswers) -> Result<JudgedAnswers, Ended> {
    let total = ask.answers.len();
    let mut verdicts = Vec::with_capacity(total);
    let mut began = context.host.now_ms();
    for (question, answer) in ask.answers {
        let read = tasks::parse_question(&question).ok();
        let problem = read.filter(|problem| bounded(&problem.graph).is_ok());
        verdicts.push(problem.map(|problem| tasks::verify(&problem, &answer).verdict));
        if context.host.now_ms() - began > SLICE_MS {
            context.progress(verdicts.len(), total).await?;
            began = context.host.now_ms();
        }
    }
    Ok(JudgedAnswers { verdicts })
}

pub(crate) async fn write(_: &Context, ask: WriteTraces) -> Result<TextFile, Ended> {
    let (format, text) = formats::write(&ask.format, &ask.records)?;
    Ok(TextFile { text, extension: format.extensions[0].to_owned() })
}

pub(crate) async fn compare(_: &Context, ask: CompareTraces) -> Result<Exact<Diff>, Ended> {
    Ok(Exact(diff(&ask.left, &ask.right)))
}

pub(crate) async fn replay(_: &Context, ask: ReplayTrace) -> Result<Exact<Replay>, Ended> {
    let trace = &*ask.trace;
    if let Some(system) = kgqa::find(&trace.system) {
        return Err(Ended::Failed(format!(
            "the steps of {} read a knowledge graph, which is not in the trace; ask the same \
             question again on its page to compute them",
            system.title
        )));
    }
    let replay = kgetool::replay(trace);
    Ok(Exact(replay.unwrap_or_else(|| replay_trace(trace, &mut tools(trace), true))))
}
