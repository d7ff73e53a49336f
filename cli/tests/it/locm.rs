//! `locm` from the command line: plans of all kinds, evidence taken up again, domains, problems and pictures.

use crate::onlooker;
use std::fs;

const BLOCKS: &str = "\
(unstack a b)\n(put-down a)\n(pick-up b)\n(stack b a)\n(unstack b a)\n(stack b c)\n(pick-up a)\n(stack a b)\n\n\
(pick-up c)\n(put-down c)\n(pick-up c)\n(stack c b)\n(unstack c b)\n(put-down c)\n(pick-up b)\n(put-down b)\n";

#[test]
fn plans_and_evidence_may_come_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (first, second) = BLOCKS.split_once("\n\n").unwrap();
    fs::write(folder.join("all.txt"), BLOCKS).unwrap();
    fs::write(folder.join("first.txt"), format!("; a planner's\n{}\n; cost = 8 (unit cost)\n", first.to_uppercase()))
        .unwrap();
    let timed: String = second.lines().zip(0..).map(|(line, i)| format!("{i}.000: {line} [1.000]\n")).collect();
    fs::write(folder.join("second.txt"), timed).unwrap();
    let locm = |arguments: &[&str], name: &str| {
        let files = [&format!("{name}.pddl")[..], &format!("{name}.evidence.gz")];
        let all = [&["locm"], arguments, &["-o", files[0], "--save-evidence", files[1]]].concat();
        let ran = onlooker(folder, &all);
        assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
        (fs::read_to_string(folder.join(files[0])).unwrap(), fs::read(folder.join(files[1])).unwrap())
    };
    let whole = locm(&["all.txt"], "whole");
    assert_eq!(locm(&["first.txt", "second.txt"], "two"), whole);
    assert_eq!(locm(&["second.txt", "first.txt"], "turned"), whole);
    locm(&["second.txt"], "part");
    assert_eq!(locm(&["--evidence", "part.evidence.gz", "first.txt"], "on"), whole);
    assert_eq!(locm(&["--evidence", "whole.evidence.gz"], "again"), whole);
    assert!(whole.0.contains("(:action unstack\n"), "{}", whole.0);
    // Without a terminal it is the domain that is printed.
    assert_eq!(onlooker(folder, &["locm", "all.txt"]).out, whole.0);
}

#[test]
fn a_model_is_told_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.txt"), BLOCKS).unwrap();
    for (arguments, begins, has) in [
        (&["--format", "text"][..], "2 traces with 16 actions\n", "Machine zero, the order of all actions"),
        (&["--format", "dot"], "digraph ", "unstack.1"),
        (&["--format", "svg"], "<svg ", ">unstack.1</text>"),
        (&["--format", "pddl", "--method", "locm"], "; Induced", "(define (domain learnt)"),
        (&["--statics", "--name", "my blocks"], "; Induced", "(define (domain my-blocks)"),
        (&["--problem", "2"], "(define (problem learnt-2)", "(:goal (and"),
    ] {
        let ran = onlooker(folder, &[&["locm", "p.txt"], arguments].concat());
        assert_eq!(ran.status, 0, "{arguments:?} {}", ran.err);
        assert!(ran.out.starts_with(begins) && ran.out.contains(has), "{arguments:?}\n{}", ran.out);
    }
    let ran = onlooker(folder, &["locm", "p.txt", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["sorts"], &object["actions"], &object["steps"]), (&1.into(), &4.into(), &16.into()));
    assert_eq!(object["machines"][0]["sort"], "zero");
    assert!(object["seconds"].as_f64().unwrap() >= 0.0);
}

#[test]
fn what_is_no_plan_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("good", b"(go a)\n");
    write("empty", b"");
    write("comments", b"; nothing\n");
    write("open", b"(go a\n");
    write("closed", b"(go a))\n");
    write("nested", b"(go (a))\n");
    write("arity", b"(go a)\n(go a b)\n");
    write("photo", b"\x89PNG\r\n\x1a\n");
    write("latin", b"(go a)\n(go \xe9)\n");
    write("long", "(go ".repeat(50_000).as_bytes());
    write("broken.gz", b"\x1f\x8b\x08\x00 not really gzip");
    write("ground", (0..600).map(|i| format!("(go-{i})\n")).collect::<String>().as_bytes());
    fs::create_dir(folder.join("folder")).unwrap();
    for (arguments, says) in [
        (&["empty"][..], &["empty:1:1", "there is no action", "expected at least one"][..]),
        (&["comments"], &["comments:2:1", "there is no action"]),
        (&["open"], &["open:1:6", "found the end of the line", "expected an argument, or ')'"]),
        (&["closed"], &["closed:1:7", "found \")\"", "expected the end of the line"]),
        (&["nested"], &["nested:1:5", "found \"(\""]),
        (&["arity"], &["arity:2:2", "found go with 2 arguments, expected 1 as before"]),
        (&["good", "arity"], &["arity:2:2"]),
        (&["photo"], &["photo:1:1", "0x89", "not UTF-8"]),
        (&["latin"], &["latin:2:5", "0xe9"]),
        (&["long"], &["long:1:", "longer than"]),
        (&["broken.gz"], &["broken.gz", "cannot be read any further"]),
        (&["ground"], &["ground:513:2", "more than 512 different actions"]),
        (&["folder"], &["folder is a directory, expected plans"]),
        (&["missing"], &["cannot open missing"]),
        (&[], &["expected plans or --evidence"]),
        (&["good", "--problem", "2"], &["there is no trace 2, expected a number from 1 to 1"]),
        (&["good", "--problem", "0"], &["0 is not in 1.."]),
        (&["good", "--format", "png"], &["pddl, text, dot, svg"]),
        (&["--evidence", "good"], &["good is not saved evidence of traces", "line 1, column 1"]),
        (&["--evidence", "folder"], &["folder is a directory, expected saved evidence"]),
    ] {
        let ran = onlooker(folder, &[&["locm"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?} {}", ran.err);
        says.iter().for_each(|part| assert!(ran.err.contains(part), "{arguments:?}: expected {part:?}\n{}", ran.err));
    }
    onlooker(folder, &["locm", "good", "-o", "g.pddl", "--save-evidence", "g.evidence"]);
    let ran = onlooker(folder, &["locm", "--evidence", "g.evidence", "--statics"]);
    assert!(ran.status == 2 && ran.err.contains("without --statics"), "{}", ran.err);
}

#[test]
fn held_out_plans_are_accepted_or_rejected_where_they_fail() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("all.txt"), BLOCKS).unwrap();
    fs::write(folder.join("good.txt"), "(unstack x y)\n(put-down x)\n").unwrap();
    fs::write(folder.join("bad.txt"), "(pick-up x)\n\n(pick-up x)\n(pick-up x)\n\n(fly x)\n").unwrap();
    let check = |arguments: &[&str]| {
        let ran = onlooker(folder, &[&["locm", "all.txt", "--check"], arguments].concat());
        (ran.status, ran.out, ran.err)
    };
    let (status, out, _) = check(&["good.txt"]);
    assert_eq!((status, out.as_str()), (0, "plan 1: accepted\n1 of 1 plans accepted\n"));
    let (status, out, _) = check(&["bad.txt"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((status, lines.len(), lines[0], lines[3]), (1, 4, "plan 1: accepted", "1 of 3 plans accepted"), "{out}");
    assert!(lines[1].starts_with("plan 2: step 2, (pick-up x): "), "{out}");
    assert!(lines[2].starts_with("plan 3: step 1, (fly x): "), "{out}");
    assert_eq!(check(&["bad.txt", "--json"]).1, "{\"plans\":3,\"accepted\":1}\n");
    fs::write(folder.join("broken.txt"), "(pick-up x\n").unwrap();
    let (status, _, err) = check(&["broken.txt"]);
    assert!(status == 2 && err.contains("broken.txt:1:"), "{err}");
}
