//! `onlooker gomocup` under a scripted manager.

use crate::onlooker_with;

#[test]
fn a_scripted_manager_gets_its_answers() {
    let folder = tempfile::tempdir().unwrap();
    let script = "ABOUT\r\nSTART 9\r\nINFO timeout_turn 2000\r\nTURN 4,4\r\nTURN 99,4\r\nNONSENSE\r\n\
                  BOARD\r\n1,3,1\r\n2,3,1\r\n3,3,1\r\n4,3,1\r\n0,3,2\r\n0,0,2\r\n2,6,2\r\n6,6,2\r\nDONE\r\nEND\r\nSTART 9\r\n";
    let ran = onlooker_with(folder.path(), &["gomocup"], script);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.status, lines.len()), (0, 6), "{} {}", ran.out, ran.err);
    assert!(lines[0].starts_with("name=\"onlooker\", version="));
    assert_eq!((lines[1], lines[4], lines[5]), ("OK", "UNKNOWN NONSENSE", "5,3"));
    let square: Vec<usize> = lines[2].split(',').map(|part| part.parse().unwrap()).collect();
    assert!(square.len() == 2 && square.iter().all(|&at| at < 9) && square != [4, 4]);
    assert!(lines[3].starts_with("ERROR found 99,4"));
    // A file of rules that is none.
    std::fs::write(folder.path().join("bad.tactics"), "tactics 2\n").unwrap();
    let ran = onlooker_with(folder.path(), &["gomocup", "--rules", "bad.tactics"], "START 9\n");
    assert!(ran.status == 2 && ran.out.is_empty() && ran.err.contains("bad.tactics:1:1"), "{}", ran.err);
}
