//! What the protocol asks of a server, over the graph functions.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use agent::answer_call;
use graph::Graph;
use graph::functions::{CatalogFormat, FUNCTIONS, describe, find};
use llm::ToolCall;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    InitializeResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use systems::grounded::GraphTools;
use tokio::sync::Mutex;
use trace::ToolResult;

/// What a client's model reads of the whole.
const INSTRUCTIONS: &str = "\
Functions over one graph that lasts as long as the session. Build it with one call of create_graph, \
with all its edges, then ask about it; ask for what you need instead of reasoning about edges yourself. \
A result stands under `result`, remarks about it under `notes`. A call that went wrong says under \
`error` what would be right; correct it and call again.";

/// One session: the tools with the graph as its calls have made it.
pub(super) struct GraphServer {
    /// Its lock is fair, so calls are answered in the order in which they came.
    tools: Arc<Mutex<GraphTools>>,
    versions: &'static [ProtocolVersion],
}

impl GraphServer {
    /// A session over a graph, in these versions of the protocol.
    pub(super) fn new(graph: Graph, versions: &'static [ProtocolVersion]) -> Self {
        let tools = Arc::new(Mutex::new(GraphTools::over(graph)));
        Self { tools, versions }
    }
}

/// Every function, as the protocol tells of it.
fn tools() -> Result<&'static [Tool], ErrorData> {
    static TOOLS: OnceLock<Result<Vec<Tool>, String>> = OnceLock::new();
    TOOLS
        .get_or_init(|| {
            FUNCTIONS
                .iter()
                .map(|f| {
                    serde_json::from_value(describe(f, CatalogFormat::Mcp))
                        .map_err(|e| format!("the tool {}: {e}", f.name))
                })
                .collect()
        })
        .as_deref()
        .map_err(|e| ErrorData::internal_error(e.clone(), None))
}

impl ServerHandler for GraphServer {
    fn get_info(&self) -> InitializeResult {
        let server = Implementation::new("graphground", env!("CARGO_PKG_VERSION"))
            .with_title("Graphground: graph functions");
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()?.to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().ok()?.iter().find(|t| t.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // A mistake of the model's is told to the model; a tool that was never offered is the
        // client's mistake, and the protocol has an error of its own for it.
        if find(&request.name).is_none() {
            let text = format!("there is no tool {:?}; tools/list names all", request.name);
            return Err(ErrorData::invalid_params(text, None));
        }
        let mut tools = self.tools.clone().lock_owned().await;
        let call = ToolCall {
            id: String::new(),
            name: request.name.into_owned(),
            arguments: Value::Object(request.arguments.unwrap_or_default()).to_string(),
        };
        let result = tokio::task::spawn_blocking(move || {
            let specs = agent::ToolSet::specs(&*tools);
            answer_call(&mut *tools, &specs, &call).0
        })
        .await
        .map_err(|_| {
            ErrorData::internal_error("the function broke off; the graph is as before", None)
        })?;
        Ok(to_call_result(&result)?.into())
    }
}

/// The result as a model reads it, in words and as data.
fn to_call_result(result: &ToolResult) -> Result<CallToolResult, ErrorData> {
    let text = result.to_model_text();
    let data: Value =
        serde_json::from_str(&text).map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
    let content = vec![ContentBlock::text(text)];
    let mut out = match result {
        ToolResult::Value { .. } => CallToolResult::success(content),
        ToolResult::Error(_) => CallToolResult::error(content),
    };
    out.structured_content = Some(data);
    Ok(out)
}
