//! `hermes check FILE|DIR…`: only validates. It opens no database.

mod input;
mod remark;

use std::path::PathBuf;

use argh::{ArgsInfo, FromArgs};
use serde_json::Value;

use self::input::Input;
use self::remark::{Remark, Style};
use super::{print_json, print_text};
use crate::definition::document::{self, Reading};
use crate::definition::{Clients, Problem};
use crate::error::{ExitCode, Result};
use crate::order;
use crate::receiver::across::{File, Severity, across};

/// Validate files and folders; problems as file:line:col, warnings as well.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "check")]
pub(super) struct Check {
    /// YAML files, folders of them, or - for standard input
    #[argh(positional)]
    paths: Vec<PathBuf>,
    /// an array of file, line, column, severity, field, message
    #[argh(switch)]
    json: bool,
}

pub(super) fn check(options: &Check) -> Result<ExitCode> {
    let input = input::read(&options.paths)?;
    let readings = read_all(&input);
    let mut remarks = of_each(&input, &readings);
    remarks.extend(of_all(&input, &readings));
    order::by_number(&mut remarks, |remark| remark.problem.place());
    order::by_number(&mut remarks, |remark| remark.file as i64);
    if options.json {
        print_json(&remarks.iter().map(|remark| remark.to_json(&input)).collect::<Value>());
    } else {
        let style = Style::of_output();
        let shown: String = remarks.iter().map(|remark| remark.to_text(&input, &style)).collect();
        let documents = readings.iter().map(|reading| reading.documents.len()).sum();
        print_text(&format!("{shown}{}\n", summary(&remarks, documents)));
    }
    let is_wrong = remarks.iter().any(|remark| remark.severity == Severity::Problem);
    Ok(if is_wrong { ExitCode::BadInput } else { ExitCode::Done })
}

/// A client may stand in any of them.
fn read_all(input: &Input) -> Vec<Reading> {
    let texts = || input.files.iter().map(|file| file.text.as_deref());
    let given = texts().flatten().map(Clients::of_text);
    let clients = given.fold(Clients::default(), |all, own| all.and(&own));
    let read = |text: std::result::Result<&str, &String>| match text {
        Ok(text) => document::read_with(text, &clients),
        Err(why) => Reading::unreadable(why),
    };
    texts().map(read).collect()
}

/// What is wrong with each file by itself.
fn of_each(input: &Input, readings: &[Reading]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (file, (given, reading)) in input.files.iter().zip(readings).enumerate() {
        let problems = reading.problems.iter().cloned();
        remarks.extend(problems.map(|problem| Remark { file, severity: Severity::Problem, problem }));
        if given.is_folder {
            let message = "there is no *.yaml or *.yml file in this folder".to_owned();
            let problem = Problem { line: 1, column: 1, field: String::new(), message };
            remarks.push(Remark { file, severity: Severity::Warning, problem });
        }
    }
    remarks
}

/// What is wrong between them.
fn of_all(input: &Input, readings: &[Reading]) -> Vec<Remark> {
    let files: Vec<File<'_>> =
        input.files.iter().zip(readings).map(|(file, reading)| File { name: &file.name, reading }).collect();
    let mut told = vec![0; files.len()];
    let mut remarks = Vec::new();
    for found in across(&files, input.is_whole) {
        let Ok(text) = &input.files[found.file].text else { continue };
        told[found.file] += 1;
        let most = document::most_problems(text);
        if told[found.file] > most + 1 {
            continue;
        }
        let (line, column) = document::place_of(text, found.document, &found.field);
        let mut problem = Problem { line, column, field: found.field.to_string(), message: found.message };
        if told[found.file] > most {
            problem.message += "; there are more such problems, mend these first";
        }
        remarks.push(Remark { file: found.file, severity: found.severity, problem });
    }
    remarks
}

/// "3 documents, no problems, 1 warning"
fn summary(remarks: &[Remark], documents: usize) -> String {
    let count = |severity| remarks.iter().filter(|remark| remark.severity == severity).count();
    let several = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let (problems, warnings) = (count(Severity::Problem), count(Severity::Warning));
    let mut summary = match problems {
        0 => several(documents, "document") + ", no problems",
        _ => several(problems, "problem"),
    };
    if warnings > 0 {
        summary += &format!(", {}", several(warnings, "warning"));
    }
    summary
}
