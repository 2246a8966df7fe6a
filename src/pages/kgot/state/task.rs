//! The task: one of the set, or one of one's own with its files.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::kgot::{KgotRun, ReadKgotFiles, TaskFile, TaskFiles};
use protocol::runs::ListCases;
use systems::experiment::Source;
use systems::kgot::KgotTask;
use tasks::kgot::KgotCase;
use web_sys::File;

use super::{MAX_FILES, PageState, SEED};
use crate::pages::addresses;
use crate::routes::{self, href};
use crate::services::engine_client::{self, Beside};
use crate::services::{files, models};

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
        let case = self.tasks.with_untracked(|tasks| {
            let none = || format!("the set has the tasks 1 to {}", tasks.len());
            tasks.get(index).cloned().ok_or_else(none)
        });
        let case = match case {
            Ok(case) => case,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        self.clear();
        self.task.set(systems::kgot::experiment::task_of(&case));
        self.right.set(Some(case.answer));
        self.picked_task.set(Some(index));
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
        self.task.set(KgotTask::default());
        self.right.set(None);
        self.picked_task.set(None);
    }

    /// Words of a task of the set that were changed are one's own, and nobody knows what is right.
    pub(in crate::pages::kgot) fn type_in(self, words: String) {
        self.task.update(|t| t.question = words);
        self.right.set(None);
        self.picked_task.set(None);
    }

    /// Adds files to the task.
    pub(in crate::pages::kgot) fn take_files(self, list: Vec<File>) {
        if let Some(problem) = list.iter().find_map(files::too_large) {
            return self.session.notice.set(Some(problem));
        }
        let room = MAX_FILES.saturating_sub(self.task.with_untracked(|t| t.files.len()));
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
                    self.right.set(None);
                    self.picked_task.set(None);
                    self.task.update(|task| {
                        for TaskFile { file, preview } in files {
                            task.files.retain(|f| f.name != file.name);
                            self.previews.update(|all| _ = all.insert(file.name.clone(), preview));
                            task.files.push(file);
                        }
                    });
                }
                Err(message) => self.session.notice.set(Some(message.into())),
            }
        });
    }

    /// Takes a file away.
    pub(in crate::pages::kgot) fn drop_file(self, name: &str) {
        self.right.set(None);
        self.picked_task.set(None);
        self.task.update(|t| t.files.retain(|f| f.name != name));
    }
}
