//! A model at an endpoint: a provider's bytes over a transport.

use std::rc::Rc;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, Endpoint, Model, ModelError, Provider, Watch, providers,
};

use crate::Transport;

/// A model at an endpoint.
pub struct EndpointModel {
    provider: &'static Provider,
    endpoint: Endpoint,
    transport: Rc<dyn Transport>,
    name: String,
}

impl EndpointModel {
    /// A model of that name at an endpoint.
    ///
    /// # Errors
    /// The endpoint names a provider that does not exist.
    pub fn new(
        endpoint: Endpoint,
        name: String,
        transport: Rc<dyn Transport>,
    ) -> Result<Self, String> {
        let provider = providers::find(&endpoint.provider).ok_or_else(|| {
            let known: Vec<&str> = providers::PROVIDERS.iter().map(|p| p.id).collect();
            format!(
                "unknown protocol {:?}: it must be one of {}",
                endpoint.provider,
                known.join(", ")
            )
        })?;
        Ok(Self { provider, endpoint, transport, name })
    }
}

impl Model for EndpointModel {
    fn label(&self) -> String {
        self.name.clone()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let mut request = request.clone();
            request.model.clone_from(&self.name);
            let bytes = (self.provider.request)(&self.endpoint, &request);
            let answer = self.transport.send(&self.endpoint, bytes).await?;
            (self.provider.response)(&answer)
        })
    }
}
