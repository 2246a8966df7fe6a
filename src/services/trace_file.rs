//! Traces as a file, to be saved or opened on the page of traces.

use protocol::traces::{TextFile, WriteTraces};
use trace::Record;

use super::clipboard;
use super::engine_client::EngineClient;

/// A file of traces.
pub(crate) struct TraceFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl TraceFile {
    /// Lets an engine write it; `stem` is its name without the ending, which is the format's.
    ///
    /// # Errors
    /// What the engine says.
    pub(crate) async fn write(
        engine: EngineClient,
        stem: &str,
        records: Vec<Record>,
        format: &str,
    ) -> Result<Self, String> {
        let format = format.to_owned();
        let TextFile { text, extension } = engine.ask(WriteTraces { records, format }).await?;
        Ok(Self { name: format!("{stem}.{extension}"), text })
    }

    /// Offers it as a file.
    pub(crate) fn save(&self) {
        let is_lines = self.name.ends_with('l');
        let kind = if is_lines { "application/x-ndjson" } else { "application/json" };
        clipboard::save(&self.name, kind, &self.text);
    }
}

/// The format in which the page itself keeps traces.
pub(crate) fn own_format() -> &'static str {
    trace::formats::FORMATS[0].id
}
