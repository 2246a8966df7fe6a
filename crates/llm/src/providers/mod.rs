//! Wire protocols, one file each.

mod openai;

use crate::{ApiKey, ChatRequest, ChatResponse, Endpoint, HttpRequest, HttpResponse, ModelError};

/// A wire protocol: pure transforms between our words and its bytes.
#[derive(Clone, Copy)]
pub struct Provider {
    /// A stable id.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The bytes that ask for a completion.
    pub request: fn(&Endpoint, &ChatRequest) -> HttpRequest,
    /// Reads the answer.
    pub response: fn(&HttpResponse) -> Result<ChatResponse, ModelError>,
    /// The bytes that ask which models there are.
    pub list_models: fn(&Endpoint) -> HttpRequest,
    /// Reads the names of the models.
    pub models: fn(&HttpResponse) -> Result<Vec<String>, ModelError>,
    /// The header that carries a key.
    pub auth: fn(&ApiKey) -> (String, String),
}

/// Every protocol.
pub static PROVIDERS: &[Provider] = &[openai::PROVIDER];

/// The protocol of that id.
pub fn find(id: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|p| p.id == id)
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("id", &self.id).finish_non_exhaustive()
    }
}
