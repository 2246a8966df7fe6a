//! The hubs: what calls can load, ask and be answered by, and what works on what.
//!
//! Paper: Graph-ToolFormer §4.7.3.

pub mod datasets;
pub mod language_models;
pub mod models;
pub mod tasks;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

pub use datasets::{DATASETS, Dataset, DatasetKind};
pub use language_models::{LANGUAGE_MODELS, LanguageModel};
pub use models::{HubModel, MODELS};
pub use tasks::{Function, FunctionParameter, HubTask, TASKS};

use super::data::{Data, DataError};
use super::error::CallError;
use super::files::{CallFiles, FileData, steps};
use super::reasoner::Reasoner;

/// What is at hand of what the hubs list.
#[derive(Clone, Default)]
pub struct Hubs {
    data: BTreeMap<String, (DatasetKind, Data)>,
    /// By name, and by the one data set that a model is of, if it is of one alone.
    models: BTreeMap<(&'static str, Option<String>), Rc<dyn Reasoner>>,
    /// Where the files are that calls may load by their path; none where none may be.
    files: Option<Rc<dyn CallFiles>>,
}

/// Whether a model works on a dataset, and what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Works {
    /// It works, with what is here.
    Yes,
    /// It would if the data were here.
    NeedsData,
    /// It would if the model were here.
    NeedsModel,
    /// It would if both were here.
    NeedsBoth,
    /// It is not about such data.
    No,
}

/// A line of the matrix of what works on what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HubRow {
    /// The id of a dataset.
    pub dataset: &'static str,
    /// Each model with whether it works.
    pub models: Vec<(&'static str, Works)>,
}

impl Hubs {
    /// With everything that takes no file and no training.
    ///
    /// # Errors
    /// None in practice: what is made has fixed sizes.
    pub fn new() -> Result<Self, DataError> {
        let mut hubs = Self::default();
        for dataset in DATASETS {
            if let Some(make) = dataset.make {
                hubs.data.insert(dataset.id.to_owned(), (dataset.kind, make()?));
            }
        }
        for model in MODELS {
            if let Some(make) = model.make {
                hubs.models.insert((model.id, None), make());
            }
        }
        Ok(hubs)
    }

    /// Hands data over: those of a dataset that is listed, or others under a name of their own.
    #[must_use]
    pub fn with_data(mut self, name: &str, kind: DatasetKind, data: Data) -> Self {
        self.data.insert(id_of(name), (kind, data));
        self
    }

    /// Lets calls load files by their path.
    #[must_use]
    pub fn with_files(mut self, files: Rc<dyn CallFiles>) -> Self {
        self.files = Some(files);
        self
    }

    /// The data of a file that a call names by its path.
    ///
    /// # Errors
    /// No files may be loaded here; the path leads out of the folder; there is no such file, or it
    /// cannot be read.
    pub fn file(&self, path: &str) -> Result<FileData, CallError> {
        let wrong = |why: String| CallError::File { path: path.to_owned(), why };
        let files = self.files.as_ref().ok_or_else(|| {
            wrong(
                "no folder is open to calls. In the companion --files FOLDER opens one; on the page \
                 drop the file, and name it in calls without its path and ending"
                    .to_owned(),
            )
        })?;
        let steps = steps(path).map_err(wrong)?;
        files.load(&steps).map_err(wrong)
    }

    /// Paths of files that calls may load, at most so many.
    pub fn file_paths(&self, most: usize) -> Vec<String> {
        self.files.as_ref().map(|f| f.paths(most)).unwrap_or_default()
    }

    /// Registers a model of the hub; any other name is an error.
    ///
    /// # Errors
    /// The hub lists no such model.
    pub fn with_model(mut self, name: &str, model: Rc<dyn Reasoner>) -> Result<Self, CallError> {
        let entry = models::find(name).ok_or_else(|| unknown_domain(name))?;
        self.models.insert((entry.id, None), model);
        Ok(self)
    }

    /// Registers a model that is of one data set; others of its name, of other data sets, stay.
    ///
    /// # Errors
    /// The hub lists no such model.
    pub fn with_model_of(
        mut self,
        name: &str,
        dataset: &str,
        model: Rc<dyn Reasoner>,
    ) -> Result<Self, CallError> {
        let entry = models::find(name).ok_or_else(|| unknown_domain(name))?;
        self.models.insert((entry.id, Some(id_of(dataset))), model);
        Ok(self)
    }

    /// The data of that name, with the name under which they are kept.
    ///
    /// # Errors
    /// There is no such dataset, or its data are not here.
    pub fn data(&self, name: &str) -> Result<(String, DatasetKind, Data), CallError> {
        let own = name.trim().to_lowercase();
        if let Some((kind, data)) = self.data.get(&own) {
            return Ok((own, *kind, data.clone()));
        }
        let Some(dataset) = datasets::find(name) else {
            let mut known: Vec<String> = DATASETS.iter().map(|d| d.id.to_owned()).collect();
            known.extend(self.data.keys().filter(|k| datasets::find(k).is_none()).cloned());
            return Err(CallError::UnknownDataset { name: name.to_owned(), known });
        };
        match self.data.get(dataset.id) {
            Some((kind, data)) => Ok((dataset.id.to_owned(), *kind, data.clone())),
            None => {
                let how = dataset.source.to_owned();
                Err(CallError::NoData { dataset: dataset.id.to_owned(), how })
            }
        }
    }

    /// The model of the hub that answers about a data set: the one of that data set alone, else one
    /// of any.
    ///
    /// # Errors
    /// It is not here, or only for other data sets.
    pub fn model(&self, model: &HubModel, dataset: &str) -> Result<Rc<dyn Reasoner>, CallError> {
        let dataset = id_of(dataset);
        let own = self.models.get(&(model.id, Some(dataset.clone())));
        if let Some(found) = own.or_else(|| self.models.get(&(model.id, None))) {
            return Ok(Rc::clone(found));
        }
        let here = self.models.keys().filter(|(id, _)| *id == model.id);
        let here: Vec<&str> = here.filter_map(|(_, of)| of.as_deref()).collect();
        let how = match here.is_empty() {
            true => model.source.to_owned(),
            false => format!(
                "for {dataset:?}; its weights for {} are. {}",
                here.join(", "),
                model.source
            ),
        };
        Err(CallError::NoModel { model: model.id.to_owned(), how })
    }

    /// Whether a model answers about a data set.
    fn has_model(&self, model: &HubModel, dataset: &str) -> bool {
        let of = |dataset: Option<&str>| (model.id, dataset.map(str::to_owned));
        self.models.contains_key(&of(None)) || self.models.contains_key(&of(Some(dataset)))
    }

    /// The names under which data are kept.
    pub fn names(&self) -> Vec<String> {
        self.data.keys().cloned().collect()
    }

    /// What works on what, from the lists and what is at hand.
    pub fn matrix(&self) -> Vec<HubRow> {
        let works = |dataset: &Dataset, model: &HubModel| {
            let is_about = tasks::find(model.task).is_some_and(|t| t.is_about(dataset));
            let has_data = self.data.contains_key(dataset.id);
            let has_model = self.has_model(model, dataset.id);
            match (is_about, has_data, has_model) {
                (false, ..) => Works::No,
                (_, true, true) => Works::Yes,
                (_, false, true) => Works::NeedsData,
                (_, true, false) => Works::NeedsModel,
                (_, false, false) => Works::NeedsBoth,
            }
        };
        let row = |dataset: &'static Dataset| HubRow {
            dataset: dataset.id,
            models: MODELS.iter().map(|m| (m.id, works(dataset, m))).collect(),
        };
        DATASETS.iter().map(row).collect()
    }
}

/// The name under which what is of a data set is kept.
fn id_of(name: &str) -> String {
    datasets::find(name).map_or_else(|| name.trim().to_lowercase(), |d| d.id.to_owned())
}

/// The error about a name before the colon.
pub(super) fn unknown_domain(domain: &str) -> CallError {
    let known = MODELS.iter().map(|m| m.id.to_owned()).collect();
    CallError::UnknownDomain { domain: domain.to_owned(), known }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolformer::toolx::PROPERTIES;

    #[test]
    fn every_entry_has_a_name_of_its_own_and_words() {
        let mut ids: Vec<(&str, &str, &str)> = Vec::new();
        ids.extend(DATASETS.iter().map(|d| (d.id, d.title, d.lede)));
        ids.extend(MODELS.iter().map(|m| (m.id, m.title, m.lede)));
        ids.extend(TASKS.iter().map(|t| (t.id, t.title, t.lede)));
        ids.extend(LANGUAGE_MODELS.iter().map(|l| (l.id, l.title, l.lede)));
        for (i, (id, title, lede)) in ids.iter().enumerate() {
            assert!(ids[..i].iter().all(|other| other.0 != *id), "{id}");
            assert!(!title.is_empty() && lede.ends_with('.'), "{id}");
        }
        for dataset in DATASETS {
            assert!(std::ptr::eq(datasets::find(dataset.title).unwrap_or(dataset), dataset));
            assert!(!dataset.source.is_empty() && !dataset.source.ends_with('.'));
        }
    }

    #[test]
    fn models_tasks_and_functions_belong_together() {
        for model in MODELS {
            let task = tasks::find(model.task).unwrap();
            assert_eq!(task.model, model.id);
        }
        let mut names: Vec<&str> = Vec::new();
        for function in TASKS.iter().flat_map(|t| t.functions) {
            names.push(function.name);
            names.extend(function.spellings);
        }
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n, "a name of two functions");
        // Paper's tables, and the five on communities: 12, 1, 1, 2, 6, 3.
        assert_eq!(TASKS.iter().map(|t| t.functions.len()).sum::<usize>(), 25);
        let ours: Vec<&str> = tasks::find("attribute_calculation")
            .unwrap()
            .functions
            .iter()
            .map(|f| f.name)
            .collect();
        assert_eq!(ours, PROPERTIES.iter().map(|p| p.name).collect::<Vec<_>>());
    }

    #[test]
    fn the_matrix_says_what_is_missing() {
        let matrix = Hubs::new().unwrap().matrix();
        let cell = |dataset: &str, model: &str| {
            let row = matrix.iter().find(|r| r.dataset == dataset).unwrap();
            row.models.iter().find(|(m, _)| *m == model).unwrap().1
        };
        assert_eq!(cell("gpr", "toolx"), Works::Yes);
        assert_eq!(cell("twitter", "toolx"), Works::NeedsData);
        assert_eq!(cell("village", "kmeans"), Works::Yes);
        assert_eq!(cell("papers", "graph_bert"), Works::NeedsModel);
        assert_eq!(cell("cora", "graph_bert"), Works::NeedsBoth);
        assert_eq!(cell("cora", "bpr"), Works::No);
        assert_eq!(cell("wordnet", "toolx"), Works::No);
    }
}
