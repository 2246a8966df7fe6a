//! What an address says of a page that shows a problem: the problem, its wording, how it is run, and
//! which script plays the model. What is usual is left out, so that a plain address stays short.

use std::collections::BTreeMap;

use protocol::runs::ModelChoice;
use serde::Serialize;
use serde::de::DeserializeOwned;
use systems::grounded::scripted::Script;
use tasks::{Difficulty, Style, TaskId, Wording};

use super::how::{How, MOST_RUNS};
use super::settings::{ModelSettings, Who};

/// The keys of an address.
pub type Keys = BTreeMap<String, String>;

/// What a new problem is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProblemSetup {
    /// The task that the problem is made for.
    pub task: TaskId,
    /// One of the task's levels.
    pub difficulty: Difficulty,
    /// Which of the problems of that level.
    pub seed: u64,
    /// The words of the question.
    pub wording: Wording,
    /// How the model is prompted.
    pub style: Style,
}

impl Default for ProblemSetup {
    /// The problem that a visitor sees first: one in whose answer without tools our own model makes an
    /// edge up.
    fn default() -> Self {
        Self {
            task: TaskId::ShortestPath,
            difficulty: Difficulty::Easy,
            seed: 8,
            wording: Wording::Improved,
            style: Style::ZeroShot,
        }
    }
}

/// The name of a variant, as files have it.
fn name_of(variant: impl Serialize) -> Option<String> {
    serde_json::to_value(variant).ok()?.as_str().map(str::to_owned)
}

fn named<T: DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(name.into()).ok()
}

impl ProblemSetup {
    /// Reads keys; what is missing or cannot be read is as usual.
    pub fn of_keys(keys: &Keys) -> Self {
        let usual = Self::default();
        let key = |name: &str| keys.get(name).map(String::as_str);
        let task = key("task").and_then(TaskId::from_name).unwrap_or(usual.task);
        let difficulty = key("difficulty").and_then(Difficulty::from_name);
        Self {
            task,
            difficulty: difficulty.unwrap_or(usual.difficulty),
            seed: key("seed").and_then(|s| s.parse().ok()).unwrap_or(usual.seed),
            wording: key("wording").and_then(named).unwrap_or(usual.wording),
            style: key("style").and_then(named).unwrap_or(usual.style),
        }
        .with_known_level()
    }

    /// What of an address names nothing that there is, and what is shown in its place.
    pub fn fault_of_keys(keys: &Keys) -> Option<String> {
        let unknown = |name: &str, is_known: fn(&str) -> bool| {
            let word = keys.get(name).filter(|word| !is_known(word))?;
            Some(format!("{name} {:?}", word.chars().take(40).collect::<String>()))
        };
        let is_number: fn(&str) -> bool = |s| s.parse::<u64>().is_ok();
        let unknown: Vec<String> = [
            unknown("task", |t| TaskId::from_name(t).is_some()),
            unknown("difficulty", |d| Difficulty::from_name(d).is_some()),
            unknown("seed", is_number),
        ]
        .into_iter()
        .flatten()
        .collect();
        let shown = Self::of_keys(keys);
        (!unknown.is_empty()).then(|| {
            format!(
                "The address asks for {}, which is not here; shown is {}, {}, seed {}.",
                unknown.join(" and "),
                shown.task.title(),
                shown.difficulty.as_str(),
                shown.seed
            )
        })
    }

    /// Takes the easy level where the task lacks the one that is asked for.
    pub fn with_known_level(mut self) -> Self {
        if !self.task.difficulties().contains(&self.difficulty) {
            self.difficulty = Difficulty::Easy;
        }
        self
    }

    /// The keys that lead to this problem.
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let mut keys = vec![
            ("task", self.task.as_str().to_owned()),
            ("difficulty", self.difficulty.as_str().to_owned()),
            ("seed", self.seed.to_string()),
        ];
        if self.wording != usual.wording {
            keys.extend(name_of(self.wording).map(|name| ("wording", name)));
        }
        if self.style != usual.style {
            keys.extend(name_of(self.style).map(|name| ("style", name)));
        }
        keys
    }
}

/// The keys that say how a run goes about it.
pub fn how_keys(how: &How) -> Vec<(&'static str, String)> {
    let mut keys = Vec::new();
    if how.few_tools == Some(false) {
        keys.push(("tools", "all".to_owned()));
    }
    if how.few_tools == Some(true) {
        keys.push(("tools", how.n_tools.to_string()));
        if !how.pinned.trim().is_empty() {
            keys.push(("pin", how.pinned.trim().to_owned()));
        }
    }
    if let Some(hold) = how.hold {
        keys.push(("hold", u8::from(hold).to_string()));
    }
    if how.attach {
        keys.push(("attach", "1".to_owned()));
    }
    if how.n_runs > 1 {
        keys.push(("runs", how.n_runs.to_string()));
    }
    keys
}

/// How a run goes about it, as keys say.
pub fn how_of_keys(keys: &Keys) -> How {
    let usual = How::default();
    let number = |name: &str| keys.get(name).and_then(|v| v.parse::<u32>().ok());
    let n_tools = number("tools").map(|n| n.clamp(1, 20) as usize);
    How {
        few_tools: match keys.get("tools").map(String::as_str) {
            Some("all") => Some(false),
            _ => n_tools.map(|_| true),
        },
        n_tools: n_tools.unwrap_or(usual.n_tools),
        pinned: keys.get("pin").cloned().unwrap_or_default(),
        hold: keys.get("hold").map(|v| v == "1"),
        attach: keys.get("attach").is_some_and(|v| v == "1"),
        n_runs: number("runs").map_or(1, |n| n.clamp(1, MOST_RUNS)),
    }
}

/// What our own model is called in addresses.
pub const OWN: &str = "own";

/// The key of the script that plays the model, where one does.
pub fn model_key(settings: &ModelSettings) -> Option<(&'static str, String)> {
    (settings.who == Who::Script).then(|| ("model", settings.script.clone()))
}

/// The model that keys name: a script, or our own. An address must cost nobody anything.
pub fn model_of_keys(keys: &Keys) -> Option<ModelChoice> {
    let name = keys.get("model")?;
    if name == OWN {
        return Some(ModelChoice::Own);
    }
    Script::by_name(name).map(|_| ModelChoice::Script { name: name.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(keys: Vec<(&'static str, String)>) -> Keys {
        keys.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
    }

    #[test]
    fn every_setup_is_read_back_from_its_keys() {
        for task in TaskId::ALL {
            for (wording, _) in super::super::how::WORDINGS {
                for (style, _) in super::super::how::STYLES {
                    let setup =
                        ProblemSetup { task, seed: 11, wording, style, ..ProblemSetup::default() };
                    let setup = setup.with_known_level();
                    assert_eq!(ProblemSetup::of_keys(&back(setup.keys())), setup);
                }
            }
        }
        assert_eq!(ProblemSetup::default().keys().len(), 3, "a default is in no address");
    }

    #[test]
    fn how_a_run_goes_about_it_is_read_back() {
        for how in [
            How::default(),
            How { few_tools: Some(false), ..How::default() },
            How {
                few_tools: Some(true),
                n_tools: 4,
                pinned: "pagerank, bfs_order".into(),
                hold: Some(true),
                attach: true,
                n_runs: 3,
            },
        ] {
            assert_eq!(how_of_keys(&back(how_keys(&how))), how);
        }
        let wild = back(vec![("runs", "999".into()), ("tools", "0".into())]);
        assert_eq!((how_of_keys(&wild).n_runs, how_of_keys(&wild).n_tools), (MOST_RUNS, 1));
    }

    #[test]
    fn what_an_address_asks_for_in_vain_is_told() {
        let keys = |list: &[(&str, &str)]| -> Keys {
            list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
        };
        let fault = ProblemSetup::fault_of_keys(&keys(&[("task", "banana"), ("seed", "x")]));
        let fault = fault.unwrap();
        assert!(fault.contains("task \"banana\" and seed \"x\""), "{fault}");
        let known =
            keys(&[("task", "cycle"), ("difficulty", "easy"), ("seed", "3"), ("more", "?")]);
        assert_eq!(ProblemSetup::fault_of_keys(&known), None);
    }

    #[test]
    fn an_address_names_scripts_or_our_own_model_and_never_an_endpoint() {
        let settings = |script: &str, who| ModelSettings {
            script: script.into(),
            who,
            ..ModelSettings::default()
        };
        let script = settings("mistaken/bad-json", Who::Script);
        let keys = back(model_key(&script).into_iter().collect());
        assert_eq!(model_of_keys(&keys), Some(script.choice()));
        for who in [Who::Own, Who::Endpoint, Who::File] {
            assert_eq!(model_key(&settings("mistaken", who)), None);
        }
        assert_eq!(model_of_keys(&back(vec![("model", "own".into())])), Some(ModelChoice::Own));
        assert_eq!(model_of_keys(&back(vec![("model", "https://x".into())])), None);
    }
}
