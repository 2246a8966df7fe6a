//! What a worker asks of the page.
//!
//! The page has what no worker has: the keys, the network, the sandbox for Python, a person. Each
//! request is a [`Service`](crate::Service) as those of the page are. It crosses in
//! [`FromWorker::Ask`](crate::FromWorker::Ask), what comes of it in
//! [`Control::Part`](crate::Control::Part) and [`Control::Reply`](crate::Control::Reply), each as one
//! JSON text.

use llm::{
    ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, Message, ModelError, ToolSpec,
};
use serde::{Deserialize, Serialize};
use systems::kgot::{GraphAnswer, GraphQuestion, PythonFailure, PythonReply, PythonRequest};

use crate::runs::OwnWeights;
use crate::service::services;

/// Lets a person answer in the model's place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskPerson {
    /// What may be called.
    pub tools: Vec<ToolSpec>,
}

/// Sends bytes to an endpoint. The page adds the key and takes it out of what comes back: keys never
/// enter a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fetch {
    /// Where; the page knows its key.
    pub endpoint: Endpoint,
    /// The bytes.
    pub request: HttpRequest,
    /// Whether the answer is wanted as it comes. Then the reply is its end, with an empty body.
    pub streams: bool,
}

/// A piece of a streamed answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FetchPart {
    /// What stands before it.
    Head(HttpHead),
    /// More of its text, cut between letters.
    Text(String),
}

/// Takes the key of an endpoint out of an answer: the page alone knows the key, and the worker alone
/// has put the answer together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clean {
    /// Where the answer came from.
    pub endpoint: Endpoint,
    /// What came of a question.
    pub outcome: Result<ChatResponse, ModelError>,
}

/// Runs Python in the page's sandbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunPython {
    /// The code.
    pub request: PythonRequest,
}

/// Answers a query on a graph by an engine of its own, which can be ended where that takes too long.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerQuery {
    /// The graph and the query.
    pub question: GraphQuestion,
}

/// Sends weights of our own model. They are attached to the reply under their
/// [path](OwnWeights::path).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SendWeights {
    /// Which ones.
    pub weights: OwnWeights,
}

/// Opens data, and a model for them, that a statement calls, if they are next to the page. The reply
/// says that they are at hand or cannot be had.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SupplyData {
    /// The data set.
    pub dataset: String,
    /// The model, if it is not at hand for that data set.
    pub model: Option<String>,
}

services! {
    AskPerson, "page/person" => Message,
    Fetch, "page/fetch" => Result<HttpResponse, ModelError>; FetchPart,
    Clean, "page/clean" => Result<ChatResponse, ModelError>,
    RunPython, "page/python" => Result<PythonReply, PythonFailure>,
    AnswerQuery, "page/query" => GraphAnswer,
    SendWeights, "page/weights" => (),
    SupplyData, "page/supply" => (),
}
