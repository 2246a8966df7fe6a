//! What is drawn on a page, as far as it is text.

use std::rc::Rc;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};

use super::font::{Font, Fonts};
use super::lines::{Lines, Piece};
use super::{Budget, decode};
use crate::DocumentLimits;

/// How deep forms may lie within forms.
const FORMS: usize = 12;
/// How many operators drawing a form counts for.
const FORM: usize = 200;
/// How many states may be saved.
const SAVED: usize = 200;

/// A place and a direction: `x' = a x + c y + e`, `y' = b x + d y + f`.
type Matrix = [f64; 6];
const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// `first`, then `then`.
fn after(first: &Matrix, then: &Matrix) -> Matrix {
    let [a, b, c, d, e, f] = *first;
    let [k, l, m, n, o, p] = *then;
    [
        a * k + b * m,
        a * l + b * n,
        c * k + d * m,
        c * l + d * n,
        e * k + f * m + o,
        e * l + f * n + p,
    ]
}

fn apply(matrix: &Matrix, x: f64, y: f64) -> (f64, f64) {
    let [a, b, c, d, e, f] = *matrix;
    (a * x + c * y + e, b * x + d * y + f)
}

/// What is saved and restored.
#[derive(Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

/// What reads one page.
struct Reader<'a> {
    fonts: &'a mut Fonts,
    budget: &'a mut Budget,
    depth: usize,
    room: usize,
    lines: Lines,
    /// The forms that are open.
    open: Vec<ObjectIdentifier>,
}

/// The text of a page, at most about `room` bytes.
pub(super) fn read(
    page: &Page<'_>,
    fonts: &mut Fonts,
    budget: &mut Budget,
    limits: &DocumentLimits,
    room: usize,
) -> String {
    let depth = FORMS.min(limits.depth);
    let lines = Lines::default();
    let mut reader = Reader { fonts, budget, depth, room, lines, open: Vec::new() };
    let content = reader.content(page.raw());
    let state = State {
        matrix: IDENTITY,
        font: None,
        size: 1.0,
        char_space: 0.0,
        word_space: 0.0,
        scale: 1.0,
        leading: 0.0,
        rise: 0.0,
    };
    reader.run(&content, page.resources(), state);
    reader.lines.finish()
}

impl Reader<'_> {
    /// The operators of a page, from one stream or several.
    fn content(&mut self, page: &Dict<'_>) -> Vec<u8> {
        match page.get::<Object<'_>>("Contents") {
            Some(Object::Stream(stream)) => decode(&stream, self.budget).unwrap_or_default(),
            Some(Object::Array(streams)) => {
                let mut content = Vec::new();
                for stream in streams.iter::<Stream<'_>>() {
                    content.extend(decode(&stream, self.budget).unwrap_or_default());
                    content.push(b'\n');
                    if self.budget.is_spent {
                        break;
                    }
                }
                content
            }
            _ => Vec::new(),
        }
    }

    /// Follows operators.
    fn run(&mut self, content: &[u8], resources: &Resources<'_>, start: State) {
        let mut state = start;
        let mut saved: Vec<State> = Vec::new();
        let (mut text, mut line) = (IDENTITY, IDENTITY);
        let mut operators = TypedIter::new(content);
        while let Some(operator) = operators.next() {
            if self.budget.operators == 0 {
                self.budget.is_spent = true;
            }
            if self.budget.is_spent || self.lines.len() > self.room {
                return;
            }
            self.budget.operators = self.budget.operators.saturating_sub(1);
            match operator {
                Op::SaveState(_) if saved.len() < SAVED => saved.push(state.clone()),
                Op::RestoreState(_) => state = saved.pop().unwrap_or(state),
                Op::Transform(to) => {
                    let to = matrix([&to.0, &to.1, &to.2, &to.3, &to.4, &to.5]);
                    state.matrix = after(&to, &state.matrix);
                }
                Op::BeginText(_) => (text, line) = (IDENTITY, IDENTITY),
                Op::CharacterSpacing(space) => state.char_space = space.0.as_f64(),
                Op::WordSpacing(space) => state.word_space = space.0.as_f64(),
                Op::HorizontalScaling(scale) => state.scale = scale.0.as_f64() / 100.0,
                Op::TextLeading(leading) => state.leading = leading.0.as_f64(),
                Op::TextRise(rise) => state.rise = rise.0.as_f64(),
                Op::TextFont(font) => {
                    state.size = font.1.as_f64();
                    let dict = resources.get_font(font.0);
                    state.font = dict.map(|dict| self.fonts.get(&dict, self.budget));
                }
                Op::SetTextMatrix(to) => {
                    line = matrix([&to.0, &to.1, &to.2, &to.3, &to.4, &to.5]);
                    text = line;
                }
                Op::NextLine(by) => {
                    line = after(&[1.0, 0.0, 0.0, 1.0, by.0.as_f64(), by.1.as_f64()], &line);
                    text = line;
                }
                Op::NextLineAndSetLeading(by) => {
                    state.leading = -by.1.as_f64();
                    line = after(&[1.0, 0.0, 0.0, 1.0, by.0.as_f64(), by.1.as_f64()], &line);
                    text = line;
                }
                Op::NextLineUsingLeading(_) => {
                    line = after(&[1.0, 0.0, 0.0, 1.0, 0.0, -state.leading], &line);
                    text = line;
                }
                Op::ShowText(shown) => self.show(&state, &mut text, shown.0),
                Op::NextLineAndShowText(shown) => {
                    line = after(&[1.0, 0.0, 0.0, 1.0, 0.0, -state.leading], &line);
                    text = line;
                    self.show(&state, &mut text, shown.0);
                }
                Op::ShowTextWithParameters(shown) => {
                    (state.word_space, state.char_space) = (shown.0.as_f64(), shown.1.as_f64());
                    line = after(&[1.0, 0.0, 0.0, 1.0, 0.0, -state.leading], &line);
                    text = line;
                    self.show(&state, &mut text, shown.2);
                }
                Op::ShowTexts(items) => self.show_all(&state, &mut text, items.0),
                Op::XObject(name) => self.form(resources, name.0, &state),
                _ => {}
            }
        }
    }

    /// Texts with numbers between them that move what follows.
    fn show_all(&mut self, state: &State, text: &mut Matrix, items: &Array<'_>) {
        for item in items.iter::<Object<'_>>() {
            match item {
                Object::String(shown) => self.show(state, text, &shown),
                Object::Number(by) => {
                    let by = -by.as_f64() / 1000.0 * state.size * state.scale;
                    *text = after(&[1.0, 0.0, 0.0, 1.0, by, 0.0], text);
                }
                _ => {}
            }
            self.budget.operators = self.budget.operators.saturating_sub(1);
            if self.budget.operators == 0 || self.lines.len() > self.room {
                return;
            }
        }
    }

    /// One text: what it is, and how far it moves what follows.
    fn show(&mut self, state: &State, text: &mut Matrix, bytes: &[u8]) {
        let Some(font) = &state.font else { return };
        let to_page = |text: &Matrix| apply(&after(text, &state.matrix), 0.0, state.rise);
        let start = to_page(text);
        let (mut shown, mut width, mut has_unknown) = (String::new(), 0.0, false);
        font.show(bytes, |code| {
            match code.text {
                Some(text) => shown.push_str(&text),
                None => {
                    has_unknown = true;
                    if !shown.ends_with(char::REPLACEMENT_CHARACTER) {
                        shown.push(char::REPLACEMENT_CHARACTER);
                    }
                }
            }
            let space = if code.is_space { state.word_space } else { 0.0 };
            width += (f64::from(code.width) * state.size + state.char_space + space) * state.scale;
        });
        self.fonts.has_unknown |= has_unknown;
        *text = after(&[1.0, 0.0, 0.0, 1.0, width, 0.0], text);
        let whole = after(text, &state.matrix);
        let size = state.size.abs() * whole[2].hypot(whole[3]);
        self.lines.push(Piece { text: shown, start, end: to_page(text), size });
    }

    /// A form: a drawing with operators of its own.
    fn form(&mut self, resources: &Resources<'_>, name: &Name<'_>, state: &State) {
        let Some(form) = resources.get_x_object(name) else { return };
        let dict = form.dict();
        if dict.get::<Name<'_>>("Subtype").is_none_or(|kind| *kind != *b"Form")
            || self.open.len() >= self.depth
            || self.open.contains(&form.obj_id())
        {
            return;
        }
        self.budget.operators = self.budget.operators.saturating_sub(FORM);
        let Some(content) = decode(&form, self.budget) else { return };
        let mut state = state.clone();
        if let Some(to) = dict.get::<Array<'_>>("Matrix") {
            let numbers: Vec<f64> =
                to.iter::<Number>().take(6).map(|number| number.as_f64()).collect();
            if let Ok(to) = Matrix::try_from(numbers) {
                state.matrix = after(&to, &state.matrix);
            }
        }
        self.open.push(form.obj_id());
        match dict.get::<Dict<'_>>("Resources") {
            Some(own) => self.run(&content, &Resources::new(own), state),
            None => self.run(&content, resources, state),
        }
        self.open.pop();
    }
}

fn matrix(numbers: [&Number; 6]) -> Matrix {
    numbers.map(|number| number.as_f64())
}
