//! The list of experiments. It is above its entries, which know only what all have in common.

use serde_json::Value;

use crate::experiment::{Experiment, Setup, SystemSpec};

/// Every experiment, in the order in which lists show them.
pub static EXPERIMENTS: &[&dyn Experiment] = &[
    &crate::nlgraph::NlGraph,
    &crate::kgqa::KgQa,
    &crate::kgetool::experiment::FamilyRequests,
    &crate::toolformer::experiment::InlineCalls,
    &crate::rescue::experiment::Rescue,
    &crate::kgot::experiment::KgotTasks,
];

/// The experiment of that id.
///
/// # Errors
/// There is none; the message lists those that there are.
pub fn find(id: &str) -> Result<&'static dyn Experiment, String> {
    EXPERIMENTS.iter().find(|e| e.id() == id).copied().ok_or_else(|| {
        let known: Vec<&str> = EXPERIMENTS.iter().map(|e| e.id()).collect();
        format!("there is no experiment {id:?}; there are {}", known.join(", "))
    })
}

/// The systems of each experiment, in the same order. They are data: code that only names a system takes
/// none of its code.
static SYSTEMS: [&[SystemSpec]; 6] = [
    &crate::nlgraph::SYSTEMS,
    &crate::kgqa::SYSTEMS,
    &crate::kgetool::experiment::SYSTEMS,
    &crate::toolformer::experiment::SYSTEMS,
    &crate::rescue::experiment::SYSTEMS,
    crate::kgot::experiment::SYSTEMS,
];

/// The title of the system of that id, whichever experiment has it.
pub fn system_title(id: &str) -> Option<&'static str> {
    SYSTEMS.into_iter().flatten().find(|system| system.id == id).map(|system| system.title)
}

impl Setup {
    /// The system, where this version has it.
    pub fn spec(&self) -> Option<&'static SystemSpec> {
        find(&self.experiment).ok().and_then(|e| e.system(&self.system).ok())
    }

    /// The usual options of its system, where this version has its experiment.
    pub(crate) fn usual_options(&self) -> Option<Value> {
        find(&self.experiment).ok().map(|e| e.options(&self.system))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::JUDGE;

    /// Names are what files and command lines hold on to.
    #[test]
    fn every_name_is_there_once_and_every_usual_option_is_read() {
        for (i, experiment) in EXPERIMENTS.iter().enumerate() {
            assert!(EXPERIMENTS[..i].iter().all(|e| e.id() != experiment.id()));
            assert!(experiment.lede().ends_with('.'), "{}", experiment.id());
            let ids = |systems: &[SystemSpec]| systems.iter().map(|s| s.id).collect::<Vec<_>>();
            assert_eq!(ids(experiment.systems()), ids(SYSTEMS[i]));
            for (k, system) in experiment.systems().iter().enumerate() {
                let before = &experiment.systems()[..k];
                assert!(before.iter().all(|s| s.id != system.id), "{}", system.id);
                assert!(system.lede.ends_with('.') && !system.roles.is_empty(), "{}", system.id);
                let usual = experiment.options(system.id);
                assert_eq!(experiment.read_options(system.id, &usual), Ok(usual.clone()));
                let wrong = serde_json::json!({ "no_such_option": 1 });
                let error = experiment.read_options(system.id, &wrong).unwrap_err();
                assert!(error.contains("no_such_option"), "{error}");
                for role in system.roles.iter().filter(|r| r.id != JUDGE.id) {
                    let scripts = experiment.scripts(role.id);
                    assert!(!scripts.is_empty(), "{} {}", experiment.id(), role.id);
                    for script in scripts {
                        assert!(experiment.script(role.id, &script.name).is_some(), "{script:?}");
                    }
                }
            }
            for table in experiment.tables() {
                for row in (table.published)(&[]) {
                    assert_eq!(row.values.len(), table.columns.len(), "{}", table.title);
                    assert_eq!(row.labels.len(), table.labels.len(), "{}", table.title);
                }
            }
        }
        assert!(find("nothing").err().is_some_and(|e| e.contains("nlgraph")));
    }
}
