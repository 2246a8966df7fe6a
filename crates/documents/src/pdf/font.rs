//! Fonts: which characters codes are, and how wide.

use std::collections::HashMap;

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Number, Object, Stream};

use super::encoding::{Encoding, glyph};
use super::unicode::ToUnicode;
use super::{Budget, built_in, decode, type1};

/// How many fonts are kept; a file with more reads some again.
const FONTS: usize = 2_000;
/// How many operators reading a font counts for.
const COST: usize = 5_000;
/// How many widths one font has at most.
const WIDTHS: usize = 70_000;

/// The fonts that pages used so far.
#[derive(Default)]
pub(super) struct Fonts {
    /// By where a font's dictionary lies in memory, as one within another has no number.
    known: HashMap<(usize, usize), std::rc::Rc<Font>>,
    /// Whether a code was shown of which no character is known.
    pub has_unknown: bool,
}

impl Fonts {
    /// Reads a font, unless it is known.
    pub(super) fn get(&mut self, dict: &Dict<'_>, budget: &mut Budget) -> std::rc::Rc<Font> {
        let place = (dict.data().as_ptr() as usize, dict.data().len());
        if let Some(font) = self.known.get(&place) {
            return font.clone();
        }
        budget.operators = budget.operators.saturating_sub(COST);
        let font = std::rc::Rc::new(Font::read(dict, budget));
        if self.known.len() < FONTS {
            self.known.insert(place, font.clone());
        }
        font
    }
}

/// A font, as far as its text goes.
pub(super) struct Font {
    is_composite: bool,
    /// The text of each code of a simple font.
    texts: Vec<Option<String>>,
    to_unicode: Option<ToUnicode>,
    /// Codes are UTF-16 themselves.
    is_unicode: bool,
    widths: HashMap<u32, f32>,
    default_width: Option<f32>,
}

/// What one code shows.
pub(super) struct Shown {
    /// Its text; nothing where that is not known.
    pub text: Option<String>,
    /// How wide it is, in units of the font's size.
    pub width: f32,
    /// Whether it is the single byte 32, to which spaces between words are added.
    pub is_space: bool,
}

impl Font {
    fn read(dict: &Dict<'_>, budget: &mut Budget) -> Self {
        let to_unicode = dict
            .get::<Stream<'_>>("ToUnicode")
            .and_then(|stream| decode(&stream, budget))
            .map(|text| ToUnicode::read(&text));
        let is_composite = dict.get::<Name<'_>>("Subtype").is_some_and(|kind| *kind == *b"Type0");
        let mut font = Self {
            is_composite,
            texts: Vec::new(),
            to_unicode,
            is_unicode: false,
            widths: HashMap::new(),
            default_width: None,
        };
        if is_composite {
            font.read_composite(dict);
        } else {
            font.read_simple(dict, budget);
        }
        font
    }

    fn read_composite(&mut self, dict: &Dict<'_>) {
        self.is_unicode = dict.get::<Name<'_>>("Encoding").is_some_and(|name| {
            let name = String::from_utf8_lossy(&name).into_owned();
            name.contains("UTF16") || name.contains("UCS2")
        });
        self.default_width = Some(1.0);
        let below = dict.get::<Array<'_>>("DescendantFonts");
        let Some(below) = below.and_then(|fonts| fonts.iter::<Dict<'_>>().next()) else { return };
        if let Some(width) = below.get::<Number>("DW") {
            self.default_width = Some(width.as_f32() / 1000.0);
        }
        let Some(list) = below.get::<Array<'_>>("W") else { return };
        // `first [width …]` or `first last width`.
        let mut numbers: Vec<f32> = Vec::new();
        for item in list.raw_iter().take(WIDTHS) {
            match item {
                MaybeRef::NotRef(Object::Number(number)) => numbers.push(number.as_f32()),
                MaybeRef::NotRef(Object::Array(widths)) => {
                    let first = numbers.pop().unwrap_or(0.0) as u32;
                    numbers.clear();
                    let room = WIDTHS.saturating_sub(self.widths.len());
                    for (place, width) in (0_u32..).zip(widths.iter::<Number>().take(room)) {
                        self.widths.insert(first.saturating_add(place), width.as_f32() / 1000.0);
                    }
                }
                _ => {}
            }
            if let [first, last, width] = numbers[..] {
                let (first, last) = (first as u32, (last as u32).min(65_535));
                for code in first..=last {
                    if self.widths.len() >= WIDTHS {
                        break;
                    }
                    self.widths.insert(code, width / 1000.0);
                }
                numbers.clear();
            }
        }
    }

    fn read_simple(&mut self, dict: &Dict<'_>, budget: &mut Budget) {
        let kind = dict.get::<Name<'_>>("Subtype");
        let is = |name: &[u8]| kind.as_ref().is_some_and(|kind| **kind == *name);
        let name = dict.get::<Name<'_>>("BaseFont");
        let name = name.map(|name| String::from_utf8_lossy(&name).into_owned()).unwrap_or_default();
        let descriptor = dict.get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
        let named = dict.get::<Name<'_>>("Encoding");
        let own = dict.get::<Dict<'_>>("Encoding");
        let base = own.as_ref().and_then(|own| own.get::<Name<'_>>("BaseEncoding"));
        let usual = if name.contains("Symbol") {
            Encoding::Symbol
        } else if is(b"TrueType") {
            Encoding::WinAnsi
        } else {
            Encoding::Standard
        };
        let is_symbolic = descriptor.get::<Number>("Flags").is_some_and(|f| f.as_i64() & 4 != 0);
        let encoding = named.or(base).and_then(|name| Encoding::of_name(&name));
        self.texts = encoding
            .unwrap_or(usual)
            .table()
            .into_iter()
            .map(|char| (char != '\0').then(|| char.to_string()))
            .collect();
        if encoding.is_none() {
            let mut file = |name: &str| decode(&descriptor.get::<Stream<'_>>(name)?, budget);
            if let Some(file) = file("FontFile") {
                for (code, name) in type1::encoding(&file) {
                    self.texts[usize::from(code)] = glyph(&name);
                }
            } else if let Some(file) = file("FontFile3") {
                // Its own encoding counts alone: a font of signs has letters' codes.
                if let Some(names) = built_in::of_cff(&file) {
                    self.texts = names.iter().map(|name| glyph(name.as_deref()?)).collect();
                }
            } else if is_symbolic && let Some(file) = file("FontFile2") {
                for (code, name) in built_in::of_true_type(&file) {
                    self.texts[usize::from(code)] = glyph(&name);
                }
            }
        }
        if let Some(differences) = own.and_then(|own| own.get::<Array<'_>>("Differences")) {
            let mut code = 0_usize;
            for item in differences.iter::<Object<'_>>().take(600) {
                match item {
                    Object::Number(number) => {
                        code = usize::try_from(number.as_i64()).unwrap_or(256);
                    }
                    Object::Name(name) => {
                        if let Some(text) = self.texts.get_mut(code) {
                            *text = glyph(&String::from_utf8_lossy(&name));
                        }
                        code = code.saturating_add(1);
                    }
                    _ => {}
                }
            }
        }
        let unit = if is(b"Type3") {
            let matrix = dict.get::<Array<'_>>("FontMatrix");
            matrix
                .and_then(|matrix| matrix.iter::<Number>().next())
                .map_or(0.001, |unit| unit.as_f32())
        } else {
            0.001
        };
        let first = dict.get::<Number>("FirstChar").map_or(0, |first| first.as_i64());
        let first = u32::try_from(first).unwrap_or(0);
        for (place, width) in
            (0_u32..256).zip(dict.get::<Array<'_>>("Widths").unwrap_or_default().iter::<Number>())
        {
            self.widths.insert(first.saturating_add(place), width.as_f32() * unit);
        }
        if !self.widths.is_empty() {
            self.default_width = Some(
                descriptor.get::<Number>("MissingWidth").map_or(0.0, |width| width.as_f32() * unit),
            );
        } else if name.contains("Courier") {
            self.default_width = Some(0.6);
        }
    }

    /// What the codes of a text show.
    pub(super) fn show(&self, bytes: &[u8], mut each: impl FnMut(Shown)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = match (&self.to_unicode, self.is_composite) {
                (_, false) => 1,
                (Some(map), true) => map.code_length(rest).unwrap_or(2),
                (None, true) => 2,
            };
            let (code, after) = rest.split_at(length.min(rest.len()));
            rest = after;
            let number = code.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
            let text = self.text(number);
            let width = self.widths.get(&number).copied().or(self.default_width);
            let width = width.unwrap_or_else(|| guess(text.as_deref()));
            each(Shown { text, width, is_space: length == 1 && number == 32 });
        }
    }

    fn text(&self, code: u32) -> Option<String> {
        if let Some(text) = self.to_unicode.as_ref().and_then(|map| map.get(code)) {
            return Some(text);
        }
        if self.is_unicode {
            return char::from_u32(code).map(String::from);
        }
        self.texts.get(code as usize)?.clone()
    }
}

/// About how wide a character is in fonts like Helvetica, which need not say it.
fn guess(text: Option<&str>) -> f32 {
    match text.and_then(|text| text.chars().next()) {
        Some(
            ' ' | 'i' | 'l' | 'j' | 't' | 'f' | 'I' | '.' | ',' | ';' | ':' | '\'' | '|' | '!'
            | '/' | '(' | ')',
        ) => 0.28,
        Some('m' | 'M' | 'W' | 'w' | '@' | '%') => 0.83,
        Some(char) if char.is_uppercase() => 0.68,
        _ => 0.54,
    }
}
