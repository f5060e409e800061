//! What a [`Dialect`](super::Dialect) answers with. No answer has a default: each database writes out every field.

use crate::schema::Class;

/// Whether a query may hold something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permit {
    Allowed,
    Refused,
}

impl Permit {
    pub(crate) const fn is_allowed(self) -> bool {
        matches!(self, Self::Allowed)
    }
}

/// What becomes of the letters of a name before two names are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Nothing.
    Exact,
    /// ASCII letters become small.
    AsciiLower,
    /// All letters become small.
    Lower,
}

impl Case {
    pub(crate) fn fold(self, name: &str) -> String {
        match self {
            Self::Exact => name.to_owned(),
            Self::AsciiLower => name.to_ascii_lowercase(),
            Self::Lower => name.to_lowercase(),
        }
    }
}

/// How names of tables and columns are quoted and compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    /// The mark before and after a quoted name; one inside is doubled.
    pub quote_mark: char,
    /// What a backslash between the marks is. An escape is doubled, too.
    pub backslash: Backslash,
    /// Of a name as the database itself lists it.
    pub listed: Case,
    /// Of a name that stands in SQL without quotes.
    pub bare: Case,
    /// Of a name that stands in SQL between quotes.
    pub quoted: Case,
}

/// What a backslash is inside a text or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backslash {
    /// A letter like any other.
    Letter,
    /// The beginning of an escape, by the database's default. A setting may make it a letter, so text that holds one is bound.
    Escape,
    /// Read by rules that this crate does not know: a query that holds one is refused, and text that holds one is bound.
    Refused,
}

/// How SQL is cut into words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexis {
    /// The marks that open a text or a name, each with the one that closes it. No placeholder of a rule may stand inside.
    pub quotes: &'static [(char, char)],
    /// What a comment begins with. A rule holds none.
    pub comments: &'static [&'static str],
    /// What a backslash is.
    pub backslash: Backslash,
}

/// Forms of SQL that some databases lack, or read as something dangerous.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms {
    /// `LATERAL (SELECT …)`
    pub lateral: Permit,
    /// `a IN (b)`, where `b` is a name. Refused where the database takes the name for a table's: that table would have no wrapper.
    pub names_in_lists: Permit,
    /// `"…"` for a text. Elsewhere it is a name.
    pub double_quoted_texts: Permit,
    /// `DATE '2001-01-31'`
    pub typed_texts: Permit,
    /// `IS UNKNOWN`, `EXTRACT(… FROM …)`, `POSITION(… IN …)`, `INTERVAL …`
    pub standard_words: Permit,
    /// `a = ANY (SELECT …)`, `a = ALL (SELECT …)`
    pub quantified_comparisons: Permit,
    /// `ILIKE`
    pub ilike: Permit,
    /// `RLIKE`, `REGEXP`
    pub rlike: Permit,
    /// `AT TIME ZONE`
    pub at_time_zone: Permit,
    /// `OVERLAY(… PLACING … FROM …)`
    pub overlay: Permit,
    /// `GROUPING SETS`, `CUBE`, `ROLLUP`
    pub grouping_sets: Permit,
    /// `CONVERT(… USING …)` into the character set of exact comparisons
    pub convert: Permit,
    /// `a::text`
    pub double_colon_casts: Permit,
    /// `TRY_CAST(… AS …)`
    pub try_casts: Permit,
    /// `o.f` for `f(o)`. Where the database reads it so, a name behind a dot must be one that is known.
    pub calls_by_dot: Permit,
}

/// Words that mean something where a name could stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// Names that are answered without parentheses and tell who the connection is, folded. Refused unless quoted.
    pub revealing: &'static [&'static str],
    /// Words behind a table that this crate's reader takes for an alias and the database does not. Refused unless quoted.
    pub after_tables: &'static [&'static str],
}

/// The functions that a query may call. Not on any list: whatever reads files, settings, catalogues or other tables, takes SQL as
/// text, sleeps, or makes text of any length (`repeat`, `lpad`, `zeroblob`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Functions {
    /// Their names, folded. What is not here is refused.
    pub listed: &'static [&'static [&'static str]],
    /// What becomes of the letters of a function's name before it is looked up, beyond what becomes of every name.
    pub case: Case,
    /// Those whose first argument is a unit of time written like a column: it stays unquoted.
    pub with_unit: &'static [&'static str],
    /// Those that format by a picture, which could ask for text of any length: it must be a literal with small widths.
    pub with_picture: &'static [&'static str],
    /// Letters to trim that are no short literal. Refused where the work is the product of both lengths and nothing interrupts it.
    pub trims_by_any: Permit,
    /// Numbers in parentheses before the arguments: `quantile(0.9)(x)`
    pub parameters: Permit,
    /// `SEPARATOR '…'` inside an aggregate
    pub separator: Permit,
}

impl Functions {
    /// Whether a query may call the function of this folded name.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.listed.iter().any(|list| list.contains(&name))
    }
}

/// How a checked query is printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printing {
    /// The form in which it is printed.
    pub form: Form,
    /// What joins two texts.
    pub concat: Concat,
}

/// The form in which a query is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it was written: the database reads text in one way, whatever its settings and version.
    Written,
    /// In the form that can be read in one way only (`sql::canonical`).
    Canonical,
}

/// What joins two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concat {
    /// `||`
    Operator,
    /// `concat(…)`: `||` means this or `OR`, by a setting.
    Function,
}

/// What keeps the planner from trying a query's conditions on rows that a rule keeps out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence {
    /// The end of a wrapper that no condition moves across.
    pub end: &'static str,
    /// Which queries need it.
    pub needed: Needed,
}

/// Which queries need a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// All: the database promises no order of steps.
    Always,
    /// Those with conditions, which could name items of the select list.
    ForConditions,
    /// Those with conditions that could fail, or take longer, on one row than on another; and all conditions outside subqueries,
    /// which the planner could move inside.
    ForLeaks,
}

/// How values are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparisons {
    /// What becomes of two sides of different types.
    pub conversion: Conversion,
    /// What a column without a declared type holds.
    pub typing: Typing,
    /// How a text that a query made is compared with one that it answered.
    pub made_text: Class,
    /// How floating point stands to decimals.
    pub floats: Floats,
}

/// What becomes of two sides of different types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// An error, or a comparison that this crate's casts decide.
    Typed,
    /// One is turned into the other's type without a word, and text is compared by a collation: `'abc' = 0`, `'ACME' = 'acme'`. A rule
    /// compares only what is of one family, and text by its bytes.
    Silent,
}

/// What a column without a declared type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    /// Values of one type that this crate does not know: it is compared by its text.
    Static,
    /// Values of any type, each compared as what it is.
    Dynamic,
}

/// How floating point stands to decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    /// It is compared with them.
    BesideDecimals,
    /// It is compared with floating point alone, so a fraction is bound as such.
    Apart,
}

/// The ports of a database's HTTP interface where an address names none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HttpPorts {
    pub plain: u16,
    pub secure: u16,
}

/// Whether the rights of a connection's role can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roles {
    /// By `Pool::rights`.
    Readable,
    /// The database has none, or tells nobody.
    Unknown,
}
