//! What the menus of a dashboard offer a viewer. Pure. The server checks the role again at every write.

use inlay_contract::permissions::{Flag, Permissions};

/// What the viewer may do with the dashboard that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// None is open: the application has no dashboard for this viewer.
    NoDashboard,
    /// It belongs to a colleague.
    ReadOnly {
        /// Whether it is in the viewer's navigation. A colleague's copy of a shared dashboard is not.
        is_listed: bool,
    },
    /// It is the viewer's own, or shared: a save stores the viewer's copy.
    Editable,
}

/// An item of `Add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddItem {
    /// `Chart from library`.
    Library,
    /// `New chart`.
    Builder,
    /// `Describe a chart`.
    Described,
    /// `Filter`.
    Filter,
    /// `Dashboard`.
    Dashboard,
}

/// An item of `Actions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `Undo`.
    Undo,
    /// `Redo`.
    Redo,
    /// `Rename`.
    Rename,
    /// `Duplicate`.
    Duplicate,
    /// `Set as default`.
    SetDefault,
    /// `Back to the shared dashboard`.
    Leave,
}

/// The items of `Add`, in order.
#[must_use]
pub fn add_items(permissions: Permissions, access: Access) -> Vec<AddItem> {
    let is_editable = access == Access::Editable;
    let may = |flag| permissions.allows(flag);
    let offered = [
        (AddItem::Library, is_editable && may(Flag::AddChart)),
        (AddItem::Builder, is_editable && may(Flag::CreateChart)),
        (AddItem::Described, is_editable && may(Flag::AiCharts)),
        (AddItem::Filter, is_editable && may(Flag::AddFilter) && !may(Flag::HideFilters)),
        (AddItem::Dashboard, may(Flag::AddDashboard)),
    ];
    offered.into_iter().filter_map(|(item, is_offered)| is_offered.then_some(item)).collect()
}

/// The items of `Actions`, in order. `is_copy`: the dashboard is the viewer's copy of a shared one.
#[must_use]
pub fn actions(permissions: Permissions, access: Access, is_copy: bool) -> Vec<Action> {
    let is_editable = access == Access::Editable;
    let is_default_possible = is_editable || access == Access::ReadOnly { is_listed: true };
    let may = |flag| permissions.allows(flag);
    let offered = [
        (Action::Undo, is_editable),
        (Action::Redo, is_editable),
        (Action::Rename, is_editable),
        (Action::Duplicate, access != Access::NoDashboard && may(Flag::CanDuplicateDashboard)),
        (Action::SetDefault, is_default_possible && may(Flag::CanSetDefaultDashboard)),
        (Action::Leave, is_editable && is_copy),
    ];
    offered.into_iter().filter_map(|(item, is_offered)| is_offered.then_some(item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::permissions::RolePermissions;

    /// The flags that grant editing.
    const GRANTS: [Flag; 7] = [
        Flag::AddChart,
        Flag::AddFilter,
        Flag::CreateChart,
        Flag::EditCharts,
        Flag::RemoveChart,
        Flag::CanDuplicateDashboard,
        Flag::AddDashboard,
    ];

    /// A role that sets every flag that grants editing, and `more`.
    fn role(granted: impl Fn(Flag) -> bool, more: &[(Flag, bool)]) -> Permissions {
        let flags = GRANTS.into_iter().map(|flag| (flag, granted(flag))).chain(more.iter().copied());
        flags.collect::<RolePermissions>().resolve()
    }

    #[test]
    fn each_flag_gives_its_item_of_add_and_no_other() {
        let items = [
            (Flag::AddChart, AddItem::Library),
            (Flag::CreateChart, AddItem::Builder),
            (Flag::AddFilter, AddItem::Filter),
            (Flag::AddDashboard, AddItem::Dashboard),
        ];
        for (flag, item) in items {
            assert_eq!(add_items(role(|one| one == flag, &[]), Access::Editable), [item], "{flag} alone");
            let others: Vec<AddItem> = items.into_iter().map(|(_, other)| other).filter(|other| *other != item).collect();
            assert_eq!(add_items(role(|one| one != flag, &[]), Access::Editable), others, "all but {flag}");
        }
        let described = role(|one| one == Flag::EditCharts, &[(Flag::AiCharts, true)]);
        assert_eq!(add_items(described, Access::Editable), [AddItem::Described]);
        let hidden = role(|one| one == Flag::AddFilter, &[(Flag::HideFilters, true)]);
        assert_eq!(add_items(hidden, Access::Editable), []);
    }

    #[test]
    fn actions_follow_the_role_and_whose_the_dashboard_is() {
        let all = role(|_| true, &[]);
        let steps = [Action::Undo, Action::Redo, Action::Rename];
        let with = |more: &[Action]| steps.into_iter().chain(more.iter().copied()).collect::<Vec<_>>();
        assert_eq!(actions(all, Access::Editable, false), with(&[Action::Duplicate, Action::SetDefault]));
        assert_eq!(
            actions(role(|one| one != Flag::CanDuplicateDashboard, &[]), Access::Editable, false),
            with(&[Action::SetDefault])
        );
        let set = [(Flag::CanSetDefaultDashboard, false)];
        assert_eq!(actions(role(|_| true, &set), Access::Editable, false), with(&[Action::Duplicate]));
        assert_eq!(actions(role(|one| one == Flag::AddChart, &set), Access::Editable, false), steps);
        assert_eq!(actions(role(|one| one == Flag::AddChart, &set), Access::Editable, true), with(&[Action::Leave]));
    }

    #[test]
    fn a_colleague_s_dashboard_can_be_copied_and_another_one_made() {
        let all = role(|_| true, &[(Flag::AiCharts, true)]);
        let neither = role(|one| one == Flag::EditCharts, &[(Flag::CanSetDefaultDashboard, false)]);
        for is_listed in [true, false] {
            let access = Access::ReadOnly { is_listed };
            assert_eq!(add_items(all, access), [AddItem::Dashboard]);
            let default = is_listed.then_some(Action::SetDefault);
            assert_eq!(actions(all, access, false), [Action::Duplicate].into_iter().chain(default).collect::<Vec<_>>());
            assert_eq!((add_items(neither, access), actions(neither, access, false)), (vec![], vec![]));
        }
    }

    #[test]
    fn the_first_dashboard_can_be_made_and_nothing_else() {
        let all = role(|_| true, &[(Flag::AiCharts, true)]);
        assert_eq!(add_items(all, Access::NoDashboard), [AddItem::Dashboard]);
        assert_eq!(actions(all, Access::NoDashboard, false), []);
        assert_eq!(add_items(role(|one| one != Flag::AddDashboard, &[]), Access::NoDashboard), []);
    }

    #[test]
    fn a_view_only_role_is_offered_nothing() {
        for permissions in [Permissions::without_role(), role(|_| true, &[(Flag::ReadOnly, true)])] {
            let access = Access::ReadOnly { is_listed: false };
            assert_eq!((add_items(permissions, access), actions(permissions, access, false)), (vec![], vec![]));
        }
    }
}
