//! The errors of queries, by the names of openCypher: one list that the code, the documentation and
//! the tests share.

/// What sort of fault it is, by the names of openCypher's compatibility kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CypherErrorKind {
    /// The text is no query, or one that can never be run.
    SyntaxError,
    /// The query contradicts itself on the graph that it met.
    SemanticError,
    /// A parameter is not given.
    ParameterMissing,
    /// A procedure that is not there.
    ProcedureError,
    /// A value is of the wrong type.
    TypeError,
    /// A value is of the right type, and not allowed.
    ArgumentError,
    /// A number that cannot be computed.
    ArithmeticError,
    /// A node or an edge that was deleted.
    EntityNotFound,
    /// A change that the graph refuses.
    ConstraintVerificationFailed,
    /// The query would take more rows, steps or time than it may.
    LimitExceeded,
}

/// When the fault is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before anything is run: on every graph.
    Compile,
    /// On this graph, with these parameters.
    Run,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Compile => "compile time",
            Self::Run => "runtime",
        })
    }
}

macro_rules! causes {
    ($($name:ident: $words:literal, $($kind:ident at $phase:ident)|+;)*) => {
        /// What the fault is, by the names of openCypher's compatibility kit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Cause {
            $(#[doc = $words] $name,)*
        }

        impl Cause {
            /// All of them, in the order of their names.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// What it means.
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }

            /// The sorts of errors that have it, and when each is found.
            pub fn raised(self) -> &'static [(CypherErrorKind, Phase)] {
                match self {
                    $(Self::$name => &[$((CypherErrorKind::$kind, Phase::$phase)),+],)*
                }
            }
        }
    };
}

causes! {
    AmbiguousAggregationExpression: "Beside a count or a sum is a value that differs within the group.",
        SyntaxError at Compile;
    ColumnNameConflict: "Two columns have the same name.", SyntaxError at Compile;
    CreatingVarLength: "A relationship that repeats is to be made.", SyntaxError at Compile;
    DeleteConnectedNode: "A node that still has relationships is to be deleted without DETACH.",
        ConstraintVerificationFailed at Run;
    DeletedEntityAccess: "What the query deleted is read again.", EntityNotFound at Run;
    DifferentColumnsInUnion: "The parts of a UNION have other columns.", SyntaxError at Compile;
    DivisionByZero: "A whole number is divided by 0.", ArithmeticError at Run;
    FloatingPointOverflow: "A number with a fraction is too large.", SyntaxError at Compile;
    IntegerOverflow: "A whole number is too large.", SyntaxError at Compile | ArithmeticError at Run;
    InvalidAggregation: "A count or a sum is where no rows are grouped.", SyntaxError at Compile;
    InvalidArgumentType: "A value is of a type that a function, an operator or a clause cannot have.",
        SyntaxError at Compile | TypeError at Compile | SyntaxError at Run | TypeError at Run
        | ArgumentError at Run;
    InvalidArgumentValue: "A function has no meaning for this value.",
        TypeError at Run | ArgumentError at Run;
    InvalidClauseComposition: "Clauses are in an order that no query has.",
        SyntaxError at Compile | SemanticError at Compile;
    InvalidDelete: "DELETE is asked for something that is only removed.", SyntaxError at Compile;
    InvalidNumberLiteral: "What begins like a number is none.", SyntaxError at Compile;
    InvalidNumberOfArguments: "A function or a procedure has too few or too many arguments.",
        SyntaxError at Compile;
    InvalidParameterUse: "A parameter is where the names of properties must be known.",
        SyntaxError at Compile;
    InvalidPropertyType: "A property is to have a value that none can have, such as a map.",
        TypeError at Compile | TypeError at Run;
    InvalidRelationshipPattern: "A relationship has bounds that cannot be.", SyntaxError at Compile;
    InvalidUnicodeCharacter: "A sign only looks like one of Cypher's.", SyntaxError at Compile;
    InvalidUnicodeLiteral: "Behind \\u are no digits of a letter.", SyntaxError at Compile;
    MapElementAccessByNonString: "A part of a map is asked for by something else than a text.",
        TypeError at Run;
    MergeReadOwnWrites: "MERGE is asked for a property that is null.", SemanticError at Run;
    MissingParameter: "A parameter is not given.", ParameterMissing at Compile;
    NegativeIntegerArgument: "A number is less than 0.",
        SyntaxError at Compile | SyntaxError at Run | ArgumentError at Run;
    NestedAggregation: "A count or a sum is within another.", SyntaxError at Compile;
    NoExpressionAlias: "A value of WITH has no name.", SyntaxError at Compile;
    NoSingleRelationshipType: "A relationship is to be made without a type, or with several.",
        SyntaxError at Compile;
    NoVariablesInScope: "RETURN * where there is no variable.", SyntaxError at Compile;
    NonConstantExpression: "A value may not differ from row to row.", SyntaxError at Compile;
    NumberOutOfRange: "A number is outside of what is allowed.",
        ArgumentError at Run | ArithmeticError at Run;
    ProcedureNotFound: "There is no such procedure.", ProcedureError at Compile;
    RelationshipUniquenessViolation: "A relationship is twice in one pattern.", SyntaxError at Compile;
    RequiresDirectedRelationship: "A relationship is to be made without a direction.",
        SyntaxError at Compile;
    TooMuch: "The query would take more than its limits allow.", LimitExceeded at Run;
    UndefinedVariable: "There is no such variable.", SyntaxError at Compile;
    UnexpectedSyntax: "The text is no query.", SyntaxError at Compile;
    UnknownFunction: "There is no such function.", SyntaxError at Compile;
    VariableAlreadyBound: "A variable that must be new is there already.", SyntaxError at Compile;
    VariableTypeConflict: "A variable is used as something else than it is.", SyntaxError at Compile;
}
