//! JSON in the letters that an address may have: deflated, then base64url without padding.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

use super::LinkError;

/// The longest link that is read, in characters; the page writes none above 8,000.
pub const MAX_CHARS: usize = 65_536;
/// The largest text that a payload may unfold to, in bytes: what is larger stops there.
pub const MAX_BYTES: usize = 2_000_000;
/// The level of deflation: the best, since what is packed is small.
const LEVEL: u8 = 10;

pub(super) fn pack(text: &str) -> String {
    BASE64.encode(compress_to_vec(text.as_bytes(), LEVEL))
}

pub(super) fn unpack(payload: &str) -> Result<String, LinkError> {
    let bytes = BASE64.decode(payload).map_err(|_| LinkError::Damaged)?;
    let plain = decompress_to_vec_with_limit(&bytes, MAX_BYTES).map_err(|e| match e.status {
        TINFLStatus::HasMoreOutput => LinkError::TooMuch { limit: MAX_BYTES },
        _ => LinkError::Damaged,
    })?;
    String::from_utf8(plain).map_err(|_| LinkError::Damaged)
}
