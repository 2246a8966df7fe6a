//! The encodings that fonts carry in themselves, for pages that say none.

use ttf_parser::{Face, PlatformId, cff};

/// The names of the glyphs of all 256 codes of a CFF font, alone or in OpenType.
pub(super) fn of_cff(font: &[u8]) -> Option<Vec<Option<String>>> {
    let inner =
        if font.starts_with(b"OTTO") { Face::parse(font, 0).ok()?.tables().cff } else { None };
    let table = inner.or_else(|| cff::Table::parse(font))?;
    let name = |code: u8| table.glyph_name(table.glyph_index(code)?).map(str::to_owned);
    Some((0..=255).map(name).collect())
}

/// The names of the glyphs of the codes of a TrueType font of signs, as far as it says them.
pub(super) fn of_true_type(font: &[u8]) -> Vec<(u8, String)> {
    let Ok(face) = Face::parse(font, 0) else { return Vec::new() };
    let Some(map) = face.tables().cmap else { return Vec::new() };
    let mut names = Vec::new();
    for code in 0..=255_u8 {
        let glyph = map.subtables.into_iter().find_map(|table| match table.platform_id {
            // Fonts of signs have their codes at 0xF000 for Windows.
            PlatformId::Windows => table
                .glyph_index(0xf000 + u32::from(code))
                .or_else(|| table.glyph_index(u32::from(code))),
            PlatformId::Macintosh => table.glyph_index(u32::from(code)),
            _ => None,
        });
        if let Some(name) = glyph.and_then(|glyph| face.glyph_name(glyph)) {
            names.push((code, name.to_owned()));
        }
    }
    names
}
