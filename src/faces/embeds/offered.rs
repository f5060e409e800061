//! The permissions that a dashboard's page shows: those of the viewer's role, without the tools that would only be refused. Pure.

use inlay_contract::permissions::{Flag, Permissions};

/// What a member cannot use who edits one shared dashboard with a user's rows.
const NOT_FOR_MEMBERS: [Flag; 6] = [
    Flag::AiInsight,
    Flag::AiCharts,
    Flag::EnableScheduleReport,
    Flag::AddDashboard,
    Flag::CanDuplicateDashboard,
    Flag::CanSetDefaultDashboard,
];

/// What matters beside the role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    /// A member edits one shared dashboard.
    pub edits: bool,
    /// The user belongs to a customer. Otherwise they cannot own dashboards.
    pub has_customer: bool,
    /// Reports can be sent.
    pub reports: bool,
}

/// The permissions that the page shows.
pub(super) fn offered(given: Permissions, Circumstances { edits, has_customer, reports }: Circumstances) -> Permissions {
    let useless = |flag: &Flag| match *flag {
        flag if edits => NOT_FOR_MEMBERS.contains(&flag),
        Flag::EnableScheduleReport => !reports,
        flag => flag.grants_editing() && !has_customer,
    };
    Flag::ALL.into_iter().filter(useless).fold(given, Permissions::without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::permissions::RolePermissions;

    const USER: Circumstances = Circumstances { edits: false, has_customer: true, reports: true };

    fn everything() -> Permissions {
        let flags = Flag::ALL.into_iter().map(|flag| (flag, flag != Flag::ReadOnly));
        flags.collect::<RolePermissions>().resolve()
    }

    fn lost(circumstances: Circumstances) -> Vec<Flag> {
        let left = offered(everything(), circumstances);
        Flag::ALL.into_iter().filter(|flag| everything().allows(*flag) && !left.allows(*flag)).collect()
    }

    #[test]
    fn a_user_of_a_customer_gets_what_the_role_gives() {
        assert_eq!(lost(USER), []);
        assert_eq!(lost(Circumstances { reports: false, ..USER }), [Flag::EnableScheduleReport]);
    }

    #[test]
    fn who_cannot_own_a_dashboard_gets_no_tool_that_edits() {
        let left = offered(everything(), Circumstances { has_customer: false, ..USER });
        assert!(!left.can_edit());
        assert!(left.allows(Flag::CanSetDefaultDashboard) && left.allows(Flag::DrillDown) && left.allows(Flag::AiInsight));
    }

    #[test]
    fn a_member_who_edits_a_shared_dashboard_makes_no_others() {
        let member = Circumstances { edits: true, has_customer: false, reports: true };
        let mut lost = lost(member);
        lost.sort_unstable();
        let mut wanted = NOT_FOR_MEMBERS;
        wanted.sort_unstable();
        assert_eq!(lost, wanted);
        assert!(offered(everything(), member).allows(Flag::EditCharts));
    }
}
