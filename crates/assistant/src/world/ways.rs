//! The ways between tables along keys, many rows to one.

use super::{TableId, World};
use crate::language::cues::Direction;
use std::collections::HashMap;

/// The longest way, in keys.
const LONGEST: usize = 4;

/// A way from one table to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    /// The columns that it follows. None for the table itself.
    pub columns: Vec<String>,
    /// The fields of these columns.
    pub fields: Vec<usize>,
    /// Which of two ways to the same table, if its first key says so.
    pub direction: Option<Direction>,
}

impl Way {
    /// The way as queries name it.
    pub fn via(&self) -> String {
        self.columns.join(".")
    }
}

/// All ways of a world.
pub(super) fn all(world: &World) -> HashMap<(TableId, TableId), Vec<Way>> {
    let mut ways: HashMap<(TableId, TableId), Vec<Way>> = HashMap::new();
    for table in 0..world.tables.len() {
        ways.entry((table, table)).or_default().push(Way::default());
        follow(world, table, table, &Way::default(), &mut vec![table], &mut ways);
    }
    ways
}

fn follow(
    world: &World,
    start: TableId,
    at: TableId,
    way: &Way,
    seen: &mut Vec<TableId>,
    ways: &mut HashMap<(TableId, TableId), Vec<Way>>,
) {
    if way.columns.len() >= LONGEST {
        return;
    }
    for (id, field) in world.fields_of(at) {
        let Some(to) = field.refers.filter(|to| !seen.contains(to)) else { continue };
        let mut next = way.clone();
        next.columns.push(field.name.clone());
        next.fields.push(id);
        next.direction = next.direction.or_else(|| direction(field.called.iter().flatten().map(String::as_str)));
        ways.entry((start, to)).or_default().push(next.clone());
        seen.push(to);
        follow(world, start, to, &next, seen, ways);
        seen.pop();
    }
}

/// Which way a key leads, by its words.
fn direction<'a>(words: impl Iterator<Item = &'a str>) -> Option<Direction> {
    for word in words {
        match word {
            "destination" | "dest" | "to" | "arrival" | "arriving" | "target" | "recipient" | "receiver" | "receiving" => {
                return Some(Direction::Toward);
            }
            "origin" | "from" | "departure" | "source" | "sender" | "departing" | "sending" => return Some(Direction::Away),
            _ => {}
        }
    }
    None
}
