//! Images in messages, for models that see.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

/// The most bytes of an image. Endpoints refuse larger ones.
pub const MAX_IMAGE: usize = 5_000_000;

/// What kind of image it is; endpoints read no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageKind {
    /// PNG.
    #[serde(rename = "image/png")]
    Png,
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// GIF.
    #[serde(rename = "image/gif")]
    Gif,
    /// WebP.
    #[serde(rename = "image/webp")]
    Webp,
}

impl ImageKind {
    /// The kind of some bytes, by how they begin; a name says nothing about them.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        match bytes {
            _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") => Some(Self::Gif),
            _ if is_webp => Some(Self::Webp),
            _ => None,
        }
    }

    /// Its media type, as in `image/png`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

/// Why some bytes are no image for a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// They begin like no kind of image that endpoints read.
    #[error("it is no image that models are sent; expected PNG, JPEG, GIF or WebP")]
    Kind,
    /// There are too many.
    #[error("the image has {n_bytes} bytes; models are sent at most {MAX_IMAGE}")]
    TooLarge {
        /// How many there are.
        n_bytes: usize,
    },
}

/// An image of a message. As JSON, in traces and logs, it is told by its kind, size and hash alone:
/// its bytes go to the endpoint and nowhere else. Images are equal whose bytes have one hash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Image {
    kind: ImageKind,
    n_bytes: usize,
    hash: String,
    #[serde(skip)]
    bytes: Option<Arc<[u8]>>,
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.n_bytes, &self.hash) == (other.kind, other.n_bytes, &other.hash)
    }
}

impl Eq for Image {}

impl Image {
    /// An image of these bytes.
    ///
    /// # Errors
    /// They are none, or too many.
    pub fn new(bytes: &[u8]) -> Result<Self, ImageError> {
        let kind = ImageKind::of(bytes).ok_or(ImageError::Kind)?;
        let n_bytes = bytes.len();
        if n_bytes > MAX_IMAGE {
            return Err(ImageError::TooLarge { n_bytes });
        }
        Ok(Self { kind, n_bytes, hash: bytes_hash(bytes), bytes: Some(bytes.into()) })
    }

    /// Its kind.
    pub fn kind(&self) -> ImageKind {
        self.kind
    }

    /// Its bytes in base64; none for an image that was read from a trace.
    pub(crate) fn base64(&self) -> Option<String> {
        self.bytes.as_ref().map(|bytes| BASE64_STANDARD.encode(bytes))
    }

    /// The same as an address that holds the bytes.
    pub(crate) fn data_url(&self) -> Option<String> {
        Some(format!("data:{};base64,{}", self.kind.media_type(), self.base64()?))
    }
}

/// FNV-1a: small, portable, and never a secret.
pub fn bytes_hash(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{ChatRequest, Endpoint, Message, providers};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

    #[test]
    fn an_image_is_known_by_how_it_begins() {
        let webp = b"RIFF\x10\0\0\0WEBPVP8 ";
        let kinds = [
            (PNG, "image/png"),
            (b"\xff\xd8\xff\xe0JFIF", "image/jpeg"),
            (b"GIF89a\x01\0", "image/gif"),
            (webp, "image/webp"),
        ];
        for (bytes, media_type) in kinds {
            let image = Image::new(bytes).unwrap();
            assert_eq!(image.kind().media_type(), media_type);
            assert_eq!(serde_json::to_value(image.kind()).unwrap(), json!(media_type));
        }
        assert_eq!(Image::new(b"<svg></svg>"), Err(ImageError::Kind));
        assert_eq!(Image::new(b"RIFF\x10\0\0\0WAVE"), Err(ImageError::Kind));
        let large = [PNG, &vec![0; MAX_IMAGE]].concat();
        assert_eq!(Image::new(&large), Err(ImageError::TooLarge { n_bytes: large.len() }));
    }

    #[test]
    fn a_trace_has_no_bytes_of_an_image() {
        let image = Image::new(PNG).unwrap();
        let told = serde_json::to_value(&image).unwrap();
        let hash = bytes_hash(PNG);
        assert_eq!(told, json!({ "kind": "image/png", "n_bytes": PNG.len(), "hash": hash }));
        let read: Image = serde_json::from_value(told).unwrap();
        assert_eq!((&read, read.base64()), (&image, None));
        // A message without images is as it was before there were any.
        let plain = serde_json::to_value(Message::user("hello")).unwrap();
        assert_eq!(plain, json!({ "role": "user", "content": "hello" }));
    }

    /// What each protocol documents for an image beside text.
    #[test]
    fn every_protocol_sends_an_image_in_its_own_shape() {
        let data = "iVBORw0KGgpyZXN0";
        let url = format!("data:image/png;base64,{data}");
        let expected = [
            (
                "openai",
                "/messages/0",
                json!({ "role": "user", "content": [
                    { "type": "text", "text": "What is it?" },
                    { "type": "image_url", "image_url": { "url": url } },
                ]}),
            ),
            (
                "responses",
                "/input/0",
                json!({ "type": "message", "role": "user", "content": [
                    { "type": "input_text", "text": "What is it?" },
                    { "type": "input_image", "image_url": url },
                ]}),
            ),
            (
                "anthropic",
                "/messages/0",
                json!({ "role": "user", "content": [
                    { "type": "text", "text": "What is it?" },
                    { "type": "image",
                      "source": { "type": "base64", "media_type": "image/png", "data": data } },
                ]}),
            ),
            (
                "gemini",
                "/contents/0",
                json!({ "role": "user", "parts": [
                    { "text": "What is it?" },
                    { "inlineData": { "mimeType": "image/png", "data": data } },
                ]}),
            ),
            (
                "ollama",
                "/messages/0",
                json!({ "role": "user", "content": "What is it?", "images": [data] }),
            ),
        ];
        let image = Image::new(PNG).unwrap();
        for provider in providers::PROVIDERS {
            let (_, pointer, message) =
                expected.iter().find(|(id, ..)| *id == provider.id).expect("a shape of it");
            let endpoint = Endpoint::new(provider.id, "http://127.0.0.1:9/v1");
            let body = |images: Vec<Image>| {
                let message = Message { images, ..Message::user("What is it?") };
                let chat = ChatRequest { messages: vec![message], ..ChatRequest::default() };
                let request = (provider.request)(&endpoint, &chat, false);
                serde_json::from_str::<serde_json::Value>(&request.body).unwrap()
            };
            assert_eq!(
                body(vec![image.clone()]).pointer(pointer),
                Some(message),
                "{}",
                provider.id
            );
            assert!(!body(Vec::new()).to_string().contains("image"), "{}", provider.id);
            // What was read from a trace has no bytes, and the model is told so.
            let told = serde_json::to_string(&image).unwrap();
            let read = body(vec![serde_json::from_str(&told).unwrap()]).to_string();
            assert!(read.contains("was not kept") && !read.contains(data), "{read}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_image_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(image) = Image::new(&bytes) {
                prop_assert_eq!(Some(image.kind()), ImageKind::of(&bytes));
                prop_assert_eq!(BASE64_STANDARD.decode(image.base64().unwrap()).unwrap(), bytes);
            }
        }
    }
}
