//! The functions of expressions: their names and how many arguments they take.

/// Names a function; [`crate::run`] computes it.
macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident = $($name:literal)|+, $least:literal..=$most:literal;)*) => {
        /// A function of an expression.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($(#[$doc])* $variant,)*
        }

        impl Function {
            /// By its name in small letters.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($($name)|+ => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// How many arguments it takes, at least and at most.
            pub fn arity(self) -> (usize, usize) {
                match self {
                    $(Self::$variant => ($least, $most),)*
                }
            }
        }

        const NAMES: &[&str] = &[$($($name),+),*];
    };
}

functions! {
    Abs = "abs", 1..=1;
    Acos = "acos", 1..=1;
    Asin = "asin", 1..=1;
    Atan = "atan", 1..=1;
    Atan2 = "atan2", 2..=2;
    Ceil = "ceil" | "ceiling", 1..=1;
    Coalesce = "coalesce", 1..=1000;
    Cos = "cos", 1..=1;
    Cot = "cot", 1..=1;
    Date = "date", 0..=1;
    DateTime = "datetime", 0..=1;
    Degrees = "degrees", 1..=1;
    Duration = "duration", 1..=1;
    DurationBetween = "duration.between", 2..=2;
    DurationInDays = "duration.indays", 2..=2;
    E = "e", 0..=0;
    ElementId = "elementid", 1..=1;
    EndNode = "endnode", 1..=1;
    Exp = "exp", 1..=1;
    Floor = "floor", 1..=1;
    Head = "head", 1..=1;
    Id = "id", 1..=1;
    IsEmpty = "isempty", 1..=1;
    IsNan = "isnan", 1..=1;
    Keys = "keys", 1..=1;
    Labels = "labels", 1..=1;
    Last = "last", 1..=1;
    Left = "left", 2..=2;
    Length = "length", 1..=1;
    LocalDateTime = "localdatetime", 0..=1;
    Log = "log" | "ln", 1..=1;
    Log10 = "log10", 1..=1;
    LTrim = "ltrim", 1..=1;
    Nodes = "nodes", 1..=1;
    NullIf = "nullif", 2..=2;
    Pi = "pi", 0..=0;
    Properties = "properties", 1..=1;
    Radians = "radians", 1..=1;
    Rand = "rand", 0..=0;
    RandomUuid = "randomuuid", 0..=0;
    Range = "range", 2..=3;
    Relationships = "relationships" | "rels", 1..=1;
    Replace = "replace", 3..=3;
    Reverse = "reverse", 1..=1;
    Right = "right", 2..=2;
    Round = "round", 1..=2;
    RTrim = "rtrim", 1..=1;
    Sign = "sign", 1..=1;
    Sin = "sin", 1..=1;
    Size = "size" | "char_length" | "character_length", 1..=1;
    Split = "split", 2..=2;
    Sqrt = "sqrt", 1..=1;
    StartNode = "startnode", 1..=1;
    Substring = "substring", 2..=3;
    Tail = "tail", 1..=1;
    Tan = "tan", 1..=1;
    Time = "time" | "localtime", 0..=1;
    Timestamp = "timestamp", 0..=0;
    ToBoolean = "toboolean", 1..=1;
    ToBooleanOrNull = "tobooleanornull", 1..=1;
    ToFloat = "tofloat", 1..=1;
    ToFloatOrNull = "tofloatornull", 1..=1;
    ToInteger = "tointeger" | "toint", 1..=1;
    ToIntegerOrNull = "tointegerornull", 1..=1;
    ToLower = "tolower" | "lower", 1..=1;
    ToString = "tostring", 1..=1;
    ToStringOrNull = "tostringornull", 1..=1;
    ToUpper = "toupper" | "upper", 1..=1;
    Trim = "trim" | "btrim", 1..=1;
    Type = "type", 1..=1;
    ValueType = "valuetype", 1..=1;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AggregateFunction {
    Count,
    Sum,
    Avg,
    Min,
    Max,
    Collect,
    StDev,
    StDevP,
    PercentileCont,
    PercentileDisc,
}

impl AggregateFunction {
    /// By its name in small letters.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "count" => Self::Count,
            "sum" => Self::Sum,
            "avg" => Self::Avg,
            "min" => Self::Min,
            "max" => Self::Max,
            "collect" => Self::Collect,
            "stdev" => Self::StDev,
            "stdevp" => Self::StDevP,
            "percentilecont" => Self::PercentileCont,
            "percentiledisc" => Self::PercentileDisc,
            _ => return None,
        })
    }

    /// Whether it takes nothing but numbers.
    pub fn adds(self) -> bool {
        !matches!(self, Self::Count | Self::Min | Self::Max | Self::Collect)
    }

    /// Whether an argument names the part.
    pub fn takes_part(self) -> bool {
        matches!(self, Self::PercentileCont | Self::PercentileDisc)
    }
}

impl Function {
    /// Whether it takes this number of arguments.
    pub fn takes(self, n: usize) -> bool {
        let (least, most) = self.arity();
        (least..=most).contains(&n)
    }

    /// The name that a wrong one may have meant: the fewest letters differ, and at most a third.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let of = |known: &&&'static str| distance(name, known);
        let near = NAMES.iter().min_by_key(of)?;
        (distance(name, near) * 3 <= name.chars().count().max(3)).then_some(*near)
    }
}

/// How many letters must be put in, taken away or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(100).enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
