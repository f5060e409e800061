//! How the answers of evaluations compare, and the promotion of a version that answers worse.

use super::{Evaluation, LISTED, State, start, store};
use crate::{
    concepts::organizations::members::{Member, Works},
    flows::management::workspaces::{self, Move},
    ground::{
        error::{Code, Error, Kind, Result},
        state::App,
    },
};
use inlay_contract::ids::{ProjectId, WorkspaceId};

/// A version answers worse if its share of right answers is lower by more than this many percentage points.
const TOLERATED: f64 = 2.0;

impl Evaluation {
    /// The share of right answers in percent. `None` unless all questions were asked.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let is_complete = self.state == State::Done && self.of > 0;
        is_complete.then(|| 100.0 * self.tally.right as f64 / self.of as f64)
    }
}

/// By how many percentage points each evaluation differs from the complete one before it. They stand newest first.
#[must_use]
pub fn changes(evaluations: &[Evaluation]) -> Vec<Option<f64>> {
    let change = |(at, one): (usize, &Evaluation)| {
        let before = evaluations[at + 1..].iter().find_map(Evaluation::share)?;
        Some(one.share()? - before)
    };
    evaluations.iter().enumerate().map(change).collect()
}

/// By how many percentage points a version answers worse than the one in production, by the newest complete evaluation of each.
/// `None` if it does not, or if one of them has none.
#[must_use]
pub fn fall(evaluations: &[Evaluation], version: i64, production: Option<i64>) -> Option<f64> {
    let share = |number: i64| evaluations.iter().filter(|one| one.version == number).find_map(Evaluation::share);
    let fall = share(production?)? - share(version)?;
    (fall > TOLERATED).then_some(fall)
}

/// Puts a version into production. One that answers worse than the version there needs a person's word: `despite_fall`.
///
/// # Errors
/// 409 `ANSWERS_FELL` for a version that answers worse; those of [`workspaces::advance`].
pub async fn promote(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: WorkspaceId,
    number: i64,
    despite_fall: bool,
) -> Result<()> {
    let (latest, _) = workspaces::find(app, by, project, id).await?;
    let evaluations = store::list(&mut app.db.read().await?.conn(), id, LISTED).await?;
    match fall(&evaluations, number, latest.production) {
        Some(points) if !despite_fall => {
            let told = format!(
                "Version {number} answers {points:.0} percentage points fewer of its examples than the version in production. \
                See the evaluations below, then put it into production anyway or correct it."
            );
            Err(Error::new(Code::AnswersFell, told))
        }
        _ => workspaces::advance(app, by, project, id, Move::Promote(number)).await,
    }
}

/// Evaluates the version that embeds serve again, or else the newest, as the user of the last evaluation: what it reads has changed.
/// Returns the version, or `None` if it has never been evaluated or cannot be now.
///
/// # Errors
/// 404 when the project has no such workspace.
pub async fn again(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId) -> Result<Option<i64>> {
    let (latest, _) = workspaces::find(app, by, project, id).await?;
    let Some(user) = store::last_user(&mut app.db.read().await?.conn(), id).await? else { return Ok(None) };
    let version = latest.production.unwrap_or(latest.version);
    match start(app, by, project, id, version, user).await {
        Ok(_) => Ok(Some(version)),
        // It is under way, there are too many, the user is gone or the version has no examples.
        Err(problem) if matches!(problem.kind(), Kind::Conflict | Kind::NotFound | Kind::Invalid) => Ok(None),
        Err(problem) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{flows::evaluation::Tally, ground::time::Timestamp};
    use uuid::Uuid;

    fn evaluation(version: i64, state: State, right: i64, of: i64) -> Evaluation {
        Evaluation {
            id: Uuid::nil(),
            version,
            state,
            problem: None,
            answered_by: String::new(),
            of,
            tally: Tally { asked: of, right, misses: Vec::new() },
            wanted_by: None,
            user: None,
            at: Timestamp(0),
        }
    }

    #[test]
    fn an_evaluation_is_compared_with_the_complete_one_before() {
        let all = [
            evaluation(2, State::Running, 0, 4),
            evaluation(2, State::Done, 3, 4),
            evaluation(1, State::Failed, 0, 4),
            evaluation(1, State::Done, 2, 4),
        ];
        assert_eq!(changes(&all), [None, Some(25.0), None, None]);
        assert_eq!(changes(&[evaluation(1, State::Done, 0, 0)]), [None]);
    }

    #[test]
    fn a_version_falls_by_more_than_two_points() {
        let all = [
            evaluation(3, State::Done, 97, 100),
            evaluation(2, State::Done, 98, 100),
            evaluation(1, State::Done, 100, 100),
            evaluation(1, State::Done, 10, 100),
        ];
        assert_eq!(fall(&all, 2, Some(1)), None, "two points are tolerated");
        assert_eq!(fall(&all, 3, Some(1)), Some(3.0));
        assert_eq!(fall(&all, 1, Some(3)), None, "it rises");
        assert_eq!((fall(&all, 4, Some(1)), fall(&all, 3, Some(4)), fall(&all, 3, None)), (None, None, None));
    }
}
