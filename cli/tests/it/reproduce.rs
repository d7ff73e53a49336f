//! `onlooker reproduce`.

use crate::onlooker;
use std::path::Path;

#[test]
fn tables_have_the_papers_figures_and_ours() {
    let arguments = ["reproduce", "sgrl", "--quick", "--trials", "1", "--games", "60", "--json"];
    let ran = onlooker(Path::new("."), &arguments);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out.trim_end().lines().count(), 1, "{}", ran.out);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let tables = json["tables"].as_array().unwrap();
    let names: Vec<&str> = tables.iter().map(|table| table["name"].as_str().unwrap()).collect();
    assert_eq!(tables.len(), 4, "{names:?}");
    for (table, rows) in tables.iter().zip([19, 19, 16, 3]) {
        let columns = table["columns"].as_array().unwrap();
        assert!(columns.iter().all(serde_json::Value::is_string), "{table}");
        let found = table["rows"].as_array().unwrap();
        assert_eq!(found.len(), rows, "{table}");
        assert!(found.iter().all(|row| row.as_array().unwrap().len() == columns.len()), "{table}");
    }
    let cell = |table: usize, labels: [&str; 3], column: &str| {
        let columns = tables[table]["columns"].as_array().unwrap();
        let at = columns.iter().position(|name| name == column).unwrap_or_else(|| panic!("{column}: {columns:?}"));
        let rows = tables[table]["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| (0..3).all(|label| row[label] == labels[label])).unwrap();
        row[at].clone()
    };
    let queen = ["ChessBT", "Queen", "second"];
    assert_eq!(cell(0, queen, "the paper max"), 49.01);
    assert_eq!(cell(1, ["BT", "Pawn", "first"], "the paper avg"), "< 0.01");
    assert_eq!(cell(2, ["CheckBT", "Checker", "first"], "the paper min"), ">1000");
    assert_eq!(cell(0, queen, "the default here exact"), 1);
    assert!(cell(0, queen, "Algorithm 2 here avg").as_f64().unwrap() > 0.0);
    // Nobody plays the words that are left when a letter of a jump is left out.
    assert_eq!(cell(2, ["CheckBT", "Checker", "second"], "and stays so avg"), "-");
    assert!(cell(2, ["BT", "Pawn", "second"], "transitions seen avg").as_f64().unwrap() >= 1.0);
}

#[test]
fn tables_for_people_are_aligned() {
    let ran = onlooker(Path::new("."), &["reproduce", "sgrl", "--trials", "1", "--games", "2"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let rows: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("ChessBT  ")).collect();
    assert_eq!(rows.len(), 13 + 13 + 12, "{}", ran.out);
    assert!(rows[..12].iter().all(|row| row.len() == rows[0].len()), "{}", ran.out);
    assert!(ran.out.contains("Table 3") && ran.out.contains("microseconds"), "{}", ran.out);
}

#[test]
fn turns_have_their_tables_and_figures() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["reproduce", "grl", "--quick", "--games", "10", "--json", "--pictures", "figures"];
    let ran = onlooker(folder.path(), &arguments);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let tables = json["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 2);
    for table in tables {
        let columns = table["columns"].as_array().unwrap();
        let rows = table["rows"].as_array().unwrap();
        // A row for each of the thirteen pieces, and one more where the paper has a time for LOCM.
        assert_eq!(rows.len(), 17, "{table}");
        assert!(rows.iter().all(|row| row.as_array().unwrap().len() == columns.len()), "{table}");
    }
    let drawn: Vec<_> = std::fs::read_dir(folder.path().join("figures")).unwrap().collect();
    assert_eq!(drawn.len(), 3);
}

#[test]
fn the_figures_of_opponent_models_are_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let ran =
        onlooker(folder.path(), &["reproduce", "opponent", "--quick", "--games", "1", "--json", "--pictures", "f"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let tables = json["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 7);
    for table in tables {
        let columns = table["columns"].as_array().unwrap().len();
        assert!(
            table["rows"].as_array().unwrap().iter().all(|row| row.as_array().unwrap().len() == columns),
            "{table}"
        );
    }
    // The paper: all of the mummy's moves are among the first 17.
    let row = tables[0]["rows"].as_array().unwrap().iter().find(|row| row[0] == "17").unwrap();
    assert!(row[4] == 100.0 && row[7] == 100.0, "{row}");
    let drawn: Vec<_> = std::fs::read_dir(folder.path().join("f")).unwrap().collect();
    assert_eq!(drawn.len(), 6);
}

#[test]
fn the_paper_on_combinations_is_repeated() {
    let ran = onlooker(Path::new("."), &["reproduce", "tactics", "--trials", "1", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let steps = json["tables"][0]["rows"].as_array().unwrap();
    let literals: Vec<(&str, usize)> =
        steps.iter().map(|row| (row[0].as_str().unwrap(), row[1].as_str().unwrap().split(" & ").count())).collect();
    assert_eq!(literals, [("G13", 3), ("G12", 5), ("G11", 8)]);
    let seed = &json["tables"][1]["rows"][0];
    assert!(seed[2].as_u64() <= Some(10) && seed[3].as_u64() <= Some(12) && seed[5] == "yes", "{seed}");
}

#[test]
fn other_papers_are_refused() {
    for (arguments, says) in [
        (&["reproduce"][..], "<PAPER>"),
        (&["reproduce", "chess"], "invalid value 'chess'"),
        (&["reproduce", "sgrl", "--trials", "0"], "0 is not in 1..=1000"),
        (&["reproduce", "sgrl", "--games", "many"], "invalid value 'many'"),
    ] {
        let ran = onlooker(Path::new("."), arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
}
