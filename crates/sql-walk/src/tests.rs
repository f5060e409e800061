//! Whether the shared walk tells a visitor all that sqlparser's own would.

use super::{
    expressions, expressions_mut,
    hooks::{Counted, HOOKS},
    walk, walk_mut,
};
use serde_json::Value;
use sqlparser::{
    ast::{Expr, Statement, Visit, VisitMut},
    dialect::GenericDialect,
    parser::Parser,
};
use std::{collections::BTreeSet, ops::ControlFlow, process::Command};

fn statement() -> Statement {
    let sql = "WITH w AS (SELECT a, 1 FROM t GROUP BY a) SELECT x.b, (SELECT max(c) FROM u WHERE c > 'v') FROM w AS x, t JOIN s ON t.a = s.a \
               WHERE x.b IN (1, 2) ORDER BY x.b, 2 LIMIT 3";
    Parser::parse_sql(&GenericDialect {}, sql).unwrap().remove(0)
}

#[test]
fn the_shared_walk_tells_what_sqlparsers_own_tells() {
    let mut tree = statement();
    let (mut own, mut shared, mut own_mut, mut shared_mut) =
        (Counted::default(), Counted::default(), Counted::default(), Counted::default());
    let _ = Visit::visit(&tree, &mut own);
    let _ = walk(&tree, &mut shared);
    let _ = VisitMut::visit(&mut tree, &mut own_mut);
    let _ = walk_mut(&mut tree, &mut shared_mut);

    assert_eq!(
        own.0.keys().copied().collect::<BTreeSet<_>>(),
        HOOKS.iter().copied().collect(),
        "the statement reaches every hook"
    );
    assert_eq!(shared.0, own.0);
    assert_eq!(shared_mut.0, own_mut.0);
    assert_eq!(shared_mut.0, shared.0);
}

/// A newer sqlparser may tell visitors of more nodes.
#[test]
fn no_hook_of_sqlparser_is_missing() {
    let metadata = Command::new(env!("CARGO")).args(["metadata", "--offline", "--format-version", "1"]).output().unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let manifest = packages.iter().find(|package| package["name"] == "sqlparser").unwrap()["manifest_path"].as_str().unwrap();
    let source = std::fs::read_to_string(manifest.replace("Cargo.toml", "src/ast/visitor.rs")).unwrap();
    let of_trait = |name: &str| -> BTreeSet<String> {
        let start = source.find(&format!("pub trait {name} {{")).unwrap();
        let body = &source[start..start + source[start..].find("\n}").unwrap()];
        body.split("    fn ")
            .skip(1)
            .map(|rest| rest.split('(').next().unwrap().to_owned())
            .filter(|name| !name.is_empty())
            .collect()
    };
    let ours: BTreeSet<String> = HOOKS.iter().map(|&hook| hook.to_owned()).collect();

    assert_eq!(of_trait("Visitor"), ours);
    assert_eq!(of_trait("VisitorMut"), ours);
}

#[test]
fn a_walk_ends_where_the_visitor_breaks() {
    let mut seen = 0;
    let broken = expressions(&statement(), |part| {
        seen += 1;
        if matches!(part, Expr::Identifier(name) if name.value == "c") {
            ControlFlow::Break(part.to_string())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(broken, ControlFlow::Break("c".to_owned()));
    let mut all = 0;
    assert!(
        expressions(&statement(), |_| {
            all += 1;
            ControlFlow::<()>::Continue(())
        })
        .is_continue()
    );
    assert!(seen < all, "{seen} of {all}");
}

#[test]
fn expressions_are_shown_before_their_parts_and_changed_after_them() {
    let mut tree = Parser::new(&GenericDialect {}).try_with_sql("a + b").unwrap().parse_expr().unwrap();
    let mut shown = Vec::new();
    let _ = expressions(&tree, |part| {
        shown.push(part.to_string());
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(shown, ["a + b", "a", "b"]);

    let mut changed = Vec::new();
    let _ = expressions_mut(&mut tree, |part| {
        changed.push(part.to_string());
        if let Expr::Identifier(name) = part {
            name.value.push('1');
        }
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(changed, ["a", "b", "a1 + b1"]);
}
