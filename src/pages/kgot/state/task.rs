//! The task: one of the set, or one of one's own with its files.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::kgot::{KgotRun, ReadKgotFiles, TaskFile, TaskFiles};
use protocol::runs::ListCases;
use systems::experiment::Source;
use tasks::kgot::KgotCase;
use web_sys::File;

use super::{MAX_FILES, PageState, SEED};
use crate::pages::addresses;
use crate::routes::{self, href};
use crate::services::engine_client::{self, Beside};
use crate::services::{files, models};
use crate::state::kgot_form::ChosenTask;

impl PageState {
    /// Loads the tasks of the set, and takes one of them.
    pub(super) fn load_tasks(self, index: usize) {
        let ask = ListCases::new(Source { seed: SEED, ..Source::default() });
        self.ask::<ListCases<KgotRun>>(engine_client::knowledge(), ask, move |Exact(cases)| {
            let tasks: Result<Vec<KgotCase>, String> =
                cases.iter().map(|c| c.body.read()).collect();
            match tasks {
                Ok(tasks) => {
                    self.tasks.set(tasks);
                    self.pick_task(index);
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Takes a task of the set.
    pub(in crate::pages::kgot) fn pick_task(self, index: usize) {
        let chosen = self.tasks.with_untracked(|tasks| {
            let case = tasks.get(index).map(|case| ChosenTask::of_set(index, case));
            case.ok_or_else(|| format!("the set has the tasks 1 to {}", tasks.len()))
        });
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        self.clear();
        self.chosen.set(chosen);
        if routes::current().path == addresses::KGOT {
            let number = (index + 1).to_string();
            let keys = [("task", number.as_str())];
            let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
            self.followed.set_value(Some(keys.iter().map(own).collect()));
            routes::replace(&href(addresses::KGOT, &keys));
        }
    }

    /// A task of one's own.
    pub(in crate::pages::kgot) fn begin_own(self) {
        self.clear();
        self.chosen.set(ChosenTask::default());
    }

    /// Words of a task of the set that were changed are one's own, and nobody knows what is right.
    pub(in crate::pages::kgot) fn type_in(self, words: String) {
        self.chosen.update(|chosen| chosen.change(|task| task.question = words));
    }

    /// Adds files to the task.
    pub(in crate::pages::kgot) fn take_files(self, list: Vec<File>) {
        if let Some(problem) = list.iter().find_map(files::too_large) {
            return self.session.notice.set(Some(problem));
        }
        let room = MAX_FILES.saturating_sub(self.chosen.with_untracked(|c| c.task.files.len()));
        if list.len() > room {
            let words = format!("A task may have at most {MAX_FILES} files.");
            return self.session.notice.set(Some(words));
        }
        spawn_local(async move {
            let mut names = Vec::new();
            let mut bytes = Vec::new();
            for file in &list {
                match models::bytes(file).await {
                    Ok(buffer) => {
                        names.push(file.name());
                        bytes.push((file.name(), buffer));
                    }
                    Err(message) => return self.session.notice.set(Some(message)),
                }
            }
            let beside = Beside { bytes, ..Beside::default() };
            let engine = engine_client::knowledge();
            let read = engine.ask_with(&ReadKgotFiles { names }, &beside, |_, _| ()).await;
            match read {
                Ok(Exact(TaskFiles { files, refused })) => {
                    self.session.notice.set((!refused.is_empty()).then(|| refused.join(" ")));
                    self.chosen.update(|chosen| {
                        for TaskFile { file, preview } in files {
                            chosen.previews.insert(file.name.clone(), preview);
                            chosen.change(|task| {
                                task.files.retain(|f| f.name != file.name);
                                task.files.push(file);
                            });
                        }
                    });
                }
                Err(message) => self.session.notice.set(Some(message.into())),
            }
        });
    }

    /// Takes a file away.
    pub(in crate::pages::kgot) fn drop_file(self, name: &str) {
        self.chosen.update(|chosen| chosen.change(|t| t.files.retain(|f| f.name != name)));
    }
}
