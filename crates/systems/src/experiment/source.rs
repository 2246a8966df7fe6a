//! Where cases come from.

use serde::{Deserialize, Serialize};

/// What stands for all groups, or all levels.
pub const ALL: &str = "all";

/// Where cases come from: files of a person's own, or a generator with a seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Source {
    /// Names and texts of files; with any, no case is generated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
    /// Generated cases of each group and level; of files, the first so many of each. Absent: as many
    /// as is usual, or all of the files.
    pub n: Option<usize>,
    /// The first seed. The same seed makes the same cases on every machine.
    pub seed: u64,
    /// The groups that are wanted, such as tasks; `all` stands for all of them.
    pub groups: Vec<String>,
    /// The levels that are wanted; `all` stands for all of them.
    pub levels: Vec<String>,
    /// What the cases stand on, where it can be made from a name: `metro:4:1`. Empty for the usual.
    pub world: String,
}

impl Default for Source {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            n: None,
            seed: 1,
            groups: vec![ALL.into()],
            levels: vec![ALL.into()],
            world: String::new(),
        }
    }
}

impl Source {
    /// Whether a group is wanted.
    pub fn has_group(&self, group: &str) -> bool {
        self.groups.iter().any(|g| g == group || g == ALL)
    }

    /// Whether a level is wanted. A level that is not known is, if all are.
    pub fn has_level(&self, level: &str) -> bool {
        self.levels.iter().any(|l| l == level || l == ALL)
    }

    /// Keeps the cases of wanted groups and levels, and of each the first [`Source::n`].
    pub fn keep(&self, mut cases: Vec<super::Case>) -> Vec<super::Case> {
        let mut counts: std::collections::BTreeMap<(String, String), usize> = Default::default();
        cases.retain(|case| {
            if !self.has_group(&case.group) || !self.has_level(&case.level) {
                return false;
            }
            let of = counts.entry((case.group.clone(), case.level.clone())).or_default();
            *of += 1;
            self.n.is_none_or(|n| *of <= n)
        });
        cases
    }
}
