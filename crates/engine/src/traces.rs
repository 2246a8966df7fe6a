//! Files of traces, and what can be asked of a trace without a model.

use systems::RunOptions;
use systems::grounded::GraphTools;
use systems::{kgetool, kgqa};
use trace::replay::{fill_effects, replay as replay_trace};
use trace::{Record, Trace, formats};

use crate::Output;

/// The tools as they were before the first step.
fn tools(trace: &Trace) -> GraphTools {
    let graph = trace.attached.clone();
    let tools = graph.map_or_else(GraphTools::default, GraphTools::over);
    match RunOptions::default().max_result_chars {
        Some(max) => tools.with_compact_results(max),
        None => tools,
    }
}

/// Reads a file. In a format that does not say what a call did to the graph, the calls are made
/// again to find out.
pub(crate) fn read(text: &str) -> Result<Output, String> {
    let (format, mut records) = formats::read(text).map_err(|e| e.to_string())?;
    if format.id != formats::FORMATS[0].id {
        for record in &mut records {
            let mut tools = tools(&record.trace);
            fill_effects(&mut record.trace, &mut tools);
        }
    }
    Ok(Output::Traces { format: format.title.to_owned(), records })
}

pub(crate) fn write(records: &[Record], format: &str) -> Result<Output, String> {
    let format =
        formats::find(format).ok_or_else(|| format!("there is no trace format {format:?}"))?;
    let extension = format.extension.to_owned();
    Ok(Output::Text { text: (format.write)(records), extension })
}

pub(crate) fn replay(trace: &Trace) -> Result<Output, String> {
    if let Some(system) = kgqa::find(&trace.system) {
        return Err(format!(
            "the steps of {} read a knowledge graph, which is not in the trace; ask the same \
             question again on its page to compute them",
            system.title
        ));
    }
    let ours = kgetool::replay(trace);
    let replay = ours.unwrap_or_else(|| replay_trace(trace, &mut tools(trace), true));
    Ok(Output::Replay { replay })
}
