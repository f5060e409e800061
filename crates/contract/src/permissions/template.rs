//! Templates of roles: common sets of permissions, each with more than the one before.

use super::{Flag, Permissions, RolePermissions};

/// A template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    /// Looks at dashboards.
    Viewer,
    /// Looks behind the charts, too.
    Explorer,
    /// Changes dashboards, too, with charts that exist.
    Editor,
    /// Creates charts and dashboards, too.
    Creator,
}

impl Template {
    /// All templates, from the one that allows least.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Explorer, Self::Editor, Self::Creator];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "Viewer",
            Self::Explorer => "Explorer",
            Self::Editor => "Editor",
            Self::Creator => "Creator",
        }
    }

    /// Its name in a URL.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Explorer => "explorer",
            Self::Editor => "editor",
            Self::Creator => "creator",
        }
    }

    /// A sentence about what its users can do.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Viewer => "View dashboards and use their filters.",
            Self::Explorer => "Also drill into charts, ask AI about them, and set a default dashboard.",
            Self::Editor => "Also arrange, add, edit and remove charts, add filters, and duplicate dashboards.",
            Self::Creator => "Also create dashboards and charts, with the builder, SQL or AI, and schedule reports.",
        }
    }

    /// The flags that it turns on, beside those of the templates before it.
    const fn adds(self) -> &'static [Flag] {
        match self {
            Self::Viewer => &[],
            Self::Explorer => &[Flag::DrillDown, Flag::AiInsight, Flag::CanSetDefaultDashboard],
            Self::Editor => &[
                Flag::AddChart,
                Flag::EditCharts,
                Flag::RemoveChart,
                Flag::AddFilter,
                Flag::CanDuplicateDashboard,
                Flag::CanEditChartFromSession,
            ],
            Self::Creator => {
                &[Flag::CreateChart, Flag::CreateChartSql, Flag::AiCharts, Flag::AddDashboard, Flag::EnableScheduleReport]
            }
        }
    }

    fn turns_on(self, flag: Flag) -> bool {
        Self::ALL.into_iter().any(|template| template <= self && template.adds().contains(&flag))
    }

    /// The template with exactly this key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|template| template.key() == key)
    }

    /// Its permissions. Flags that a template turns on are written out, on or off, because the unset ones of a role that edits
    /// can be on (editing rule 5). Flags that take something away are unset.
    #[must_use]
    pub fn permissions(self) -> RolePermissions {
        let written_out = Flag::ALL.into_iter().filter(|flag| Self::Creator.turns_on(*flag));
        written_out.map(|flag| (flag, self.turns_on(flag))).collect()
    }

    /// The template that allows the same as these permissions.
    #[must_use]
    pub fn of(permissions: &RolePermissions) -> Option<Self> {
        let allowed = effect(permissions);
        Self::ALL.into_iter().find(|template| effect(&template.permissions()) == allowed)
    }
}

/// What permissions allow. `readOnly` acts through other flags, which are resolved, and `editMarketplace` has no effect.
fn effect(permissions: &RolePermissions) -> Permissions {
    permissions.resolve().without(Flag::ReadOnly).without(Flag::EditMarketplace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::Unset;

    fn on(template: Template) -> Vec<&'static str> {
        let resolved = template.permissions().resolve();
        Flag::ALL.into_iter().filter(|flag| resolved.allows(*flag)).map(Flag::name).collect()
    }

    #[test]
    fn a_viewer_only_views() {
        assert_eq!(on(Template::Viewer), [""; 0]);
        assert!(!Template::Viewer.permissions().grants_editing());
    }

    #[test]
    fn an_explorer_looks_behind_charts_and_edits_nothing() {
        assert_eq!(on(Template::Explorer), ["aiInsight", "drillDown", "canSetDefaultDashboard"]);
        assert!(!Template::Explorer.permissions().grants_editing());
    }

    #[test]
    fn an_editor_changes_dashboards_and_creates_neither_charts_nor_dashboards() {
        let expected = [
            "addChart",
            "addFilter",
            "editCharts",
            "removeChart",
            "aiInsight",
            "drillDown",
            "canDuplicateDashboard",
            "canSetDefaultDashboard",
            "canEditChartFromSession",
        ];
        assert_eq!(on(Template::Editor), expected);
    }

    #[test]
    fn a_creator_has_everything_that_takes_nothing_away() {
        let taken = ["disableTabs", "hideHeader", "hideDownloadButton", "editMarketplace", "readOnly", "hideFilters"];
        let expected: Vec<_> = Flag::ALL.map(Flag::name).into_iter().filter(|name| !taken.contains(name)).collect();
        assert_eq!(on(Template::Creator), expected);
    }

    #[test]
    fn each_writes_out_every_flag_that_grants_editing_or_is_on_when_unset() {
        for template in Template::ALL {
            let permissions = template.permissions();
            let unclear = |flag: &Flag| flag.grants_editing() || flag.unset() != Unset::Off;
            assert!(Flag::ALL.into_iter().filter(unclear).all(|flag| permissions.get(flag).is_some()), "{template:?}");
        }
    }

    #[test]
    fn a_role_equals_a_template_that_allows_the_same() {
        for template in Template::ALL {
            assert_eq!(Template::of(&template.permissions()), Some(template));
            assert_eq!(Template::of(&template.permissions().written_out()), Some(template));
            assert_eq!(Template::keyed(template.key()), Some(template));
        }
        let with = |template: Template, flag| {
            let mut permissions = template.permissions();
            permissions.set(flag, true);
            Template::of(&permissions)
        };
        assert_eq!(with(Template::Viewer, Flag::ReadOnly), Some(Template::Viewer));
        assert_eq!(with(Template::Editor, Flag::EditMarketplace), Some(Template::Editor));
        assert_eq!(with(Template::Editor, Flag::HideHeader), None);
        assert_eq!(with(Template::Editor, Flag::ReadOnly), None);
        assert_eq!(Template::of(&RolePermissions::default()), None);
        assert_eq!(Template::keyed("Editor"), None);
    }
}
