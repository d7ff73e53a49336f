"""Planning domains from plans."""

from __future__ import annotations

import pickle

import pytest

import onlooker
from onlooker import planning

FERRY = [
    ["(board car1 ferry)", "(debark car1 ferry)"],
    ["(board car2 ferry)", "(debark car2 ferry)", "(board car2 ferry)"],
    [("board", "a", "f"), ("debark", "a", "f"), ("board", "b", "f"), ("debark", "b", "f")],
]


@pytest.fixture
def plans(tmp_path):
    path = tmp_path / "plans.txt"
    path.write_text("\n\n".join("\n".join(map(str, trace)) for trace in FERRY[:2]) + "\n")
    return path


def test_the_command_line_writes_the_same_domain(cli, plans):
    model = onlooker.locm(plans)
    assert model.to_pddl().encode() == cli("locm", plans)
    assert onlooker.locm(FERRY[:2]).to_pddl() == model.to_pddl() == onlooker.locm(onlooker.read_plans(plans)).to_pddl()
    assert model.problem(planning.trace_of(FERRY[1]), "learnt-2").encode() == cli("locm", plans, "--problem", 2)
    for method in ("locm", "locm2"):
        for statics in ([], ["--statics"]):
            made = onlooker.locm(plans, method=method, statics=bool(statics)).to_pddl()
            assert made.encode() == cli("locm", plans, "--method", method, *statics)


def test_models_accept_and_show_themselves(plans):
    model = onlooker.locm(FERRY)
    assert model.accepts([["board", "x", "y"], ["debark", "x", "y"]])
    assert "board" in model.rejection([["board", "x", "y"], ["board", "x", "y"]])
    assert planning.check_plans(model, [FERRY[0], ["(board a b)", "(board a b)"]])[0] is None
    assert {action for action, _, _ in model.actions} == {"board", "debark"} and model.traces == 3
    assert model._repr_svg_().startswith("<svg") and "digraph" in model.to_dot() and model.explain()
    graph = model.machines[-1].to_networkx()
    assert graph.number_of_edges() == len(model.machines[-1].edges)


@pytest.mark.parametrize("method", ["locm", "locm2"])
def test_models_are_pickled(method):
    evidence = planning.observe_plans(FERRY)
    model = evidence.induce(method=method, name="ferry")
    evidence.observe_traces([[["sink", "x"]]])
    again = pickle.loads(pickle.dumps(model))
    assert again.to_pddl() == model.to_pddl() and "sink" not in again.to_pddl()
    assert (again.name, again.traces, again.actions, repr(again)) == (model.name, 3, model.actions, repr(model))
    assert pickle.loads(pickle.dumps(again)).explain() == model.explain()


def test_evidence_merges_and_pickles(plans, tmp_path):
    parts = [planning.observe_plans([trace]) for trace in FERRY]
    merged = onlooker.TraceEvidence()
    for part in reversed(parts):
        merged.merge(pickle.loads(pickle.dumps(part)))
    assert merged.induce().to_pddl() == onlooker.locm(FERRY).to_pddl()
    merged.save(tmp_path / "traces.evidence.gz")
    assert onlooker.TraceEvidence.load(tmp_path / "traces.evidence.gz").steps == 9


def test_wrong_plans_have_their_place(tmp_path):
    path = tmp_path / "wrong.txt"
    path.write_text("(board a b)\n(debark a\n")
    with pytest.raises(onlooker.PlanError) as caught:
        onlooker.locm(path)
    assert (caught.value.file, caught.value.line) == (str(path), 2) and caught.value.column
    with pytest.raises(onlooker.PlanError, match="at least one trace"):
        onlooker.locm([])


def test_unified_planning_reads_the_domain_and_its_plans_are_learnt_from():
    pytest.importorskip("unified_planning")
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.shortcuts import get_environment

    get_environment().credits_stream = None
    model = onlooker.locm(FERRY)
    assert {action.name for action in model.to_unified_planning().actions} >= {"board", "debark"}
    plan = planning.trace_of(FERRY[2])
    problem = model.to_unified_planning(plan)
    solved = planning.to_unified_plan(model, problem, plan)
    assert len(solved.actions) == 4
    assert SequentialPlanValidator().validate(problem, solved)
    assert planning.trace_of(solved) == plan
    assert onlooker.locm([solved, *FERRY[:2]]).to_pddl() == model.to_pddl()
