//! What applying a project file would change: the two files, line by line.

use super::{Problem, apply::ApplyProblem, export::export, model::ProjectFile};
use crate::{
    error::Result,
    store::{Db, seal::Sealer},
};
use inlay_contract::ids::OrganizationId;
use similar::{ChangeTag, TextDiff};

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// It stays.
    Same(String),
    /// It goes.
    Gone(String),
    /// It comes.
    New(String),
}

/// Lines of context around a change.
const CONTEXT: usize = 2;

/// Compares what stands in the store with a file. Both are written in the same way first, so that order and spelling of YAML
/// do not count.
///
/// # Errors
/// The file is no project file; the organization has no such project; the store is away.
pub async fn compare(
    db: &Db,
    sealer: &Sealer,
    organization: OrganizationId,
    project: &str,
    text: &str,
) -> Result<Vec<Line>, ApplyProblem> {
    let written = |file: ProjectFile| {
        file.to_yaml()
            .map_err(|fault| ApplyProblem::from(Problem { line: 0, field: String::new(), message: fault.to_string() }))
    };
    let new = written(ProjectFile::parse(text)?)?;
    let old = written(export(db, sealer, organization, project).await?)?;
    Ok(lines(&old, &new))
}

fn lines(old: &str, new: &str) -> Vec<Line> {
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(CONTEXT) {
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let text = change.value().trim_end().to_owned();
            lines.push(match change.tag() {
                ChangeTag::Equal => Line::Same(text),
                ChangeTag::Delete => Line::Gone(text),
                ChangeTag::Insert => Line::New(text),
            });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_told_with_its_surroundings() {
        let old = "a\nb\nc\nd\ne\n";
        assert_eq!(lines(old, old), Vec::new());
        let same = |text: &str| Line::Same(text.to_owned());
        let found = lines(old, "a\nb\nc\nd\nf\n");
        assert_eq!(found, [same("c"), same("d"), Line::Gone("e".to_owned()), Line::New("f".to_owned())]);
    }
}
