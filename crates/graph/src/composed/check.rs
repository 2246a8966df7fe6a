//! Checks the types of a body against the schemas of the graph functions.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fault::ProposalFault;
use super::operations::{self, OPERATIONS, Takes};
use super::shape::Shape;
use super::syntax::{Expr, Kind, Named, Operator};
use crate::functions::{FUNCTIONS, find};

/// The most faults that are told at once.
const MAX_FAULTS: usize = 8;

/// The most types in a record's type. Records of records grow fast with few words.
const MAX_TYPE: usize = 200;

/// The type of a body whose parameters are known, with everything that is wrong with it.
pub(super) fn check(
    source: &str,
    body: &Expr,
    parameters: Vec<(String, Shape)>,
) -> (Shape, Vec<ProposalFault>) {
    let mut checker = Checker { source, known: parameters, faults: Vec::new() };
    let shape = checker.of(body);
    (shape, checker.faults)
}

struct Checker<'s> {
    source: &'s str,
    /// Names with their types, the inner ones last.
    known: Vec<(String, Shape)>,
    faults: Vec<ProposalFault>,
}

impl Checker<'_> {
    /// Notes a fault; its place is taken by a type that fits everywhere, so that it is told once.
    fn fault(&mut self, at: usize, code: &str, message: String) -> Shape {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(ProposalFault::at(self.source, at, code, message));
        }
        Shape::Never
    }

    fn wrong(&mut self, at: usize, message: String) -> Shape {
        self.fault(at, "wrong_type", message)
    }

    /// The type of an expression that must be of another.
    fn need(&mut self, expr: &Expr, needed: &Shape, what: &str) {
        let given = self.of(expr);
        if given.fits(needed) {
            return;
        }
        let hint = if given.present().fits(needed) {
            "; it may be null: give another value for that, as in value ?? 0"
        } else {
            ""
        };
        self.wrong(expr.at, format!("{what} is of type {given}, where {needed} is needed{hint}"));
    }

    /// The type of a list's items.
    fn items_of(&mut self, expr: &Expr, what: &str) -> Shape {
        let given = self.of(expr);
        self.items_in(&given, expr.at, what)
    }

    fn items_in(&mut self, given: &Shape, at: usize, what: &str) -> Shape {
        match given.item() {
            Some(item) => item,
            None => {
                let hint = match given {
                    Shape::Optional(_) => "; it may be null: write value ?? []",
                    Shape::Record(_) => "; it is a record: name the field that has the list",
                    _ => "",
                };
                self.wrong(at, format!("{what} is of type {given}, where a list is needed{hint}"))
            }
        }
    }

    fn of(&mut self, expr: &Expr) -> Shape {
        match &expr.kind {
            Kind::Null => Shape::optional(Shape::Never),
            Kind::Boolean(_) => Shape::Boolean,
            Kind::Number(_) => Shape::Number,
            Kind::Text(_) => Shape::Text,
            Kind::Name(name) => self.name(expr.at, name),
            Kind::List(items) => self.list(items),
            Kind::Record(fields) => {
                let mut shapes = BTreeMap::new();
                for (name, at, value) in fields {
                    let shape = self.of(value);
                    if shapes.insert(name.clone(), shape).is_some() {
                        self.fault(*at, "twice", format!("the field {name:?} stands there twice"));
                    }
                }
                let shape = Shape::Record(shapes);
                if shape.size() > MAX_TYPE {
                    let message = "the record has too many fields in all: leave some out";
                    return self.fault(expr.at, "too_long", message.into());
                }
                shape
            }
            Kind::Field(of, name) => self.field(of, name),
            Kind::Index(of, index) => self.index(of, index),
            Kind::Not(of) => {
                self.need(of, &Shape::Boolean, "what stands behind \"not\"");
                Shape::Boolean
            }
            Kind::Negative(of) => {
                self.need(of, &Shape::Number, "what stands behind \"-\"");
                Shape::Number
            }
            Kind::Binary(operator, a, b) => self.binary(expr.at, *operator, a, b),
            Kind::If(test, yes, no) => {
                self.need(test, &Shape::Boolean, "what stands behind \"if\"");
                let (a, b) = (self.of(yes), self.of(no));
                a.join(&b).unwrap_or_else(|| {
                    let message = format!("\"then\" gives {a} and \"else\" {b}: they must agree");
                    self.wrong(no.at, message)
                })
            }
            Kind::Call(name, given) => self.call(expr.at, name, given),
            Kind::Operation(name, given) => self.operation(expr.at, name, given),
            Kind::Each(..) => {
                let message = "\"=>\" stands only behind a list, as in map(list, x => x + 1)";
                self.fault(expr.at, "syntax", message.into())
            }
            Kind::Block(statements, end) => {
                let n_known = self.known.len();
                for statement in statements {
                    let shape = self.of(&statement.value);
                    if let Some(name) = &statement.name {
                        self.known.push((name.clone(), shape));
                    } else if !matches!(statement.value.kind, Kind::Call(..)) {
                        let message = "a value that nobody uses: name it with let, or leave it out";
                        self.fault(statement.value.at, "unused", message.into());
                    }
                }
                let shape = self.of(end);
                self.known.truncate(n_known);
                shape
            }
        }
    }

    fn name(&mut self, at: usize, name: &str) -> Shape {
        let found = self.known.iter().rev().find(|(known, _)| known == name);
        if let Some((_, shape)) = found {
            return shape.clone();
        }
        let known: Vec<&str> = self.known.iter().map(|(n, _)| n.as_str()).collect();
        let has = if known.is_empty() { "no names".into() } else { known.join(", ") };
        let message = if find(name).is_some() {
            format!("{name} is a function: call it, as in {}", usage(name))
        } else {
            format!("there is no value {name:?} here; there are {has}")
        };
        self.fault(at, "unknown_name", message)
    }

    fn list(&mut self, items: &[Expr]) -> Shape {
        let mut joined = Shape::Never;
        for item in items {
            let shape = self.of(item);
            joined = match joined.join(&shape) {
                Some(shape) => shape,
                None => {
                    let message = format!("the list has {joined} and {shape}: items must agree");
                    return self.wrong(item.at, message);
                }
            };
        }
        if items.len() == 2 { Shape::Pair(Box::new(joined)) } else { Shape::list(joined) }
    }

    fn field(&mut self, of: &Expr, name: &str) -> Shape {
        let given = self.of(of);
        let is_optional = matches!(given, Shape::Optional(_));
        match given.present() {
            Shape::Never => Shape::Never,
            Shape::Record(fields) => match fields.get(name) {
                // A field of nothing is nothing: what uses it has to say what then.
                Some(shape) if is_optional => Shape::optional(shape.clone()),
                Some(shape) => shape.clone(),
                None => {
                    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
                    let message =
                        format!("there is no field {name:?}; there are {}", names.join(", "));
                    self.fault(of.at, "unknown_field", message)
                }
            },
            _ => self.wrong(of.at, format!("a value of type {given} has no field {name:?}")),
        }
    }

    fn index(&mut self, of: &Expr, index: &Expr) -> Shape {
        let given = self.of(of);
        let item = self.items_in(&given, of.at, "what stands before \"[\"");
        let is_pair = matches!(given, Shape::Pair(_));
        self.need(index, &Shape::Number, "the place in a list");
        match index.kind {
            Kind::Number(n) if is_pair && (n == 0.0 || n == 1.0) => item,
            _ => Shape::optional(item),
        }
    }

    fn binary(&mut self, at: usize, operator: Operator, a: &Expr, b: &Expr) -> Shape {
        use Operator as O;
        let sign = operator.sign();
        match operator {
            O::And | O::Or => {
                for side in [a, b] {
                    self.need(side, &Shape::Boolean, &format!("a side of {sign:?}"));
                }
                Shape::Boolean
            }
            O::Equal | O::NotEqual => {
                let (left, right) = (self.of(a), self.of(b));
                if left.join(&right).is_none() {
                    let message = format!("{left} and {right} cannot be compared by {sign:?}");
                    self.wrong(at, message);
                }
                Shape::Boolean
            }
            O::Otherwise => {
                let (left, right) = (self.of(a), self.of(b));
                left.present().join(&right).unwrap_or_else(|| {
                    let message = format!("{left} ?? {right}: both sides must be of one type");
                    self.wrong(b.at, message)
                })
            }
            _ => {
                for side in [a, b] {
                    self.need(side, &Shape::Number, &format!("a side of {sign:?}"));
                }
                let compares =
                    matches!(operator, O::Less | O::LessOrEqual | O::Greater | O::GreaterOrEqual);
                if compares { Shape::Boolean } else { Shape::Number }
            }
        }
    }

    fn call(&mut self, at: usize, name: &str, given: &[Named]) -> Shape {
        let Some(function) = find(name) else {
            for (_, _, value) in given {
                self.of(value);
            }
            return self.fault(at, "unknown_function", unknown(name));
        };
        let schema = function.arguments();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (i, (argument, place, value)) in given.iter().enumerate() {
            if given[..i].iter().any(|(earlier, ..)| earlier == argument) {
                self.fault(*place, "twice", format!("{argument:?} is given twice"));
            }
            match properties.and_then(|p| p.get(argument)) {
                Some(wanted) => {
                    self.need(value, &Shape::of_schema(wanted), &format!("{argument:?} of {name}"));
                }
                None => {
                    self.of(value);
                    let message = format!("{name} has no argument {argument:?}: {}", usage(name));
                    self.fault(*place, "unknown_argument", message);
                }
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        for needed in required.into_iter().flatten().filter_map(Value::as_str) {
            if !given.iter().any(|(argument, ..)| argument == needed) {
                let message = format!("{name} needs {needed:?}: {}", usage(name));
                self.fault(at, "missing_argument", message);
            }
        }
        Shape::of_schema(&function.returns())
    }

    fn operation(&mut self, at: usize, name: &str, given: &[Expr]) -> Shape {
        let Some(operation) = operations::find(name) else { return Shape::Never };
        let n_wanted = match operation.takes {
            Takes::List | Takes::Number => 1,
            Takes::ListAndEach | Takes::ListAndItem | Takes::TwoLists => 2,
        };
        if given.len() != n_wanted {
            let message =
                format!("{name} takes {n_wanted}, given {}: {}", given.len(), operation.usage);
            return self.fault(at, "wrong_count", message);
        }
        let what = format!("what {name} is given");
        match (operation.takes, given) {
            (Takes::Number, [number]) => {
                self.need(number, &Shape::Number, &what);
                if name == "range" { Shape::list(Shape::Number) } else { Shape::Number }
            }
            (Takes::List, [list]) => {
                let item = self.items_of(list, &what);
                operations::of_list(name, &item).unwrap_or_else(|needed| {
                    let message = format!("{name} needs a list of {needed}, given one of {item}");
                    self.wrong(list.at, message)
                })
            }
            (Takes::ListAndItem, [list, value]) => {
                let item = self.items_of(list, &what);
                let shape = self.of(value);
                if item.join(&shape).is_none() {
                    self.wrong(value.at, format!("the list has {item}, never {shape}"));
                }
                Shape::Boolean
            }
            (Takes::TwoLists, [a, b]) => {
                let (left, right) = (self.items_of(a, &what), self.items_of(b, &what));
                let joined = left.join(&right).unwrap_or_else(|| {
                    self.wrong(b.at, format!("one list has {left}, the other {right}"))
                });
                Shape::list(if name == "difference" { left } else { joined })
            }
            (_, [list, each]) => self.each(operation.usage, name, list, each),
            _ => Shape::Never,
        }
    }

    /// An operation that makes something of each item.
    fn each(&mut self, usage: &str, name: &str, list: &Expr, each: &Expr) -> Shape {
        let item = self.items_of(list, &format!("what {name} is given"));
        let Kind::Each(called, made) = &each.kind else {
            return self.fault(each.at, "syntax", format!("write {usage}"));
        };
        self.known.push((called.clone(), item.clone()));
        let shape = match name {
            "map" => Shape::list(self.of(made)),
            "filter" | "any" | "all" => {
                self.need(made, &Shape::Boolean, "the test");
                if name == "filter" { Shape::list(item) } else { Shape::Boolean }
            }
            _ => {
                self.need(made, &Shape::Number, &format!("what {name} goes by"));
                if name == "sort_by" { Shape::list(item) } else { Shape::optional(item) }
            }
        };
        self.known.pop();
        shape
    }
}

/// How a graph function is called.
fn usage(name: &str) -> String {
    let schema = find(name).map(|f| f.arguments()).unwrap_or_default();
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let described = |(argument, schema): (&String, &Value)| {
        let optional = if required.contains(&argument.as_str()) { "" } else { ", optional" };
        format!("{argument}: ({}{optional})", Shape::of_schema(schema).present())
    };
    let arguments: Vec<String> = properties.into_iter().flatten().map(described).collect();
    format!("{name}({})", arguments.join(", "))
}

/// What is told where there is no such function.
fn unknown(name: &str) -> String {
    let words: Vec<&str> = name.split('_').filter(|w| w.len() > 2).collect();
    let shared = |other: &str| words.iter().filter(|w| other.contains(**w)).count();
    let names = FUNCTIONS.iter().map(|f| f.name).chain(OPERATIONS.iter().map(|o| o.name));
    let mut near: Vec<&str> = names.filter(|other| shared(other) > 0).collect();
    near.sort_by_key(|other| std::cmp::Reverse(shared(other)));
    near.truncate(5);
    if near.is_empty() {
        near = OPERATIONS.iter().map(|o| o.name).collect();
    }
    format!("there is no function {name:?}; there are {}, …", near.join(", "))
}
