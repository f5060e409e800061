//! The 20 permission flags and their rules (docs/spec/service.md, "Permission flags" and "Editing rules").
//! One table defines the API's checks, the token's claims, what the page shows and how the console describes a flag.

mod group;
#[cfg(feature = "openapi")]
mod schema;
mod template;

pub use group::Group;
pub use template::Template;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt};

/// The value of a flag that a role does not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// On.
    On,
    /// Off.
    Off,
    /// On if another flag of the role grants editing, otherwise off.
    OnIfEditing,
}

macro_rules! flags {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $name:literal titled $title:literal in $group:ident grants $grants:literal unset $unset:ident
    ),+ $(,)?) => {
        /// A permission flag.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Flag {
            $($(#[doc = $doc])+ $variant),+
        }

        impl Flag {
            /// All flags, in the order of the specification.
            pub const ALL: [Self; 20] = [$(Self::$variant),+];

            /// Its name on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Its name for people, in the console.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }

            /// The group that it belongs to, in the console.
            pub const fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group),+ }
            }

            /// A sentence about what it allows.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii_start()),+ }
            }

            /// Whether it grants editing.
            pub const fn grants_editing(self) -> bool {
                match self { $(Self::$variant => $grants),+ }
            }

            /// Its value if a role does not set it.
            pub const fn unset(self) -> Unset {
                match self { $(Self::$variant => Unset::$unset),+ }
            }
        }
    };
}

flags! {
    /// Add existing charts to a dashboard.
    AddChart "addChart" titled "Add charts" in Editing grants true unset OnIfEditing,
    /// Add new filters to a dashboard; using existing ones needs no permission.
    AddFilter "addFilter" titled "Add filters" in Editing grants true unset OnIfEditing,
    /// Create charts in the chart builder.
    CreateChart "createChart" titled "Build charts" in Editing grants true unset OnIfEditing,
    /// Write a chart's SQL by hand; no effect unless `createChart` is on.
    CreateChartSql "createChartSQL" titled "Write SQL for charts" in Editing grants false unset Off,
    /// Edit the charts on a dashboard.
    EditCharts "editCharts" titled "Edit charts" in Editing grants true unset Off,
    /// Remove charts from a dashboard.
    RemoveChart "removeChart" titled "Remove charts" in Editing grants true unset OnIfEditing,
    /// Turn off the tabbed dashboard display.
    DisableTabs "disableTabs" titled "No dashboard tabs" in Restrictions grants false unset Off,
    /// Hide the dashboard header.
    HideHeader "hideHeader" titled "Hide the header" in Restrictions grants false unset Off,
    /// Hide the dashboard's PDF download button.
    HideDownloadButton "hideDownloadButton" titled "Hide the PDF download" in Restrictions grants false unset Off,
    /// Create charts by asking AI.
    AiCharts "aiCharts" titled "Create charts with AI" in Ai grants false unset Off,
    /// Legacy, no effect.
    EditMarketplace "editMarketplace" titled "Edit the marketplace" in Editing grants false unset Off,
    /// View only: overrides every flag that grants editing, and drill-down.
    ReadOnly "readOnly" titled "View only" in Restrictions grants false unset Off,
    /// Open the AI insights chat sidebar.
    AiInsight "aiInsight" titled "Ask AI about dashboards" in Ai grants false unset Off,
    /// Drill into a chart's data; off whenever `readOnly` is on.
    DrillDown "drillDown" titled "Drill into charts" in Sharing grants false unset Off,
    /// Show the Schedule Report button.
    EnableScheduleReport "enableScheduleReport" titled "Schedule reports" in Sharing grants false unset Off,
    /// Duplicate a dashboard into a copy of the user's own.
    CanDuplicateDashboard "canDuplicateDashboard" titled "Duplicate dashboards" in Editing grants true unset OnIfEditing,
    /// Set a dashboard as the user's default.
    CanSetDefaultDashboard "canSetDefaultDashboard" titled "Set a default dashboard" in Sharing grants false unset On,
    /// Edit an AI-generated chart from the agent chat session.
    CanEditChartFromSession "canEditChartFromSession" titled "Edit charts in the chat" in Ai grants false unset On,
    /// Hide the dashboard's filter bar.
    HideFilters "hideFilters" titled "Hide the filter bar" in Restrictions grants false unset Off,
    /// Create new dashboards.
    AddDashboard "addDashboard" titled "Create dashboards" in Editing grants true unset OnIfEditing,
}

impl Flag {
    /// The flag with exactly this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flag| flag.name() == name)
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A role's `permissions` object as written: only the flags that it sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolePermissions(BTreeMap<Flag, bool>);

impl RolePermissions {
    /// The role's setting of a flag, if there is one.
    #[must_use]
    pub fn get(&self, flag: Flag) -> Option<bool> {
        self.0.get(&flag).copied()
    }

    /// Sets a flag.
    pub fn set(&mut self, flag: Flag, on: bool) {
        self.0.insert(flag, on);
    }

    /// Whether the role grants editing: at least one granting flag is true, and `readOnly` is not (editing rule 1).
    #[must_use]
    pub fn grants_editing(&self) -> bool {
        let on = |flag| self.get(flag) == Some(true);
        !on(Flag::ReadOnly) && Flag::ALL.into_iter().any(|flag| flag.grants_editing() && on(flag))
    }

    /// Sets all 20 flags, with v1's meaning: an unset flag is off.
    #[must_use]
    pub fn written_out(&self) -> Self {
        Flag::ALL.into_iter().map(|flag| (flag, self.get(flag) == Some(true))).collect()
    }

    /// What a v1 component with these settings allows. Sets that allow the same are the same set of permissions.
    #[must_use]
    pub fn in_v1(&self) -> Permissions {
        self.written_out().resolve()
    }

    /// Adds the settings of another role for flags that this one does not set.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let mut filled = other.0.clone();
        filled.extend(&self.0);
        Self(filled)
    }

    /// Resolves all 20 flags. A flag without effect becomes false (docs/spec/contract.md, section 11).
    #[must_use]
    pub fn resolve(&self) -> Permissions {
        let editing = self.grants_editing();
        let read_only = self.get(Flag::ReadOnly) == Some(true);
        let mut resolved = Permissions::default();
        for flag in Flag::ALL {
            let unset = match flag.unset() {
                Unset::On => true,
                Unset::Off => false,
                Unset::OnIfEditing => editing,
            };
            let overridden = (flag.grants_editing() && !editing) || (flag == Flag::DrillDown && read_only);
            resolved.put(flag, self.get(flag).unwrap_or(unset) && !overridden);
        }
        if !resolved.allows(Flag::CreateChart) {
            resolved.put(Flag::CreateChartSql, false);
        }
        resolved
    }
}

impl FromIterator<(Flag, bool)> for RolePermissions {
    fn from_iter<I: IntoIterator<Item = (Flag, bool)>>(flags: I) -> Self {
        Self(flags.into_iter().collect())
    }
}

impl Serialize for RolePermissions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(flag, on)| (flag.name(), on)))
    }
}

impl<'de> Deserialize<'de> for RolePermissions {
    /// Unknown keys are refused: "no other keys allowed".
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<String, bool>::deserialize(deserializer)?
            .into_iter()
            .map(|(name, on)| Flag::named(&name).map(|flag| (flag, on)).ok_or(name))
            .collect::<Result<_, _>>()
            .map_err(|name| de::Error::custom(format!("`{name}` is not a permission flag")))
    }
}

/// The resolved values of all 20 flags. The default is all off; a user without a role has
/// `RolePermissions::default().resolve()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Permissions(u32);

impl Permissions {
    /// The permissions of a project user without a role (editing rule 2).
    #[must_use]
    pub fn without_role() -> Self {
        RolePermissions::default().resolve()
    }

    /// Whether a flag is on.
    #[must_use]
    pub const fn allows(self, flag: Flag) -> bool {
        self.0 & (1 << flag as u32) != 0
    }

    /// How many flags are on.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether any flag that grants editing is on. Otherwise the user is view-only.
    #[must_use]
    pub fn can_edit(self) -> bool {
        Flag::ALL.into_iter().any(|flag| flag.grants_editing() && self.allows(flag))
    }

    /// Whether a dashboard's page offers tools: editing, the assistant, or reports.
    #[must_use]
    pub fn has_tools(self) -> bool {
        self.can_edit() || self.allows(Flag::AiInsight) || self.allows(Flag::EnableScheduleReport)
    }

    /// The same with a flag turned off.
    #[must_use]
    pub const fn without(mut self, flag: Flag) -> Self {
        self.put(flag, false);
        self
    }

    const fn put(&mut self, flag: Flag, on: bool) {
        let bit = 1 << flag as u32;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
}

impl Serialize for Permissions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Flag::ALL.len()))?;
        for flag in Flag::ALL {
            map.serialize_entry(flag.name(), &self.allows(flag))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Permissions {
    /// Missing flags are off. Unknown names are ignored, so that an older build accepts a newer token.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The wasm has a reader of such a map anyway.
        let mut permissions = Self::default();
        for (name, on) in Map::<String, Value>::deserialize(deserializer)? {
            let Value::Bool(on) = on else { return Err(de::Error::custom("a permission is true or false")) };
            if let Some(flag) = Flag::named(&name) {
                permissions.put(flag, on);
            }
        }
        Ok(permissions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn role(json: &str) -> RolePermissions {
        serde_json::from_str(json).expect("a role")
    }

    fn on(json: &str) -> Vec<&'static str> {
        let resolved = role(json).resolve();
        Flag::ALL.into_iter().filter(|flag| resolved.allows(*flag)).map(Flag::name).collect()
    }

    #[test]
    fn empty_role_is_view_only() {
        assert_eq!(on("{}"), ["canSetDefaultDashboard", "canEditChartFromSession"]);
        assert!(!Permissions::without_role().can_edit());
    }

    #[test]
    fn one_granting_flag_turns_the_unset_ones_on() {
        assert_eq!(
            on(r#"{"addFilter":true}"#),
            [
                "addChart",
                "addFilter",
                "createChart",
                "removeChart",
                "canDuplicateDashboard",
                "canSetDefaultDashboard",
                "canEditChartFromSession",
                "addDashboard"
            ]
        );
    }

    #[test]
    fn read_only_overrides_editing_and_drill_down() {
        let json =
            r#"{"readOnly":true,"addChart":true,"drillDown":true,"createChart":true,"createChartSQL":true,"aiInsight":true}"#;
        assert_eq!(on(json), ["readOnly", "aiInsight", "canSetDefaultDashboard", "canEditChartFromSession"]);
    }

    #[test]
    fn written_out_unset_flags_are_off() {
        let v1 = role(r#"{"addChart":true,"hideHeader":false}"#);
        let written = v1.written_out();
        assert!(Flag::ALL.into_iter().all(|flag| written.get(flag) == Some(flag == Flag::AddChart)));
        assert!(!written.resolve().allows(Flag::AddDashboard) && v1.resolve().allows(Flag::AddDashboard));
        assert_eq!(
            v1.or(&role(r#"{"addChart":false,"aiCharts":true}"#)),
            role(r#"{"addChart":true,"hideHeader":false,"aiCharts":true}"#)
        );
    }

    #[test]
    fn sql_needs_the_chart_builder() {
        let json = r#"{"addChart":true,"createChart":false,"createChartSQL":true}"#;
        assert!(!role(json).resolve().allows(Flag::CreateChartSql));
    }

    #[test]
    fn unknown_keys_and_other_types_are_refused() {
        for json in [r#"{"addCharts":true}"#, r#"{"addChart":1}"#, r#"{"addChart":null}"#, "[]", "true"] {
            assert!(serde_json::from_str::<RolePermissions>(json).is_err(), "{json}");
        }
    }

    fn any_role() -> impl Strategy<Value = RolePermissions> {
        proptest::collection::vec(proptest::option::of(any::<bool>()), 20)
            .prop_map(|set| Flag::ALL.into_iter().zip(set).filter_map(|(flag, on)| on.map(|on| (flag, on))).collect())
    }

    proptest! {
        #[test]
        fn a_view_only_role_allows_no_editing(role in any_role()) {
            prop_assert_eq!(role.resolve().can_edit(), role.grants_editing());
        }

        #[test]
        fn spelled_out_flags_keep_their_value_on_an_editing_role(role in any_role()) {
            prop_assume!(role.grants_editing());
            for flag in Flag::ALL.into_iter().filter(|flag| *flag != Flag::CreateChartSql) {
                if let Some(on) = role.get(flag) {
                    prop_assert_eq!(role.resolve().allows(flag), on);
                }
            }
        }

        #[test]
        fn resolved_permissions_round_trip(role in any_role()) {
            let json = serde_json::to_string(&role.resolve()).expect("serializes");
            prop_assert_eq!(serde_json::from_str::<Permissions>(&json).expect("parses"), role.resolve());
        }
    }
}
