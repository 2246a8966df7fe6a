//! Unpacking that stops where it has to.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// How far one distance goes back.
const WINDOW: usize = 32_768;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the end of what was packed.
    Whole,
    /// Where the bytes end, before what was packed does.
    Short,
    /// Where the bytes make no sense.
    Corrupt,
    /// Where there was more than there may be.
    TooMuch,
}

/// What was found while unpacking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inflated {
    /// How many bytes were read.
    pub consumed: usize,
    /// How many bytes came out.
    pub written: usize,
    /// How it ended.
    pub end: End,
}

/// Unpacks bytes with or without zlib's head, hands over what comes out, at most `limit` bytes.
///
/// In time that grows with what is read and what comes out; in 32 KiB.
pub(super) fn inflate(data: &[u8], limit: usize, mut take: impl FnMut(&[u8])) -> Inflated {
    let has_head = matches!(data, [head, flags, ..] if head & 0x0f == 8
        && (u16::from(*head) << 8 | u16::from(*flags)).is_multiple_of(31)
        && flags & 0x20 == 0);
    let start = if has_head { 2 } else { 0 };
    let mut state = DecompressorOxide::new();
    let mut window = vec![0_u8; WINDOW];
    let (mut consumed, mut written, mut at) = (start.min(data.len()), 0, 0);
    loop {
        let (status, read, wrote) = decompress(&mut state, &data[consumed..], &mut window, at, 0);
        consumed += read;
        let room = limit - written;
        take(&window[at..at + wrote.min(room)]);
        written += wrote.min(room);
        at = (at + wrote) % WINDOW;
        let end = match status {
            _ if wrote > room => End::TooMuch,
            TINFLStatus::Done => End::Whole,
            TINFLStatus::HasMoreOutput if wrote > 0 || read > 0 => continue,
            TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => End::Short,
            _ => End::Corrupt,
        };
        return Inflated { consumed, written, end };
    }
}

/// At most how many bytes LZW unpacks to, in time that grows with what is packed.
pub(super) fn lzw_length(data: &[u8]) -> usize {
    // The shortest codes have 9 bits, and no word is longer than the codes since the last reset.
    let (mut bits, mut held, mut width) = (0_u32, 0_u32, 9_u32);
    let mut lengths: Vec<usize> = Vec::new();
    let (mut total, mut last) = (0_usize, 0_usize);
    for byte in data {
        bits = bits << 8 | u32::from(*byte);
        held += 8;
        while held >= width {
            held -= width;
            let code = (bits >> held & ((1 << width) - 1)) as usize;
            bits &= (1 << held) - 1;
            let length = match code {
                256 => {
                    lengths.clear();
                    (width, last) = (9, 0);
                    continue;
                }
                257 => return total,
                0..256 => 1,
                // A code that is not there yet: the last word and one more.
                code => lengths.get(code - 258).copied().unwrap_or(last + 1),
            };
            total = total.saturating_add(length);
            if last > 0 && lengths.len() < 4_096 - 258 {
                lengths.push(last + 1);
            }
            last = length;
            // Codes become longer one code early, or not: early is what nearly all do.
            width = match lengths.len() + 258 + 1 {
                ..512 => 9,
                512..1024 => 10,
                1024..2048 => 11,
                _ => 12,
            };
        }
    }
    total
}

/// What base 85 stands for, up to its end or to what is none of it.
pub(super) fn ascii_85(data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(data.len() / 5 * 4);
    let (mut value, mut count) = (0_u32, 0);
    for byte in data {
        match byte {
            b'z' if count == 0 => bytes.extend_from_slice(&[0; 4]),
            b'!'..=b'u' => {
                value = value.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                count += 1;
                if count == 5 {
                    bytes.extend_from_slice(&value.to_be_bytes());
                    (value, count) = (0, 0);
                }
            }
            _ if byte.is_ascii_whitespace() || *byte == 0 => {}
            _ => break,
        }
    }
    if count > 1 {
        for _ in count..5 {
            value = value.wrapping_mul(85).wrapping_add(84);
        }
        bytes.extend_from_slice(&value.to_be_bytes()[..count - 1]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

    use super::*;

    #[test]
    fn it_gives_what_was_packed_and_stops_where_it_must() {
        let text: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        for packed in [compress_to_vec(&text, 6), compress_to_vec_zlib(&text, 6)] {
            let mut out = Vec::new();
            let found = inflate(&packed, usize::MAX, |part| out.extend_from_slice(part));
            assert_eq!((found.end, found.written), (End::Whole, text.len()));
            assert_eq!(out, text);
            let found = inflate(&packed, 1000, |_| {});
            assert_eq!((found.end, found.written), (End::TooMuch, 1000));
            let found = inflate(&packed[..packed.len() / 2], usize::MAX, |_| {});
            assert_eq!(found.end, End::Short);
        }
        assert_eq!(ascii_85(b"87cUR D]j7BEbo80~>"), b"Hello world!");
        assert_eq!(lzw_length(&[0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]), 10);
        assert_eq!(inflate(b"\xff\xff\xff\xff", 9, |_| {}).end, End::Corrupt);
    }
}
