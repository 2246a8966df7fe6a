//! Which characters the codes of simple fonts are.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::text::windows_1252;

/// Letters and signs by the names that fonts give them, beyond those of ASCII.
const NAMES: &str = include_str!("glyphs.txt");

/// What MacRoman has from 0x80 on.
const MAC_ROMAN: &str = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

/// What the standard encoding has from 0xA1 on; `\0` where it has nothing.
const STANDARD: &str = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\0–†‡·\0¶•‚„”»…‰\0¿\0`´ˆ˜¯˘˙¨\0˚¸\0˝˛ˇ—\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0Æ\0ª\0\0\0\0ŁØŒº\0\0\0\0\0æ\0\0\0ı\0\0łøœß";

/// What the font Symbol has from 0x20 on, and from 0xA0 on.
const SYMBOL: [&str; 2] = [
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
];

/// An encoding that fonts name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// That of Windows.
    WinAnsi,
    /// That of old Macs.
    MacRoman,
    /// Adobe's own.
    Standard,
    /// That of the font Symbol.
    Symbol,
}

impl Encoding {
    /// The encoding of a name in a PDF.
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"WinAnsiEncoding" => Some(Self::WinAnsi),
            b"MacRomanEncoding" => Some(Self::MacRoman),
            b"StandardEncoding" => Some(Self::Standard),
            _ => None,
        }
    }

    /// All its 256 characters; `\0` where there is none.
    pub(super) fn table(self) -> Vec<char> {
        let mut table: Vec<char> = (0..=255_u8).map(windows_1252).collect();
        table[..32].fill('\0');
        match self {
            Self::WinAnsi => table[0xad] = '-',
            Self::MacRoman => fill(&mut table[0x80..], MAC_ROMAN),
            Self::Standard => {
                (table[0x27], table[0x60]) = ('’', '‘');
                table[0x80..].fill('\0');
                fill(&mut table[0xa1..], STANDARD);
            }
            Self::Symbol => {
                table.fill('\0');
                fill(&mut table[0x20..], SYMBOL[0]);
                fill(&mut table[0xa0..], SYMBOL[1]);
            }
        }
        table
    }
}

/// The sign of a code in the font Symbol.
pub(crate) fn symbol(code: u8) -> Option<char> {
    static TABLE: OnceLock<Vec<char>> = OnceLock::new();
    let table = TABLE.get_or_init(|| Encoding::Symbol.table());
    table.get(usize::from(code)).copied().filter(|char| *char != '\0')
}

fn fill(table: &mut [char], chars: &str) {
    for (place, char) in table.iter_mut().zip(chars.chars()) {
        *place = char;
    }
}

/// The text of a glyph by its name, such as `eacute`, `fi`, `uni20AC` or `a.sc`.
pub(super) fn glyph(name: &str) -> Option<String> {
    let name = name.split('.').next().filter(|name| !name.is_empty())?;
    if let [byte] = name.as_bytes() {
        return byte.is_ascii_graphic().then(|| name.to_owned());
    }
    if let Some(char) = named(name) {
        return Some(char.to_string());
    }
    if let Some(hex) = name.strip_prefix("uni")
        && hex.len() >= 4
        && hex.len().is_multiple_of(4)
        && hex.is_ascii()
    {
        let units: Option<Vec<u16>> = (0..hex.len().min(32) / 4)
            .map(|place| u16::from_str_radix(&hex[place * 4..place * 4 + 4], 16).ok())
            .collect();
        return String::from_utf16(&units?).ok();
    }
    let hex = name.strip_prefix('u').filter(|hex| (4..=6).contains(&hex.len()))?;
    char::from_u32(u32::from_str_radix(hex, 16).ok()?).map(String::from)
}

fn named(name: &str) -> Option<char> {
    static TABLE: OnceLock<HashMap<&str, char>> = OnceLock::new();
    let lines = || NAMES.lines().filter_map(|line| line.split_once(' '));
    let table = TABLE.get_or_init(|| {
        lines().filter_map(|(name, char)| Some((name, char.chars().next()?))).collect()
    });
    table.get(name).copied()
}
