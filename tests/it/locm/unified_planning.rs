//! The domains and problems we write, read and checked by unified-planning.
//!
//! Skipped unless `python3`, or the interpreter that `UNIFIED_PLANNING_PYTHON` names, has the package.

use super::{evidence, folders, plans};
use onlooker::locm::{Action, Domain, Evidence, Method, Options, PlanReader, induce};
use std::process::Command;
use std::sync::atomic::AtomicBool;

const SCRIPT: &str = "
import sys
from unified_planning.engines import SequentialPlanValidator
from unified_planning.io import PDDLReader
for folder in sys.argv[1:]:
    reader = PDDLReader()
    problem = reader.parse_problem(folder + '/domain.pddl', folder + '/problem.pddl')
    plan = reader.parse_plan(problem, folder + '/plan.txt')
    print(SequentialPlanValidator().validate(problem, plan).status.name, len(plan.actions))
";

/// A trace with every oddity: the same object twice, names that PDDL does not allow or that mean something else, a
/// parameter that one action does not name, actions without arguments.
const ODD: &str = "(put x1 y1)\n(take x1 y1)\n(put x1 y2)\n(drop-all x1)\n(put x1 y1)\n(take x1 y1)\n(not x1)\n(9lives)\n\
                   (turn x1 x1)\n(object x1 object)\n";

fn odd() -> Vec<Vec<Action>> {
    PlanReader::new(ODD.as_bytes()).map(|trace| trace.unwrap()).collect()
}

#[test]
fn an_unnamed_parameter_has_its_own_predicate() {
    let text = "(put x1 y1)\n(take x1 y1)\n(put x1 y2)\n(drop-all x1)\n(put x1 y1)\n(take x1 y1)\n";
    let traces: Vec<Vec<Action>> = PlanReader::new(text.as_bytes()).map(|trace| trace.unwrap()).collect();
    let model =
        induce(&evidence(&traces), &Options { method: Method::Locm, ..Options::default() }, &AtomicBool::new(false));
    let domain = Domain::new(&model, "d").to_string();
    assert!(domain.contains("old values stay"), "{domain}");
    let wrong = text.replace("(take x1 y1)\n(put x1 y2)", "(take x1 y2)\n(put x1 y2)");
    let wrong: Vec<Vec<Action>> = PlanReader::new(wrong.as_bytes()).map(|trace| trace.unwrap()).collect();
    assert!(model.accepts(&wrong[0]).unwrap_err().to_string().contains("with y1, expected y2"));
}

#[test]
fn unified_planning_reads_our_domains_and_accepts_the_plans() {
    let python = std::env::var("UNIFIED_PLANNING_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import unified_planning"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: {python} has no unified-planning");
        return;
    }
    let folder = std::env::temp_dir().join(format!("onlooker-locm-{}", std::process::id()));
    let names = ["blocksworld", "gripper", "ferry", "logistics", "driverlog", "miconic", "hanoi", "npuzzle"];
    let mut cases: Vec<(String, Vec<Vec<Action>>)> =
        names.iter().map(|name| ((*name).to_owned(), plans(&folders()[0].join(format!("{name}.txt"))))).collect();
    cases.push(("odd".to_owned(), odd()));
    let (mut arguments, mut lengths) = (Vec::new(), Vec::new());
    for (name, traces) in &cases {
        let mut evidence = Evidence::with_statics();
        traces.iter().for_each(|trace| evidence.observe(trace).unwrap());
        for (method, statics) in [(Method::Locm, false), (Method::Locm2, false), (Method::Locm2, true)] {
            let model = induce(&evidence, &Options { method, statics, ..Options::default() }, &AtomicBool::new(false));
            let domain = Domain::new(&model, name);
            for number in [0, traces.len() - 1] {
                let place = folder.join(format!("{name}-{method:?}-{statics}-{number}"));
                std::fs::create_dir_all(&place).unwrap();
                let plan = &traces[number];
                std::fs::write(place.join("domain.pddl"), domain.to_string()).unwrap();
                std::fs::write(place.join("problem.pddl"), domain.problem("p", plan).unwrap()).unwrap();
                std::fs::write(place.join("plan.txt"), domain.plan(plan).unwrap()).unwrap();
                arguments.push(place);
                lengths.push(plan.len());
            }
        }
    }
    let output = Command::new(&python).args(["-c", SCRIPT]).args(&arguments).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let verdicts: Vec<&str> = printed.lines().filter(|line| line.contains("VALID")).collect();
    let expected: Vec<String> = lengths.iter().map(|length| format!("VALID {length}")).collect();
    assert_eq!(verdicts, expected, "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir_all(folder).unwrap();
}
