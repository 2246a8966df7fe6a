//! What functions compute.

use kg::property::Element;

use super::operators::{deleted, overflow};
use super::times::plain_text;
use super::{Ran, Row, Run, fault, times};
use crate::ast::Call;
use crate::error::{Cause, CypherErrorKind};
use crate::functions::Function;
use crate::value::CypherValue;

impl Run<'_, '_> {
    pub(super) fn function(&self, call: &Call, row: &mut Row) -> Ran<CypherValue> {
        let Some(function) = call.function else { return Ok(CypherValue::Null) };
        if function == Function::Coalesce {
            for argument in &call.arguments {
                let value = self.eval(argument, row)?;
                if !value.is_null() {
                    return Ok(value);
                }
            }
            return Ok(CypherValue::Null);
        }
        let arguments: Ran<Vec<_>> =
            call.arguments.iter().map(|argument| self.eval(argument, row)).collect();
        let arguments = arguments?;
        // A text is walked, whatever is asked of it; a list that is given back is a copy.
        let is_text = |value: &&CypherValue| matches!(value, CypherValue::Text(_));
        let texts: usize = arguments.iter().filter(is_text).map(CypherValue::size).sum();
        self.shared.budget.spend(texts)?;
        let value = self.call_function(function, &call.name, &arguments)?;
        if let CypherValue::List(list) = &value
            && !matches!(function, Function::Head | Function::Last | Function::NullIf)
        {
            self.shared.budget.length(list.len())?;
        }
        Ok(value)
    }

    fn call_function(
        &self,
        function: Function,
        name: &str,
        arguments: &[CypherValue],
    ) -> Ran<CypherValue> {
        use Function as F;
        let null = CypherValue::Null;
        let (first, second) =
            (arguments.first().unwrap_or(&null), arguments.get(1).unwrap_or(&null));
        match function {
            F::Pi => return Ok(CypherValue::Float(std::f64::consts::PI)),
            F::E => return Ok(CypherValue::Float(std::f64::consts::E)),
            F::Rand => return Ok(CypherValue::Float(self.random())),
            F::RandomUuid => return Ok(self.uuid()),
            F::Timestamp => return Ok(CypherValue::Int(self.shared.limits.now_ms)),
            F::Date | F::DateTime | F::LocalDateTime | F::Time => {
                let now = self.shared.limits.now_ms;
                return times::read(function, arguments.first(), now);
            }
            F::Range => return self.range(arguments),
            F::NullIf => {
                let is_same = self.shared.budget.equals(first, second)? == Some(true);
                return Ok(if is_same { CypherValue::Null } else { first.clone() });
            }
            F::ValueType => return Ok(CypherValue::text(value_type(first))),
            _ => {}
        }
        if first.is_null() {
            return Ok(CypherValue::Null);
        }
        match function {
            F::Duration => times::duration(first),
            F::DurationBetween | F::DurationInDays => {
                if second.is_null() {
                    return Ok(CypherValue::Null);
                }
                times::between(first, second, function == F::DurationInDays)
            }
            F::Id
            | F::ElementId
            | F::Labels
            | F::Type
            | F::StartNode
            | F::EndNode
            | F::Nodes
            | F::Relationships
            | F::Length
            | F::Keys
            | F::Properties => self.of_element(function, name, first),
            F::Size | F::Head | F::Last | F::Tail | F::Reverse | F::IsEmpty => {
                of_list(function, name, first)
            }
            F::ToBoolean
            | F::ToBooleanOrNull
            | F::ToFloat
            | F::ToFloatOrNull
            | F::ToInteger
            | F::ToIntegerOrNull
            | F::ToString
            | F::ToStringOrNull => convert(function, name, first),
            F::Left
            | F::Right
            | F::LTrim
            | F::RTrim
            | F::Trim
            | F::ToLower
            | F::ToUpper
            | F::Replace
            | F::Split
            | F::Substring => self.of_text(function, name, arguments),
            _ => of_number(function, name, arguments),
        }
    }

    /// A number from 0 to before 1, the same ones for the same seed.
    fn random(&self) -> f64 {
        (self.next_random() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// SplitMix64: small, and good enough for queries.
    fn next_random(&self) -> u64 {
        let state = self.shared.random.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.shared.random.set(state);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn uuid(&self) -> CypherValue {
        let (a, b) = (self.next_random(), self.next_random());
        let (head, tail) = (a & 0xffff_ffff_ffff_0fff | 0x4000, b >> 2 | 1 << 63);
        let text = format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            head >> 32,
            head >> 16 & 0xffff,
            head & 0xffff,
            tail >> 48,
            tail & 0xffff_ffff_ffff
        );
        CypherValue::text(text)
    }

    fn range(&self, arguments: &[CypherValue]) -> Ran<CypherValue> {
        let mut bounds = [0, 0, 1];
        for (bound, argument) in bounds.iter_mut().zip(arguments) {
            match argument {
                CypherValue::Int(n) => *bound = *n,
                other => {
                    let message = format!("range needs whole numbers, not {}", other.sort());
                    let cause = Cause::InvalidArgumentType;
                    return fault(CypherErrorKind::ArgumentError, cause, message);
                }
            }
        }
        let [from, to, step] = bounds.map(i128::from);
        if step == 0 {
            let message = "range cannot go on in steps of 0";
            return fault(CypherErrorKind::ArgumentError, Cause::NumberOutOfRange, message);
        }
        let n = ((to - from) / step + 1).max(0);
        let is_empty = (step > 0 && from > to) || (step < 0 && from < to);
        if is_empty {
            return Ok(CypherValue::list(Vec::new()));
        }
        self.shared.budget.length(usize::try_from(n).unwrap_or(usize::MAX))?;
        let items = (0..n).map(|i| CypherValue::Int((from + i * step) as i64));
        Ok(CypherValue::list(items.collect()))
    }

    fn of_element(&self, function: Function, name: &str, of: &CypherValue) -> Ran<CypherValue> {
        use Function as F;
        let names = |names: &mut dyn Iterator<Item = &String>| {
            CypherValue::list(names.map(|name| CypherValue::text(name.as_str())).collect())
        };
        Ok(match (function, of) {
            (F::Id, CypherValue::Node(id)) => CypherValue::Int(id.0 as i64),
            (F::Id, CypherValue::Edge(id)) => CypherValue::Int(id.0 as i64),
            (F::ElementId, CypherValue::Node(id)) => CypherValue::text(id.to_string()),
            (F::ElementId, CypherValue::Edge(id)) => CypherValue::text(id.to_string()),
            (F::Labels, CypherValue::Node(id)) => match self.graph().node(*id) {
                Some(node) => names(&mut node.labels.iter()),
                None => return deleted("node"),
            },
            (F::Type, CypherValue::Edge(id)) => match self.graph().edge(*id) {
                Some(edge) => CypherValue::text(edge.edge_type.as_str()),
                // The type of a relationship is told also when it is no more.
                None => match self.shared.gone.borrow().get(id) {
                    Some(edge_type) => CypherValue::text(edge_type.as_str()),
                    None => return deleted("relationship"),
                },
            },
            (F::StartNode | F::EndNode, CypherValue::Edge(id)) => match self.graph().edge(*id) {
                Some(edge) if function == F::StartNode => CypherValue::Node(edge.source),
                Some(edge) => CypherValue::Node(edge.target),
                None => return deleted("relationship"),
            },
            (F::Nodes, CypherValue::Path(path)) => {
                CypherValue::list(path.nodes.iter().map(|id| CypherValue::Node(*id)).collect())
            }
            (F::Relationships, CypherValue::Path(path)) => {
                CypherValue::list(path.edges.iter().map(|id| CypherValue::Edge(*id)).collect())
            }
            (F::Length, CypherValue::Path(path)) => CypherValue::Int(path.edges.len() as i64),
            (F::Length, CypherValue::Text(_) | CypherValue::List(_)) => {
                return of_list(F::Size, name, of);
            }
            (F::Keys, CypherValue::Map(map)) => names(&mut map.keys()),
            (F::Keys, CypherValue::Node(id)) => match self.graph().properties(Element::Node(*id)) {
                Some(all) => names(&mut all.keys()),
                None => return deleted("node"),
            },
            (F::Keys, CypherValue::Edge(id)) => match self.graph().properties(Element::Edge(*id)) {
                Some(all) => names(&mut all.keys()),
                None => return deleted("relationship"),
            },
            (F::Properties, of) => return self.properties(of),
            (_, other) => return wrong(name, other),
        })
    }

    fn of_text(
        &self,
        function: Function,
        name: &str,
        arguments: &[CypherValue],
    ) -> Ran<CypherValue> {
        use Function as F;
        if arguments.iter().any(CypherValue::is_null) {
            return Ok(CypherValue::Null);
        }
        let text_at = |i: usize| match arguments.get(i) {
            Some(CypherValue::Text(text)) => Ok(text.clone()),
            Some(other) => wrong(name, other),
            None => wrong(name, &CypherValue::Null),
        };
        let count_at = |i: usize| match arguments.get(i) {
            Some(CypherValue::Int(n)) if *n >= 0 => Ok(usize::try_from(*n).unwrap_or(usize::MAX)),
            Some(CypherValue::Int(n)) => {
                let message = format!("{name} needs a number of at least 0, not {n}");
                fault(CypherErrorKind::ArgumentError, Cause::NegativeIntegerArgument, message)
            }
            Some(other) => wrong(name, other),
            None => Ok(usize::MAX),
        };
        let text = text_at(0)?;
        let cut: String = match function {
            F::ToLower => text.to_lowercase(),
            F::ToUpper => text.to_uppercase(),
            F::Trim => text.trim().to_owned(),
            F::LTrim => text.trim_start().to_owned(),
            F::RTrim => text.trim_end().to_owned(),
            F::Left => text.chars().take(count_at(1)?).collect(),
            F::Right => {
                let n = text.chars().count();
                text.chars().skip(n.saturating_sub(count_at(1)?)).collect()
            }
            F::Substring => text.chars().skip(count_at(1)?).take(count_at(2)?).collect(),
            F::Replace => {
                let (old, new) = (text_at(1)?, text_at(2)?);
                let n = if old.is_empty() { text.len() + 1 } else { text.len() / old.len() };
                self.shared.budget.length(text.len() + n.saturating_mul(new.len()))?;
                text.replace(&*old, &new)
            }
            _ => {
                let between = match arguments.get(1) {
                    Some(CypherValue::List(list)) => {
                        return self.split_at_any(&text, list);
                    }
                    _ => text_at(1)?,
                };
                let parts: Vec<CypherValue> = if between.is_empty() {
                    text.chars().map(|c| CypherValue::text(c.to_string())).collect()
                } else {
                    text.split(&*between).map(CypherValue::text).collect()
                };
                return Ok(CypherValue::list(parts));
            }
        };
        self.shared.budget.length(cut.len())?;
        Ok(CypherValue::text(cut))
    }

    fn split_at_any(&self, text: &str, separators: &[CypherValue]) -> Ran<CypherValue> {
        let mut parts = vec![text];
        for separator in separators {
            self.shared.budget.spend(parts.len() + text.len() / 16)?;
            if let CypherValue::Text(separator) = separator
                && !separator.is_empty()
            {
                parts = parts.iter().flat_map(|part| part.split(&**separator)).collect();
            }
        }
        Ok(CypherValue::list(parts.into_iter().map(CypherValue::text).collect()))
    }
}

fn wrong<T>(name: &str, value: &CypherValue) -> Ran<T> {
    let message = format!("{name} has no meaning for {}", value.sort());
    fault(CypherErrorKind::TypeError, Cause::InvalidArgumentValue, message)
}

fn of_list(function: Function, name: &str, of: &CypherValue) -> Ran<CypherValue> {
    use Function as F;
    Ok(match (function, of) {
        (F::Size, CypherValue::Text(text)) => CypherValue::Int(text.chars().count() as i64),
        (F::Size, CypherValue::List(list)) => CypherValue::Int(list.len() as i64),
        (F::Size, CypherValue::Map(map)) => CypherValue::Int(map.len() as i64),
        (F::Reverse, CypherValue::Text(text)) => {
            CypherValue::text(text.chars().rev().collect::<String>())
        }
        (F::IsEmpty, CypherValue::Text(text)) => CypherValue::Bool(text.is_empty()),
        (F::IsEmpty, CypherValue::Map(map)) => CypherValue::Bool(map.is_empty()),
        (_, CypherValue::List(list)) => match function {
            F::Head => list.first().cloned().unwrap_or(CypherValue::Null),
            F::Last => list.last().cloned().unwrap_or(CypherValue::Null),
            F::Tail => CypherValue::list(list.get(1..).unwrap_or_default().to_vec()),
            F::Reverse => CypherValue::list(list.iter().rev().cloned().collect()),
            _ => CypherValue::Bool(list.is_empty()),
        },
        (_, other) => return wrong(name, other),
    })
}

/// Conversions give null for a text that says something else, and refuse other sorts of values but
/// in their `…OrNull` forms.
fn convert(function: Function, name: &str, of: &CypherValue) -> Ran<CypherValue> {
    use Function as F;
    let or_null = matches!(
        function,
        F::ToBooleanOrNull | F::ToFloatOrNull | F::ToIntegerOrNull | F::ToStringOrNull
    );
    let converted = match (function, of) {
        (F::ToBoolean | F::ToBooleanOrNull, _) => match of {
            CypherValue::Bool(_) => Some(of.clone()),
            CypherValue::Int(n) => Some(CypherValue::Bool(*n != 0)),
            CypherValue::Text(text) => Some(match text.trim().to_ascii_lowercase().as_str() {
                "true" => CypherValue::Bool(true),
                "false" => CypherValue::Bool(false),
                _ => CypherValue::Null,
            }),
            _ => None,
        },
        (F::ToFloat | F::ToFloatOrNull, _) => match of {
            CypherValue::Int(n) => Some(CypherValue::Float(*n as f64)),
            CypherValue::Float(_) => Some(of.clone()),
            CypherValue::Text(text) => {
                Some(number(text).map_or(CypherValue::Null, CypherValue::Float))
            }
            _ => None,
        },
        (F::ToInteger | F::ToIntegerOrNull, _) => match of {
            CypherValue::Int(_) => Some(of.clone()),
            CypherValue::Float(x) => Some(whole(*x)),
            CypherValue::Bool(b) => Some(CypherValue::Int(i64::from(*b))),
            CypherValue::Text(text) => Some(match text.trim().parse::<i64>() {
                Ok(n) => CypherValue::Int(n),
                Err(_) => number(text).map_or(CypherValue::Null, whole),
            }),
            _ => None,
        },
        _ => match of {
            CypherValue::Text(_) => Some(of.clone()),
            CypherValue::Bool(_)
            | CypherValue::Int(_)
            | CypherValue::Float(_)
            | CypherValue::Temporal(_) => Some(CypherValue::text(plain_text(of))),
            _ => None,
        },
    };
    match converted {
        Some(value) => Ok(value),
        None if or_null => Ok(CypherValue::Null),
        None => wrong(name, of),
    }
}

/// A number in a text; Rust also reads `inf` and `nan`, which are none here.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = text.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    if is_number { text.parse().ok() } else { None }
}

fn whole(x: f64) -> CypherValue {
    let x = x.trunc();
    // The largest i64 is no f64, and the smallest is.
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) {
        CypherValue::Int(x as i64)
    } else {
        CypherValue::Null
    }
}

fn of_number(function: Function, name: &str, arguments: &[CypherValue]) -> Ran<CypherValue> {
    use Function as F;
    let float_at = |i: usize| match arguments.get(i) {
        Some(CypherValue::Int(n)) => Ok(*n as f64),
        Some(CypherValue::Float(x)) => Ok(*x),
        Some(other) => wrong(name, other),
        None => wrong(name, &CypherValue::Null),
    };
    if arguments.iter().any(CypherValue::is_null) {
        return Ok(CypherValue::Null);
    }
    match (function, &arguments[0]) {
        (F::Abs, CypherValue::Int(n)) => {
            return Ok(CypherValue::Int(n.checked_abs().ok_or_else(overflow)?));
        }
        (F::Sign, CypherValue::Int(n)) => return Ok(CypherValue::Int(n.signum())),
        (F::IsNan, CypherValue::Int(_)) => return Ok(CypherValue::Bool(false)),
        _ => {}
    }
    let x = float_at(0)?;
    Ok(CypherValue::Float(match function {
        F::Abs => x.abs(),
        F::Acos => x.acos(),
        F::Asin => x.asin(),
        F::Atan => x.atan(),
        F::Atan2 => x.atan2(float_at(1)?),
        F::Ceil => x.ceil(),
        F::Cos => x.cos(),
        F::Cot => 1.0 / x.tan(),
        F::Degrees => x.to_degrees(),
        F::Exp => x.exp(),
        F::Floor => x.floor(),
        F::Log => x.ln(),
        F::Log10 => x.log10(),
        F::Radians => x.to_radians(),
        F::Round if arguments.len() == 2 => {
            let scale = 10_f64.powf(float_at(1)?.clamp(0.0, 15.0));
            let scaled = x * scale;
            if scaled.is_finite() { scaled.round() / scale } else { x }
        }
        // A half goes up, also below 0, as in Java.
        F::Round => (x + 0.5).floor(),
        F::Sin => x.sin(),
        F::Sqrt => x.sqrt(),
        F::Tan => x.tan(),
        F::Sign => {
            let sign = if x > 0.0 { 1 } else { -i64::from(x < 0.0) };
            return Ok(CypherValue::Int(sign));
        }
        F::IsNan => return Ok(CypherValue::Bool(x.is_nan())),
        _ => return wrong(name, &arguments[0]),
    }))
}

fn value_type(value: &CypherValue) -> &'static str {
    match value {
        CypherValue::Null => "NULL",
        CypherValue::Bool(_) => "BOOLEAN NOT NULL",
        CypherValue::Int(_) => "INTEGER NOT NULL",
        CypherValue::Float(_) => "FLOAT NOT NULL",
        CypherValue::Text(_) => "STRING NOT NULL",
        CypherValue::List(_) => "LIST<ANY> NOT NULL",
        CypherValue::Map(_) => "MAP NOT NULL",
        CypherValue::Node(_) => "NODE NOT NULL",
        CypherValue::Edge(_) => "RELATIONSHIP NOT NULL",
        CypherValue::Path(_) => "PATH NOT NULL",
        CypherValue::Temporal(_) => "ANY NOT NULL",
    }
}
