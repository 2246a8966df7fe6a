//! The question about an image, out of the files of a task.

use agent::ToolFailure;
use llm::{Image, Message};
use serde::Deserialize;
use serde_json::Value;

use super::files::TaskFiles;
use super::{failure, read_arguments};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookArgs {
    file: String,
    question: String,
}

/// The question to a model with its image.
pub(super) fn question(files: &TaskFiles<'_>, arguments: Value) -> Result<Message, ToolFailure> {
    let LookArgs { file, question } = read_arguments(arguments)?;
    let (name, bytes) = files.bytes(&file)?;
    let image = Image::new(&bytes).map_err(|error| {
        let others = match files.images() {
            images if images.is_empty() => String::new(),
            images => format!("; the images are {}", images.join(", ")),
        };
        failure("no_image", format!("{name}: {error}{others}"))
    })?;
    let text = format!("The image is {name}. {question}");
    Ok(Message { images: vec![image], ..Message::user(text) })
}
