//! What a template of a file may do, which is a program that a stranger wrote.
//!
//! The engine counts its instructions and the bytes that they make. That leaves what one instruction
//! walks: values that share their parts are small in memory and endless to print, and values in
//! values end the stack. So each value is measured when it is made, and what walks one pays for its
//! parts beforehand. The engine has no place for that; its instructions are rewritten instead.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::machinery::{
    Instruction, Instructions, Token, eval, get_compiled_template, make_string_output, tokenize,
};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, ObjectRepr};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, Value, escape_formatter};

use crate::GgufError;

/// Steps that a template may take, and 64 bytes that it may make for each: a fiftieth of it writes a
/// conversation of a thousand turns.
const FUEL: u64 = 4_000_000;
/// The most bytes of a template; the largest that is known has half of them.
const MAX_TEMPLATE: usize = 1 << 16;
/// The most words and signs between two braces; a longer row would be a deeper tree for the parser.
/// The longest that is known has 150.
const MAX_TOKENS: usize = 400;
/// The most branches of a template, for the same reason.
const MAX_BRANCHES: usize = 400;
/// How deep macros, loops and blocks may stand in each other; a macro counts four times.
const MAX_RECURSION: usize = 200;
/// The most parts of a value, those of its parts counted too.
const MAX_PARTS: usize = 100_000;
/// How deep a value may be; JSON in a request has 128 levels at most.
const MAX_DEPTH: usize = 160;
/// The most digits of a width or a precision in a text that is filled in.
const MAX_DIGITS: usize = 3;

/// The functions that rewritten instructions call. A template can neither say nor set such names.
const WALK: &str = " walk";
const MADE: &str = " made";
const KEEP: &str = " keep";
const FILL: &str = " fill";
/// The number one, which keeps a product from being worked out while the template is read: nobody
/// counts there.
const ONE: &str = "graphground_one";

/// Filters that look at no more than the first level of what they get.
const SHALLOW: [&str; 8] = ["count", "d", "default", "first", "items", "last", "length", "list"];
fn invalid(text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidOperation, text)
}

/// An environment with the bounds, in which the template is called "chat".
pub(super) fn environment(
    text: &str,
    syntax: SyntaxConfig,
) -> Result<Environment<'static>, GgufError> {
    let refused = |reason: String| GgufError::Template { reason };
    if text.len() > MAX_TEMPLATE {
        let n = text.len();
        return Err(refused(format!("it has {n} bytes; {MAX_TEMPLATE} are the most")));
    }
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_RECURSION);
    environment.set_syntax(syntax.clone());
    environment.set_formatter(|out, state, value| {
        pay(state, std::slice::from_ref(value))?;
        escape_formatter(out, state, value)
    });
    // It shows all that the engine has.
    environment.remove_global("debug");
    environment.add_global(ONE, 1);
    for (name, check) in [(WALK, walk as Check), (MADE, made), (KEEP, keep), (FILL, fill)] {
        environment.add_global(name, Value::from_object(Checked(check)));
    }
    let text = scanned(text, syntax).map_err(refused)?;
    environment.add_template_owned("chat", text).map_err(|e| super::failed(&e))?;
    Ok(environment)
}

/// The template's text once its shape is known to fit the parser, which recurses.
fn scanned(text: &str, syntax: SyntaxConfig) -> Result<String, String> {
    let (mut n_tokens, mut n_branches, mut changes) = (0, 0, Vec::new());
    let mut is_tag = false;
    for token in tokenize(text, false, syntax) {
        // The parser says what is wrong, and where.
        let Ok((token, span)) = token else { break };
        match token {
            Token::TemplateData(_) | Token::VariableStart | Token::BlockStart => n_tokens = 0,
            Token::Ident("elif") => n_branches += 1,
            Token::Mul => {
                let at = span.end_offset as usize;
                changes.push((at..at, format!(" {ONE} *")));
            }
            // Marks what the model says, for those who train one. Names that are set within stay there.
            Token::Ident(name @ ("generation" | "endgeneration")) if is_tag => {
                let block = name.replace("generation", "with");
                changes.push((span.start_offset as usize..span.end_offset as usize, block));
            }
            _ => n_tokens += 1,
        }
        is_tag = matches!(token, Token::BlockStart);
        if n_tokens > MAX_TOKENS {
            let line = span.start_line;
            return Err(format!(
                "an expression has more than {MAX_TOKENS} words and signs (line {line})"
            ));
        }
        if n_branches > MAX_BRANCHES {
            return Err(format!("it has more than {MAX_BRANCHES} branches with \"elif\""));
        }
    }
    let mut text = text.to_owned();
    for (place, new) in changes.into_iter().rev() {
        text.replace_range(place, &new);
    }
    Ok(text)
}

/// What the template gives.
pub(super) fn render(environment: &Environment<'static>, context: Value) -> Result<String, Error> {
    let template = environment.get_template("chat")?;
    let instructions = guarded(&get_compiled_template(&template).instructions)?;
    let mut text = String::new();
    let mut out = make_string_output(&mut text);
    let blocks = BTreeMap::new();
    eval(environment, &instructions, context, &blocks, &mut out, AutoEscape::None)?;
    drop(out);
    Ok(text)
}

/// The instructions with checks before what walks values and behind what makes them.
fn guarded<'a>(plain: &Instructions<'a>) -> Result<Instructions<'a>, Error> {
    use Instruction as I;
    let mut all = Instructions::new(plain.name(), plain.source());
    // Where each instruction went, for the jumps, of which these are the places.
    let (mut places, mut jumps, mut line, mut n_all) = (Vec::new(), Vec::new(), 0, 0);
    for at in 0.. {
        places.push(n_all);
        let Some(instruction) = plain.get(at) else { break };
        line = plain.get_line(at).unwrap_or(line);
        let mut add = |instruction| {
            let place = all.add_with_line(instruction, line as u16);
            n_all = place + 1;
            place
        };
        let around = around(instruction)?;
        if let Some((name, n)) = around.before {
            add(I::CallFunction(name, Some(n)));
            add(I::UnpackList(n.into()));
        }
        let place = add(instruction.clone());
        if target(&mut instruction.clone()).is_some() {
            jumps.push(place);
        }
        if around.is_made {
            add(I::CallFunction(MADE, Some(1)));
        }
    }
    for at in jumps {
        if let Some(to) = all.get_mut(at).and_then(target) {
            *to = places.get(*to as usize).copied().ok_or_else(|| invalid("a jump is lost"))?;
        }
    }
    Ok(all)
}

/// What stands around an instruction.
#[derive(Default)]
struct Around {
    /// A check of what it is given, and how many values of the stack that is.
    before: Option<(&'static str, u16)>,
    /// Whether what it makes is measured.
    is_made: bool,
}

fn around(instruction: &Instruction<'_>) -> Result<Around, Error> {
    use Instruction as I;
    let counted = |n: &Option<u16>| {
        n.ok_or_else(|| invalid("arguments with \"*\" or \"**\" are not supported"))
    };
    let before = match instruction {
        I::Eq | I::Ne | I::Gt | I::Gte | I::Lt | I::Lte | I::In | I::CompareAndPreserve(_) => {
            Some((WALK, 2))
        }
        I::StringConcat => Some((WALK, 2)),
        I::SetAttr(_) => Some((KEEP, 2)),
        // There are more of them with stars than the instruction says.
        I::UnpackLists(_) | I::MergeKwargs(_) => Some((WALK, counted(&None)?)),
        I::ApplyFilter(name, n, _) if !SHALLOW.contains(name) => Some((WALK, counted(n)?)),
        // With one value alone it asks for its kind.
        I::PerformTest(_, n, _) if counted(n)? > 1 => Some((WALK, counted(n)?)),
        I::CallMethod("get" | "items" | "keys" | "values", _) => None,
        I::CallMethod("format", n) => Some((FILL, counted(n)?)),
        I::CallMethod(_, n) => Some((WALK, counted(n)?)),
        I::CallFunction("raise_exception", n) => Some((WALK, counted(n)?)),
        _ => None,
    };
    let is_made = matches!(
        instruction,
        I::Add
            | I::Mul
            | I::Slice
            | I::BuildList(_)
            | I::BuildMap(_)
            | I::BuildTuple(_)
            | I::BuildKwargs(_)
            | I::ApplyFilter(..)
            | I::CallMethod(..)
            | I::CallFunction(..)
            | I::CallObject(_)
    );
    Ok(Around { before, is_made })
}

fn target<'a>(instruction: &'a mut Instruction<'_>) -> Option<&'a mut u32> {
    use Instruction as I;
    match instruction {
        I::Iterate(to)
        | I::Jump(to)
        | I::JumpIfFalse(to)
        | I::JumpIfFalseOrPop(to)
        | I::JumpIfTrueOrPop(to)
        | I::BuildMacro(_, to, _) => Some(to),
        _ => None,
    }
}

type Check = fn(&State<'_, '_>, &[Value]) -> Result<Value, Error>;

/// A check as something that an instruction can call.
struct Checked(Check);

impl std::fmt::Debug for Checked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("check")
    }
}

impl Object for Checked {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, args: &[Value]) -> Result<Value, Error> {
        (self.0)(state, args)
    }
}

/// What a value holds.
#[derive(Default)]
struct Size {
    parts: usize,
    bytes: usize,
}

/// Whether it changes while others hold it, so that it could come to hold itself.
fn changes(value: &Value) -> bool {
    value.as_object().is_some_and(|object| {
        let name = object.type_name();
        name.contains("::namespace_object::") || name.contains("::loop_object::")
    })
}

impl Size {
    fn of(values: &[Value]) -> Result<Self, Error> {
        let mut size = Self::default();
        for value in values {
            size.add(value, 0)?;
        }
        Ok(size)
    }

    fn add(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(invalid(format!("a value has more than {MAX_PARTS} parts")));
        }
        if let Some(text) = value.as_str() {
            self.bytes += text.len();
        }
        let Some(object) = value.as_object() else { return Ok(()) };
        if depth == MAX_DEPTH {
            return Err(invalid(format!("a value is more than {MAX_DEPTH} levels deep")));
        }
        if depth > 0 && changes(value) {
            return Err(invalid("a namespace or a loop cannot be part of a value"));
        }
        match object.repr() {
            ObjectRepr::Map => {
                for (key, part) in object.try_iter_pairs().into_iter().flatten() {
                    self.add(&key, depth + 1)?;
                    self.add(&part, depth + 1)?;
                }
            }
            ObjectRepr::Seq | ObjectRepr::Iterable => {
                for part in object.try_iter().into_iter().flatten() {
                    self.add(&part, depth + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Pays for a walk through values; a text alone is paid for by the engine.
fn pay(state: &State<'_, '_>, values: &[Value]) -> Result<(), Error> {
    for value in values.iter().filter(|value| value.as_object().is_some()) {
        let size = Size::of(std::slice::from_ref(value))?;
        // A byte becomes at most eight where it is written within a value.
        state.consume_fuel((size.parts + size.bytes / 8) as u64)?;
    }
    Ok(())
}

/// For [`Instruction::UnpackList`], which puts the first on top.
fn back(values: &[Value]) -> Value {
    values.iter().rev().cloned().collect()
}

fn walk(state: &State<'_, '_>, values: &[Value]) -> Result<Value, Error> {
    pay(state, values)?;
    Ok(back(values))
}

/// A value that was made: within the bounds, and no promise of a list that others would keep.
fn made(state: &State<'_, '_>, values: &[Value]) -> Result<Value, Error> {
    let [value] = values else { return Err(invalid("there is no value")) };
    let Some(object) = value.as_object() else { return Ok(value.clone()) };
    state.consume_fuel(Size::of(values)?.parts as u64)?;
    let is_list = matches!(object.repr(), ObjectRepr::Seq | ObjectRepr::Iterable);
    if !is_list || value.is_tuple() || object.downcast_ref::<Vec<Value>>().is_some() {
        return Ok(value.clone());
    }
    Ok(object.try_iter().into_iter().flatten().collect())
}

/// A value and the namespace that is to keep it.
fn keep(_: &State<'_, '_>, values: &[Value]) -> Result<Value, Error> {
    if values.first().is_some_and(changes) {
        return Err(invalid("a namespace cannot keep a namespace or a loop"));
    }
    Ok(back(values))
}

/// A text that is to be filled in, and with what.
fn fill(state: &State<'_, '_>, values: &[Value]) -> Result<Value, Error> {
    let text = values.first().and_then(Value::as_str).unwrap_or_default();
    let mut digits = text.split(|c: char| !c.is_ascii_digit());
    if digits.any(|run| run.len() > MAX_DIGITS) {
        return Err(invalid(format!("a width has more than {MAX_DIGITS} digits")));
    }
    walk(state, values)
}
