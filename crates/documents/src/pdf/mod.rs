//! The text of PDFs, page by page.
//!
//! `hayro-syntax` reads objects, filters and operators; what they mean for a text is ours: which
//! characters a font's codes are (`font`), where they stand (`page`), and which of them make a
//! line (`lines`). `guard` looks at the whole file first, for what would take that library too
//! much memory or time.

mod built_in;
mod encoding;
mod font;
mod guard;
mod inflate;
mod lines;
mod page;
mod type1;
mod unicode;

use hayro_syntax::object::Stream;
use hayro_syntax::object::dict::keys::{DECODE_PARMS, DP};
use hayro_syntax::object::{Dict, Object};
use hayro_syntax::{Filter, LoadPdfError, Pdf};

use crate::out::{Out, thousands};
use crate::{DocumentError, DocumentKind, DocumentLimits};
pub(crate) use encoding::symbol;
use font::Fonts;

/// How many operators of all pages are read.
const OPERATORS: usize = 20_000_000;

/// What may still be unpacked and read of a file.
struct Budget {
    bytes: usize,
    operators: usize,
    /// Whether something was left out because of it.
    is_spent: bool,
}

/// Reads the text of each page. Time grows with what is unpacked and read, within the limits.
pub(crate) fn read(
    out: &mut Out,
    bytes: &[u8],
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let spent = guard::check(bytes, limits)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => DocumentError::Protected { kind: DocumentKind::Pdf },
        LoadPdfError::Invalid => DocumentError::broken(
            DocumentKind::Pdf,
            "the table of objects",
            "no pages are found",
            "it may be cut off: fetch it or save it again",
        ),
    })?;
    let pages = pdf.pages();
    let mut budget = Budget {
        bytes: limits.unpacked_bytes.saturating_sub(spent),
        operators: OPERATORS,
        is_spent: false,
    };
    let mut fonts = Fonts::default();
    let mut empty = Vec::new();
    for (place, page) in pages.iter().take(limits.pages).enumerate() {
        if out.is_full() {
            break;
        }
        let text = page::read(page, &mut fonts, &mut budget, limits, out.room());
        out.heading(2, &format!("Page {}", place + 1));
        if text.trim().is_empty() {
            empty.push(place + 1);
        } else {
            out.paragraph(&text);
        }
        if budget.is_spent {
            out.leave_out(format!(
                "Page {}: too much is drawn there and before; the rest is left out.",
                place + 1
            ));
            break;
        }
    }
    if !empty.is_empty() {
        out.note(format!(
            "No text on page {}: it may be empty, or an image that would need reading by eye.",
            ranges(&empty)
        ));
    }
    if pages.len() > limits.pages {
        let (read, all) = (thousands(limits.pages), thousands(pages.len()));
        out.leave_out(format!("Only the first {read} of {all} pages are read."));
    }
    if fonts.has_unknown {
        out.note(
            "Some fonts do not say which signs they show: those are \"[unreadable sign]\" in the text.",
        );
    }
    Ok(())
}

/// Numbers with those after each other as `3-7`, the first twenty.
fn ranges(numbers: &[usize]) -> String {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for number in numbers.iter().copied() {
        match spans.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => spans.push((number, number)),
        }
    }
    let more = if spans.len() > 20 { ", …" } else { "" };
    let texts: Vec<String> = spans
        .iter()
        .take(20)
        .map(|(start, end)| if start == end { start.to_string() } else { format!("{start}-{end}") })
        .collect();
    texts.join(", ") + more
}

/// What a stream unpacks to, if that is not too much; no images.
fn decode(stream: &Stream<'_>, budget: &mut Budget) -> Option<Vec<u8>> {
    let filters = stream.filters();
    let raw = stream.raw_data();
    budget.operators = budget.operators.saturating_sub(raw.len() / 64);
    if filters.as_slice() == [Filter::FlateDecode] && !has_predictor(stream.dict()) {
        let mut bytes = Vec::new();
        let found = inflate::inflate(&raw, budget.bytes, |part| bytes.extend_from_slice(part));
        budget.is_spent |= found.end == inflate::End::TooMuch;
        budget.bytes -= bytes.len().min(budget.bytes);
        return Some(bytes);
    }
    if filters.as_slice() == [Filter::Ascii85Decode, Filter::FlateDecode]
        && !has_predictor(stream.dict())
    {
        let mut bytes = Vec::new();
        let packed = inflate::ascii_85(&raw);
        let found = inflate::inflate(&packed, budget.bytes, |part| bytes.extend_from_slice(part));
        budget.is_spent |= found.end == inflate::End::TooMuch;
        budget.bytes -= bytes.len().min(budget.bytes);
        return Some(bytes);
    }
    let most = match filters.as_slice() {
        [Filter::FlateDecode] => match inflate::inflate(&raw, budget.bytes, |_| {}) {
            found if found.end == inflate::End::Whole => found.written,
            _ => usize::MAX,
        },
        [Filter::LzwDecode] if !has_predictor(stream.dict()) => inflate::lzw_length(&raw),
        filters => {
            let mut most = raw.len();
            for filter in filters {
                most = most.saturating_mul(match filter {
                    Filter::FlateDecode => 1_100,
                    Filter::LzwDecode => 4_096,
                    Filter::RunLengthDecode => 64,
                    Filter::Ascii85Decode => 4,
                    Filter::AsciiHexDecode | Filter::Crypt => 1,
                    _ => return None,
                });
            }
            most.max(raw.len())
        }
    };
    if most > budget.bytes {
        budget.is_spent |= filters.len() == 1;
        return None;
    }
    let bytes = stream.decoded_data().ok()?.into_owned();
    budget.is_spent |= bytes.len() > budget.bytes;
    budget.bytes -= bytes.len().min(budget.bytes);
    Some(bytes)
}

fn has_predictor(dict: &Dict<'_>) -> bool {
    let parameters = dict.get::<Object<'_>>(DECODE_PARMS).or_else(|| dict.get::<Object<'_>>(DP));
    !matches!(parameters, None | Some(Object::Null(_)))
}
