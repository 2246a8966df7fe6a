//! What a JSON value is made of, without its values.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::out::thousands;

/// How many keys of one object are told.
const KEYS: usize = 40;
/// How many elements of one list are looked at.
const ELEMENTS: usize = 1_000;

/// What a value is made of: kinds that were seen at one place, and what is inside them.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    is_null: bool,
    is_bool: bool,
    is_number: bool,
    is_text: bool,
    list: Option<List>,
    object: Option<Object>,
}

#[derive(Debug, Default)]
struct List {
    least: usize,
    most: usize,
    elements: Option<Box<Shape>>,
}

#[derive(Debug, Default)]
struct Object {
    /// Key, shape, in how many objects it was.
    keys: Vec<(String, Shape, usize)>,
    /// How many objects were seen.
    count: usize,
    /// Whether there are more keys than are told.
    has_more: bool,
}

impl Shape {
    /// What is here or there. In time that grows with the keys that both have.
    pub(crate) fn or(mut self, other: Self) -> Self {
        self.is_null |= other.is_null;
        self.is_bool |= other.is_bool;
        self.is_number |= other.is_number;
        self.is_text |= other.is_text;
        self.list = match (self.list, other.list) {
            (Some(one), Some(two)) => Some(List {
                least: one.least.min(two.least),
                most: one.most.max(two.most),
                elements: match (one.elements, two.elements) {
                    (Some(one), Some(two)) => Some(Box::new(one.or(*two))),
                    (one, two) => one.or(two),
                },
            }),
            (one, two) => one.or(two),
        };
        self.object = match (self.object, other.object) {
            (Some(one), Some(two)) => Some(one.or(two)),
            (one, two) => one.or(two),
        };
        self
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let mut is_first = true;
        let mut between = |f: &mut fmt::Formatter<'_>| {
            let text = if is_first { "" } else { " or " };
            is_first = false;
            f.write_str(text)
        };
        for (is_so, word) in [
            (self.is_number, "number"),
            (self.is_text, "text"),
            (self.is_bool, "true/false"),
            (self.is_null, "null"),
        ] {
            if is_so {
                between(f)?;
                f.write_str(word)?;
            }
        }
        if let Some(list) = &self.list {
            between(f)?;
            if list.least == list.most {
                write!(f, "list of {}", thousands(list.most))?;
            } else {
                write!(f, "list of {} to {}", thousands(list.least), thousands(list.most))?;
            }
            if let Some(elements) = list.elements.as_ref().filter(|_| depth > 0) {
                f.write_str(" × (")?;
                elements.write(f, depth - 1)?;
                f.write_str(")")?;
            }
        }
        if let Some(object) = &self.object {
            between(f)?;
            f.write_str("object")?;
            if depth > 0 && !object.keys.is_empty() {
                f.write_str(" {")?;
                for (place, (key, shape, count)) in object.keys.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { ", " })?;
                    f.write_str(key)?;
                    f.write_str(if *count < object.count { "?: " } else { ": " })?;
                    shape.write(f, depth - 1)?;
                }
                f.write_str(if object.has_more { ", …}" } else { "}" })?;
            }
        }
        Ok(())
    }
}

impl Object {
    fn or(mut self, other: Self) -> Self {
        self.count += other.count;
        self.has_more |= other.has_more;
        for (key, shape, count) in other.keys {
            if let Some(mine) = self.keys.iter_mut().find(|mine| mine.0 == key) {
                mine.1 = std::mem::take(&mut mine.1).or(shape);
                mine.2 += count;
            } else if self.keys.len() < KEYS {
                self.keys.push((key, shape, count));
            } else {
                self.has_more = true;
            }
        }
        self
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 5)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Looker)
    }
}

struct Looker;

impl<'de> Visitor<'de> for Looker {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape { is_bool: true, ..Shape::default() })
    }

    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape { is_number: true, ..Shape::default() })
    }

    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape { is_number: true, ..Shape::default() })
    }

    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape { is_number: true, ..Shape::default() })
    }

    fn visit_str<E>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape { is_text: true, ..Shape::default() })
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape { is_null: true, ..Shape::default() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
        let (mut count, mut elements) = (0, None::<Box<Shape>>);
        loop {
            if count < ELEMENTS {
                let Some(next) = list.next_element::<Shape>()? else { break };
                elements = Some(Box::new(match elements {
                    Some(elements) => elements.or(next),
                    None => next,
                }));
            } else if list.next_element::<IgnoredAny>()?.is_none() {
                break;
            }
            count += 1;
        }
        Ok(Shape { list: Some(List { least: count, most: count, elements }), ..Shape::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let mut object = Object { count: 1, ..Object::default() };
        loop {
            if object.keys.len() >= KEYS {
                if map.next_entry::<IgnoredAny, IgnoredAny>()?.is_none() {
                    break;
                }
                object.has_more = true;
                continue;
            }
            let Some(key) = map.next_key::<String>()? else { break };
            let shape = map.next_value::<Shape>()?;
            if object.keys.iter().all(|mine| mine.0 != key) {
                object.keys.push((key, shape, 1));
            }
        }
        Ok(Shape { object: Some(object), ..Shape::default() })
    }
}
