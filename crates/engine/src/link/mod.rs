//! Permalinks: a problem, a graph, a compared pair of runs, a disaster or a trace in an address.
//!
//! The form is `v1.<kind>.<payload>`, `docs/sharing.md` has it in full. A link is anybody's text:
//! it is bounded before it is unfolded and while it is, and nothing in it is believed.

mod packed;
mod pair;
mod problem;
mod sample;
mod tools;

use protocol::exact::Exact;
use protocol::problem::{ReadProblem, ReadReply};
use protocol::share::{Linked, ReadLink, Shared, WriteLink};
use tasks::rescue::Scenario;
use trace::formats::write_own;

use crate::context::{Context, Ended};
use crate::{problems, trace_files};

pub use packed::{MAX_BYTES, MAX_CHARS};
pub(crate) use sample::sample;

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;
/// The most nodes of a graph in a link: without names they need no letters at all.
const MAX_NODES: usize = 50_000;
/// The most edges of a graph in a link, packed or made: a few letters ask for any number of them.
const MAX_EDGES: usize = 50_000;
/// What can be in a link.
const KINDS: &str = "problem, graph, pair, rescue, trace, lesson";

/// Why a link cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// Not of the form of a link.
    #[error("{start:?} is no link of Graphground: it must be v1.KIND.PAYLOAD")]
    Form {
        /// The first characters of the text.
        start: String,
    },
    /// Written by a later version.
    #[error(
        "this link has version {found} and this page reads versions 1 to {VERSION}; open it with a newer \
         Graphground"
    )]
    Newer {
        /// The link's.
        found: u32,
    },
    /// Of a kind that is not known.
    #[error("this link holds a {found:?}; what is read is one of {KINDS}")]
    Kind {
        /// What it says to be.
        found: String,
    },
    /// Longer than any that is read.
    #[error("this link is longer than the {limit} characters that are read; ask for the file")]
    TooLong {
        /// How many are read.
        limit: usize,
    },
    /// More in it than is unfolded.
    #[error("this link unfolds to more than the {limit} bytes that are read; ask for the file")]
    TooMuch {
        /// How many are read.
        limit: usize,
    },
    /// Cut off or changed on its way.
    #[error("this link is damaged: a part of it was cut off or changed on the way; copy it whole")]
    Damaged,
    /// Not what its kind must be.
    #[error("what this link holds is no {kind}: {reason}")]
    Content {
        /// Its kind.
        kind: &'static str,
        /// What is wrong with the payload.
        reason: String,
    },
    /// A graph that is none.
    #[error("the graph of this link cannot be built: {reason}")]
    Graph {
        /// Why there is no such graph.
        reason: String,
    },
}

/// Writes a link: `v1.<kind>.<payload>`.
///
/// # Errors
/// It cannot be written as JSON, which would be an internal error.
fn pack(shared: Shared) -> Result<String, String> {
    let json = |text: serde_json::Result<String>| text.map_err(|e| e.to_string());
    let (kind, text) = match shared {
        Shared::Problem { problem, wording, style } => {
            ("problem", json(serde_json::to_string(&problem::body(&problem, wording, style)))?)
        }
        Shared::Pair { problem, wording, style, runs } => {
            ("pair", json(serde_json::to_string(&pair::body(&problem, wording, style, &runs)))?)
        }
        Shared::Rescue { scenario } => ("rescue", json(serde_json::to_string(&scenario))?),
        // Our own format, which is read for ever.
        Shared::Trace { mut record } => {
            tools::leave_out(&mut record.trace);
            ("trace", write_own(&[*record]))
        }
        Shared::Lesson { text } => ("lesson", text),
    };
    Ok(format!("v{VERSION}.{kind}.{}", packed::pack(&text)))
}

pub(crate) async fn write(_: &Context, ask: WriteLink) -> Result<String, Ended> {
    Ok(pack(*ask.shared)?)
}

pub(crate) async fn read_link(_: &Context, ask: ReadLink) -> Result<Exact<Linked>, Ended> {
    Ok(Exact(read(&ask.link).map_err(|e| e.to_string())?))
}

/// Refuses a graph that is larger than a link may ask for.
fn bounded(n_nodes: usize, n_edges: usize) -> Result<(), LinkError> {
    let over = |n: usize, what: &str, most: usize| {
        let reason = format!("it has {n} {what}; at most {most} are read from a link");
        Err(LinkError::Graph { reason })
    };
    if n_nodes > MAX_NODES {
        over(n_nodes, "nodes", MAX_NODES)
    } else if n_edges > MAX_EDGES {
        over(n_edges, "edges", MAX_EDGES)
    } else {
        Ok(())
    }
}

/// Reads a link; what comes is what the same thing in a file would give.
///
/// # Errors
/// It is no link, is damaged, holds too much, or what it holds is not of its kind.
pub fn read(link: &str) -> Result<Linked, LinkError> {
    if link.len() > MAX_CHARS {
        return Err(LinkError::TooLong { limit: MAX_CHARS });
    }
    let form = || LinkError::Form { start: link.chars().take(30).collect() };
    let (version, rest) = link.split_once('.').ok_or_else(form)?;
    let found: u32 = version.strip_prefix('v').and_then(|v| v.parse().ok()).ok_or_else(form)?;
    if found > VERSION {
        return Err(LinkError::Newer { found });
    }
    if found == 0 {
        return Err(form());
    }
    let (kind, payload) = rest.split_once('.').ok_or_else(form)?;
    let content = |kind: &'static str| move |reason: String| LinkError::Content { kind, reason };
    match kind {
        "problem" => problem::read(&packed::unpack(payload)?),
        "graph" => {
            let read = problems::parse(&ReadProblem::new(packed::unpack(payload)?))
                .map_err(content("graph"))?;
            Ok(match read {
                ReadReply::Problem(problem) => Linked::Problem(problem),
                ReadReply::Graph(view) => {
                    bounded(view.graph.n_nodes(), view.graph.n_edges())?;
                    Linked::Graph(view)
                }
                ReadReply::Table(_) => {
                    return Err(content("graph")("the columns of its table are not known".into()));
                }
            })
        }
        "pair" => pair::read(&packed::unpack(payload)?),
        "rescue" => {
            let scenario = Scenario::from_json(&packed::unpack(payload)?)
                .map_err(|e| content("disaster")(e.to_string()))?;
            Ok(Linked::Rescue(Box::new(scenario)))
        }
        "trace" => {
            let mut file = trace_files::parse(packed::unpack(payload)?.as_bytes())
                .map_err(content("trace"))?;
            file.records.iter_mut().for_each(|record| tools::put_back(&mut record.trace));
            Ok(Linked::Traces(file))
        }
        // Its reader is the page's; what is in it was bounded as it was unfolded.
        "lesson" => Ok(Linked::Lesson(packed::unpack(payload)?)),
        _ => Err(LinkError::Kind { found: kind.chars().take(30).collect() }),
    }
}
