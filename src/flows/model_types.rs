//! TypeScript types of a project's semantic model, so that a measure which is renamed breaks the host's build and not its page.

use crate::{
    concepts::{
        catalog::{self, modelled},
        connections, projects,
    },
    ground::{
        error::{Error, Result},
        store::{Conn, Db, seal::Sealer},
    },
};
use inlay_contract::ids::{ConnectionId, OrganizationId};
use inlay_query::{Model, RowAccess};
use std::{collections::BTreeSet, fmt::Write};

/// What is the same for every project.
const QUERY: &str = "
export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
export type Cycle = 'weekday' | 'hour' | 'partOfWeek';
export type Scalar = string | number | boolean;
export type FilterValue = Scalar | Scalar[] | { from?: Scalar; to?: Scalar } | { relative: string };

/** A metric of one query: exactly one of the kinds. Names are those of measures, metrics and other metrics of the query. */
export interface Metric {
  ratio?: [string, string];
  formula?: string;
  running?: string;
  toDate?: { of: string; grain: Grain };
  moving?: { of: string; periods: number };
  total?: { of: string; within?: string | string[] };
  share?: { of: string; within?: string | string[] };
  only?: { of: string; filters: Omit<ModelFilter, 'newest'>[] };
  label?: string;
}

export interface ModelFilter {
  dimension: Dimension;
  via?: string;
  cycle?: Cycle;
  value: FilterValue;
  newest?: boolean;
  not?: boolean;
}

/** A measure of one query: an aggregate over dimensions of its table, or of one that the table leads to. */
export interface QueryMeasure {
  table: Table;
  aggregate: 'count' | 'countDistinct' | 'sum' | 'average' | 'min' | 'max' | 'median' | 'percentile';
  of?: Dimension | Dimension[];
  via?: string;
  fraction?: number;
  filters?: Omit<ModelFilter, 'newest'>[];
  label?: string;
}

/** The body of `POST /v2/api/projects/{projectId}/query`. */
export interface ModelQuery<Own extends string = never> {
  measures?: (Measure | Own)[];
  metrics?: { [name in Own]?: Metric };
  aggregates?: { [name in Own]?: QueryMeasure };
  dimensions?: { name: Dimension; via?: string; grain?: Grain; cycle?: Cycle; as?: string }[];
  filters?: ModelFilter[];
  having?: { measure: Measure | Own | `${Measure | Own}_previous`; comparison: '<' | '<=' | '=' | '<>' | '>=' | '>'; than: number }[];
  sort?: { by: string; descending?: boolean }[];
  top?: { rows: number; per: string | string[] };
  limit?: number;
  compare?: 'previous' | 'year';
  totals?: boolean;
  connection?: string;
  timezone?: string;
  refresh?: boolean;
  dbAuthToken?: string;
}
";

/// The types of a project.
///
/// # Errors
/// 404 when the organization has no such project.
pub async fn of_project(db: &Db, sealer: &Sealer, organization: OrganizationId, name: &str) -> Result<String> {
    let mut lease = db.read().await?;
    let conn = &mut lease.conn();
    let id = projects::find_by_name(conn, organization, name).await?.ok_or_else(|| Error::not_found("Project"))?;
    let project = projects::find(conn, id).await?.ok_or_else(|| Error::not_found("Project"))?;
    let mut models = Vec::new();
    for source in connections::list(conn, sealer, id).await? {
        models.push(seen(conn, source.id, &project).await?);
    }
    Ok(typescript(name, &models))
}

/// The model of a connection without its closed tables.
async fn seen(conn: &mut Conn<'_>, connection: ConnectionId, project: &projects::Project) -> Result<Model> {
    let tables = catalog::of_connection(conn, connection).await?;
    Ok(modelled(tables.iter().filter(|table| table.rows != RowAccess::Nothing), &project.metrics))
}

fn typescript(project: &str, models: &[Model]) -> String {
    let measures: BTreeSet<String> = models.iter().flat_map(Model::numbers).map(str::to_owned).collect();
    let dimensions: BTreeSet<String> = models
        .iter()
        .flat_map(|model| &model.tables)
        .flat_map(|(table, one)| {
            let names = one.model.dimensions.keys().chain(one.columns.keys());
            names.map(move |name| format!("{table}.{name}"))
        })
        .collect();
    // Whatever the name holds, it stays on its line.
    let project = project.replace(char::is_control, " ");
    let mut made = format!("// The measures and dimensions of the project {project}, written by `inlay types`.\n");
    let tables: BTreeSet<String> = models.iter().flat_map(|model| model.tables.keys().cloned()).collect();
    union(&mut made, "Measure", measures, "");
    union(&mut made, "Table", tables, "");
    union(&mut made, "Dimension", dimensions, "'time'");
    made + QUERY
}

/// A type of texts.
fn union(made: &mut String, name: &str, texts: BTreeSet<String>, always: &str) {
    let quoted = texts.iter().map(|text| serde_json::Value::from(text.as_str()).to_string());
    let all: Vec<String> = Some(always.to_owned()).into_iter().filter(|text| !text.is_empty()).chain(quoted).collect();
    let all = if all.is_empty() { vec!["never".to_owned()] } else { all };
    let _ = write!(made, "\nexport type {name} =\n  | {};\n", all.join("\n  | "));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both_stores;

    #[test]
    fn a_project_without_a_model_has_no_measure() {
        let made = typescript("Shop\n*/", &[]);
        assert!(made.starts_with("// The measures and dimensions of the project Shop */, written by"), "{made}");
        assert!(
            made.contains("export type Measure =\n  | never;\n") && made.contains("export type Dimension =\n  | 'time';\n"),
            "{made}"
        );
    }

    on_both_stores! {
        async fn every_measure_and_dimension_is_a_type(world) {
            let made = of_project(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("made");
            for part in [
                "export type Measure =\n  | \"mean_order\"\n  | \"mean_rate\"\n  | \"order_count\"\n  | \"revenue\";\n",
                "export type Dimension =\n  | 'time'\n  | \"orders.day\"\n  | \"orders.id\"\n  | \"orders.place\"\n  | \"rates.name\";\n",
                "export type Table =\n  | \"orders\"\n  | \"rates\";\n",
                "export interface ModelQuery<Own extends string = never> {",
            ] {
                assert!(made.contains(part), "{part}\n{made}");
            }
            assert!(!made.contains("notes") && !made.contains("company"), "{made}");
            of_project(&world.app.db, &world.app.sealer, world.organization, "Other").await.expect_err("no such project");
        }
    }
}
