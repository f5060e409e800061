//! A report's files.

use super::drawing::Shown;
use crate::ground::{
    error::{Error, Result},
    mail::Attachment,
    names,
    state::App,
};
use inlay_app::data::csv;
use inlay_contract::report::Format;
use inlay_render::Sheet;

/// The maximum size of a mail's files together, in bytes: many servers accept no larger mail.
const MOST_BYTES: usize = 15 * 1024 * 1024;

const EXCEL: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The files of a format; none for a link. The inner error is a sentence for the report's owner.
pub(super) async fn files(app: &App, shown: &Shown, format: Format) -> Result<Result<Vec<Attachment>, String>> {
    let files = match format {
        Format::Link => Vec::new(),
        Format::Pdf => vec![file(&csv::file_name(&shown.title, "pdf"), "application/pdf", shown.pdf(app).await?)],
        Format::Csv => csv_files(&shown.sheets()),
        Format::Xlsx => vec![file(&csv::file_name(&shown.title, "xlsx"), EXCEL, book(shown).await?)],
    };
    let bytes: usize = files.iter().map(|file| file.content.len()).sum();
    if bytes > MOST_BYTES {
        let most = MOST_BYTES / 1024 / 1024;
        return Ok(Err(format!("The files are larger than {most} MB. Choose the link, or narrow the filters.")));
    }
    Ok(Ok(files))
}

fn file(name: &str, media_type: &'static str, content: Vec<u8>) -> Attachment {
    Attachment { name: name.to_owned(), media_type: media_type.into(), content }
}

/// A file for each chart. Charts with the same name are numbered.
fn csv_files(sheets: &[Sheet<'_>]) -> Vec<Attachment> {
    let mut files: Vec<Attachment> = Vec::new();
    for Sheet { title, data, .. } in sheets {
        let numbered = |number| csv::file_name(&format!("{title} {number}"), "csv");
        let taken = |name: &str| files.iter().any(|file| file.name == name);
        let name = names::first_free(csv::file_name(title, "csv"), numbered, taken);
        files.push(file(&name, "text/csv", csv::write(data).into_bytes()));
    }
    files
}

async fn book(shown: &Shown) -> Result<Vec<u8>> {
    let locale = shown.locale().to_owned();
    let sheets = shown.sheets();
    let sheets: Vec<_> =
        sheets.into_iter().map(|sheet| (sheet.title.to_owned(), sheet.data.clone(), sheet.definition.cloned())).collect();
    let write = move || {
        let sheets = sheets.iter().map(|(title, data, definition)| Sheet { title, data, definition: definition.as_ref() });
        inlay_render::workbook(&sheets.collect::<Vec<_>>(), &locale)
    };
    tokio::task::spawn_blocking(write).await.map_err(Error::internal)?.map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::data::{ChartData, Column, ColumnType};

    #[test]
    fn charts_of_one_name_are_files_of_two() {
        let columns = vec![Column { name: "n".into(), kind: ColumnType::Number }];
        let data = ChartData { columns, rows: vec![], truncated: false, cached: false, duration_ms: 0, as_of: None };
        let sheets = ["Sales / day", "Sales day", "../x"].map(|title| Sheet { title, data: &data, definition: None });
        let names = csv_files(&sheets);
        let names: Vec<String> = names.into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["Sales day.csv", "Sales day 2.csv", "x.csv"]);
    }
}
