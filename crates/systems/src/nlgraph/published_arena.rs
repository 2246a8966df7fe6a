//! What GraphArena reports for its ten tasks, as reference rows beside ours.

use tasks::{Difficulty, TaskId};

use crate::experiment::Published;

/// Where the rows come from, and how their rule differs from ours.
const SOURCE: &str = "GraphArena (arXiv 2407.00379), 500 of its own problems for each task and size, four \
                      of its models, by its own rule: an answer counts if its value is the reference's, \
                      so invented names are dropped and repeated ones count";

/// The problems of each task and size.
const N: u32 = 500;

/// The models that are shown: the best, two of one family, and a small one.
const MODELS: [&str; 4] =
    ["deepseek-R1", "gpt-4o-2024-08-06", "gpt-4o-mini-2024-07-18", "Llama-3-8b"];

/// Correct answers of a task on small and large problems in per mille, model by model.
const ROWS: [(TaskId, [(u32, u32); 4]); 10] = [
    (TaskId::CommonNeighbors, [(992, 984), (778, 626), (884, 776), (368, 118)]),
    (TaskId::Distance, [(998, 986), (904, 680), (712, 426), (412, 234)]),
    (TaskId::Components, [(998, 998), (868, 404), (826, 246), (248, 22)]),
    (TaskId::Diameter, [(914, 542), (526, 32), (334, 16), (114, 2)]),
    (TaskId::MaxClique, [(982, 806), (624, 152), (532, 64), (280, 22)]),
    (TaskId::IndependentSet, [(986, 750), (634, 50), (428, 14), (282, 10)]),
    (TaskId::VertexCover, [(962, 802), (418, 116), (294, 74), (318, 64)]),
    (TaskId::CommonSubgraph, [(762, 32), (394, 12), (486, 12), (96, 4)]),
    (TaskId::EditDistance, [(672, 76), (326, 24), (296, 20), (72, 4)]),
    (TaskId::Tour, [(898, 94), (442, 8), (318, 0), (162, 0)]),
];

/// The rows of a task and size.
pub(super) fn published(task: TaskId, level: Difficulty) -> Option<Published> {
    let (_, figures) = ROWS.iter().find(|(of, _)| *of == task)?;
    let of_level =
        |(small, large): &(u32, u32)| if level == Difficulty::Easy { *small } else { *large };
    let row = |(model, figure)| (model, N, of_level(figure) * N / 1000, None);
    Some(Published { rows: MODELS.into_iter().zip(figures).map(row).collect(), source: SOURCE })
}

#[cfg(test)]
mod tests {
    use tasks::TaskGroup;

    use super::*;

    #[test]
    fn every_task_has_rows_that_are_whole_problems() {
        for task in TaskGroup::GraphArena.tasks() {
            for level in task.difficulties() {
                let rows = published(task, *level).unwrap().rows;
                assert_eq!(rows.len(), MODELS.len(), "{task}");
                assert!(rows.iter().all(|(_, n, right, _)| right <= n));
            }
        }
        // 500 problems: every figure is an even number of per mille.
        assert!(ROWS.iter().flat_map(|(_, r)| r).all(|(a, b)| a % 2 == 0 && b % 2 == 0));
    }
}
