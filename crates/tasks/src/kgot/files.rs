//! Files of a task that are no text.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The bytes of a file, which stand in JSON as base64.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct FileBytes(pub Vec<u8>);

impl Serialize for FileBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for FileBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text.trim());
        bytes
            .map(Self)
            .map_err(|error| D::Error::custom(format!("bytes as base64 were expected: {error}")))
    }
}

/// Files are long, and nobody reads their bytes.
impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// A file of a task as bytes: a PDF, a workbook, a zip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFile {
    /// How tools name it; its ending says what it is.
    pub name: String,
    /// All that is in it.
    pub bytes: FileBytes,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn bytes_stand_as_base64_and_what_is_none_is_refused() {
        let file = CaseFile { name: "a.bin".into(), bytes: FileBytes(vec![0, 255, 7]) };
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(text, "{\"name\":\"a.bin\",\"bytes\":\"AP8H\"}");
        assert_eq!(serde_json::from_str::<CaseFile>(&text).unwrap(), file);
        assert_eq!(format!("{:?}", file.bytes), "3 bytes");
        let error = serde_json::from_str::<FileBytes>("\"not base64!\"").unwrap_err();
        assert!(error.to_string().contains("base64 were expected"), "{error}");
    }
}
