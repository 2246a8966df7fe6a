//! What the page and the worker that runs models say to each other.

use llm::ModelError;
use serde::{Deserialize, Serialize};

use crate::Half;

/// What a model file holds, as its own head says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileAbout {
    /// The model's name.
    pub title: String,
    /// How its weights are stored, such as `Q4_1`.
    pub quantisation: String,
    /// How many numbers its weights have.
    pub n_parameters: f64,
    /// Tokens of context that it gets here.
    pub n_ctx: usize,
    /// Tokens of context that it was trained for.
    pub n_ctx_trained: usize,
    /// Bytes of memory that it takes with that context.
    pub memory_bytes: f64,
    /// Whether its chat template has a place for tools.
    pub knows_tools: bool,
}

/// A file that the browser keeps for this page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptFile {
    /// Its name, as [`crate::name_of`] gives it.
    pub name: String,
    /// Bytes that are here.
    pub bytes: f64,
    /// Bytes of the whole file, where that is known.
    pub total: Option<f64>,
    /// Whether all of it is here.
    pub is_whole: bool,
    /// The address that it is from; none of a file of the person's own.
    pub address: Option<String>,
    /// What tells this version of the file from others: the server's word for it, or when a file of
    /// the person's own was changed last.
    pub validator: Option<String>,
    /// What it holds, once it is whole.
    pub about: Option<FileAbout>,
    /// Why it cannot be used, if it is whole and cannot.
    pub fault: Option<String>,
}

impl KeptFile {
    /// What is here of it, for whoever asks for the rest.
    pub fn half(&self) -> Half {
        Half {
            at: self.bytes as u64,
            total: self.total.map(|n| n as u64),
            validator: self.validator.clone(),
        }
    }
}

/// How fast a model was in its latest answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Tokens of the prompt computed in a second; of an answer whose prompt was mostly known, none.
    pub prefill_per_s: Option<f64>,
    /// Output tokens in a second.
    pub decode_per_s: Option<f64>,
    /// Threads that computed.
    pub n_threads: usize,
}

/// What the page tells the worker. Each stands in a job, whose number the answers have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToModel {
    /// Which files are there? [`FromModel::Listed`] answers.
    List,
    /// Keep the file that comes beside this message. The same file that broke off before goes on.
    Add {
        /// A name for it.
        name: String,
    },
    /// The bytes of a file from an address are to come; [`FromModel::Taken`] answers.
    Begin {
        /// The file, with the bytes that are here of it: what is kept behind them is cut off.
        file: KeptFile,
    },
    /// The bytes beside this message follow; [`FromModel::Taken`] answers.
    More,
    /// No more bytes come; [`FromModel::Listed`] answers.
    End {
        /// Whether the file is whole.
        is_whole: bool,
    },
    /// Delete a file.
    Delete {
        /// Its name, as the list has it.
        name: String,
    },
    /// Answer a question.
    Ask {
        /// The body of a request of OpenAI's protocol; its `model` names the file.
        body: String,
    },
    /// Stop the job.
    Stop,
}

/// What the worker tells the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromModel {
    /// It can be asked. Every version has it as it is here.
    Ready {
        /// The worker's [`VERSION`](crate::VERSION).
        version: u32,
    },
    /// The files that are there now, and what went wrong with the one that the job was about.
    Listed {
        /// Every file, by name.
        files: Vec<KeptFile>,
        /// Why what was asked for was not done.
        fault: Option<String>,
    },
    /// So many bytes of so many are done.
    Progress {
        /// Bytes that are done.
        done: f64,
        /// Bytes in all.
        total: f64,
    },
    /// So many tokens of a prompt are read.
    Reading {
        /// Tokens that are read.
        done: f64,
        /// Tokens of the prompt.
        total: f64,
    },
    /// Bytes were written.
    Taken {
        /// Why not, if so.
        fault: Option<String>,
    },
    /// More of an answer, as the body of OpenAI's protocol.
    Text {
        /// The piece.
        text: String,
    },
    /// An answer is whole.
    Answered {
        /// How fast it came.
        speed: Speed,
    },
    /// A question has no answer.
    Refused {
        /// What went wrong, as of any endpoint.
        error: ModelError,
    },
    /// Its module cannot be loaded.
    Unloaded {
        /// What the browser said.
        message: String,
    },
    /// The worker broke.
    Panicked {
        /// What it said.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_earlier_version_kept_is_read() {
        let kept: KeptFile = serde_json::from_str(r#"{"name":"a.gguf","bytes":3.0}"#).unwrap();
        assert_eq!(kept.half(), Half { at: 3, ..Half::default() });
        assert!(!kept.is_whole);
    }
}
