//! Questions about an image of the task, for models that see.

use llm::{ImageKind, ToolSpec};
use serde_json::json;

use super::spec;

/// The tool that shows an image to a model; the controller answers it, because it keeps what models
/// say.
pub(in crate::kgot) const LOOK: &str = "look_at_image";

pub(super) fn spec_of_look() -> ToolSpec {
    let text = |words: &str| json!({ "type": "string", "description": words });
    spec(
        LOOK,
        "Shows an image of the task to a model that sees, with a question. It sees nothing else: \
         ask for all that is needed, such as every number with what it stands for.",
        json!({
            "file": text("The name of the image; archive.zip/inner.png for one in a zip."),
            "question": text("The question, complete in itself."),
        }),
        &["file", "question"],
    )
}

/// Whether a name is one of an image, for what is in a zip and not unpacked yet.
pub(super) fn is_named_image(name: &str) -> bool {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    ["png", "jpg", "jpeg", "gif", "webp"].contains(&ending.as_str())
}

/// What a person, or a tool that reads text, is told of an image.
pub(super) fn told(kind: ImageKind, n_bytes: usize) -> String {
    format!("an image ({}, {n_bytes} bytes)", kind.media_type())
}
