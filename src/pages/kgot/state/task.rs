//! The task: one of the set, or one of one's own with its files.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::kgot::{OpenKgotTask, ReadKgotFiles, TaskFile, TaskFiles};
use systems::kgot::KgotTask;
use tasks::kgot::KgotCase;
use web_sys::File;

use super::{MAX_FILES, PageState, SEED};
use crate::pages::addresses;
use crate::routes::{self, href};
use crate::services::engine_client::{self, Beside};
use crate::services::{files, models};

impl PageState {
    /// Takes a task of the set.
    pub(in crate::pages::kgot) fn pick_task(self, index: usize) {
        let ask = OpenKgotTask { seed: SEED, index };
        self.ask(engine_client::knowledge(), ask, move |Exact(case)| {
            let KgotCase { question, answer, .. } = &case;
            let (question, answer) = (question.clone(), answer.clone());
            self.clear();
            let files = systems::kgot::experiment::task_of(&case).files;
            self.task.set(KgotTask { question, files });
            self.right.set(Some(answer));
            self.picked_task.set(Some(index));
            if routes::current().path == addresses::KGOT {
                let number = (index + 1).to_string();
                let keys = [("task", number.as_str())];
                let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
                self.followed.set_value(Some(keys.iter().map(own).collect()));
                routes::replace(&href(addresses::KGOT, &keys));
            }
        });
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
