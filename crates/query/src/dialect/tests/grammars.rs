//! A grammar that counts reads as the one that it counts for, and what this crate writes is read.

use super::{super::grammar::PostgresGrammar, forms::SQL};
use crate::{
    dialect::{dialect, steps::within_budget},
    source::SourceKind,
    sql::{
        check::{Author, check},
        on_deep_stack, parse,
    },
};
use inlay_contract::chart::question::Grain;
use sqlparser::{dialect::PostgreSqlDialect, parser::Parser};

#[test]
fn postgres_is_read_as_the_parser_reads_it() {
    for sql in SQL {
        let counted = within_budget(sql.len(), || Parser::parse_sql(&PostgresGrammar, sql)).expect("enough steps");
        assert_eq!(counted, Parser::parse_sql(&PostgreSqlDialect {}, sql), "{sql}");
    }
}

#[test]
fn every_period_of_a_question_may_be_asked() {
    for kind in SourceKind::ALL {
        for grain in [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year] {
            let sql = format!("select {} from orders", dialect(kind).period(grain, "a"));
            let verdict = on_deep_stack(|| check(kind, Author::Chart, &parse(kind, &sql).expect(&sql)));
            assert_eq!(verdict, Ok(()), "{kind}: {sql}");
        }
    }
}
