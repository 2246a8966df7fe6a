//! A task's words for people, without its algorithms: a page that only lists tasks stays small.

use crate::nlgraph;
use crate::{Difficulty, TaskId};

macro_rules! of_task {
    ($id:expr, $field:ident) => {
        match $id {
            TaskId::Connectivity => nlgraph::connectivity::TASK.$field,
            TaskId::Cycle => nlgraph::cycle::TASK.$field,
            TaskId::Topology => nlgraph::topology::TASK.$field,
            TaskId::ShortestPath => nlgraph::shortest_path::TASK.$field,
            TaskId::Flow => nlgraph::flow::TASK.$field,
            TaskId::Matching => nlgraph::matching::TASK.$field,
            TaskId::Hamilton => nlgraph::hamilton::TASK.$field,
            TaskId::Gnn => nlgraph::gnn::TASK.$field,
        }
    };
}

impl TaskId {
    /// A few words for people.
    pub fn title(self) -> &'static str {
        of_task!(self, title)
    }

    /// One sentence for people.
    pub fn lede(self) -> &'static str {
        of_task!(self, lede)
    }

    /// The levels that the benchmark has for it.
    pub fn difficulties(self) -> &'static [Difficulty] {
        of_task!(self, difficulties)
    }
}
