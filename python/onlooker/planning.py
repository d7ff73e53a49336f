"""Planning domains from plans, and problems of the unified-planning library."""

from __future__ import annotations

import os
from typing import Any, Iterable, List, Optional, Sequence, Union

from ._onlooker import PlanningModel, TraceEvidence
from .errors import PlanError

#: An action as text, as in "(stack a b)" or "stack a b", or as a name and its arguments.
Action = Union[str, Sequence[str]]


def action_of(action: Any) -> List[str]:
    """An action as a list of its name and its arguments; actions of unified-planning are understood too."""
    if isinstance(action, str):
        words = action.strip().strip("()").replace("(", " ").replace(",", " ").replace(")", " ").split()
        if not words:
            raise PlanError(f"found {action!r}, expected an action as in '(stack a b)'")
        return words
    if hasattr(action, "actual_parameters"):
        return [action.action.name, *(str(parameter) for parameter in action.actual_parameters)]
    return [str(word) for word in action]


def trace_of(plan: Any) -> List[List[str]]:
    """A plan as a list of actions: a plan of unified-planning, a text with an action a line, or any iterable of actions."""
    if hasattr(plan, "actions"):
        plan = plan.actions
    if isinstance(plan, str):
        plan = [line for line in plan.splitlines() if line.strip()]
    return [action_of(action) for action in plan]


def _is_file(plan: Any) -> bool:
    return isinstance(plan, os.PathLike) or hasattr(plan, "read") or (isinstance(plan, str) and "(" not in plan and "\n" not in plan)


def observe_plans(plans: Any, *, statics: bool = False) -> TraceEvidence:
    """The evidence of plans: paths to files of them, or traces."""
    evidence = TraceEvidence(statics=statics)
    if isinstance(plans, TraceEvidence):
        evidence.merge(plans)
        return evidence
    if _is_file(plans) or isinstance(plans, bytes):
        plans = [plans]
    if isinstance(plans, str) or hasattr(plans, "actions"):
        plans = [plans]
    plans = list(plans)
    # A single trace: its members are actions.
    if plans and all(isinstance(one, str) and one.strip().startswith("(") and "\n" not in one for one in plans):
        plans = [plans]
    files = [plan for plan in plans if _is_file(plan) or isinstance(plan, bytes)]
    traces = [trace_of(plan) for plan in plans if not (_is_file(plan) or isinstance(plan, bytes))]
    if files:
        evidence.observe(files)
    if traces:
        evidence.observe_traces(traces)
    return evidence


def locm(
    plans: Any, *, method: str = "locm2", statics: bool = False, budget: int = 100_000, name: str = "learnt"
) -> PlanningModel:
    """Induces a planning domain from plans (LOCM, LOCM2).

    ``plans`` are paths to files of plans; or traces, each a list of actions such as ``"(stack a b)"`` or ``("stack", "a", "b")``, or
    a plan of unified-planning; or :class:`TraceEvidence`.
    """
    return observe_plans(plans, statics=statics).induce(method=method, budget=budget, name=name)


def to_unified_planning(model: PlanningModel, plan: Optional[Any] = None) -> Any:
    """A problem of unified-planning: that which ``plan`` solves, or without a plan one without objects."""
    from unified_planning.io import PDDLReader

    reader = PDDLReader()
    if plan is None:
        return reader.parse_problem_string(model.to_pddl())
    return reader.parse_problem_string(model.to_pddl(), model.problem(trace_of(plan)))


def to_unified_plan(model: PlanningModel, problem: Any, plan: Any) -> Any:
    """A plan as a ``SequentialPlan`` of a problem that :func:`to_unified_planning` made: for validators and simulators."""
    from unified_planning.io import PDDLReader

    return PDDLReader().parse_plan_string(problem, model.plan_text(trace_of(plan)))


def check_plans(model: PlanningModel, plans: Iterable[Any]) -> List[Optional[str]]:
    """For each plan why the model does not accept it, or ``None``."""
    return [model.rejection(trace_of(plan)) for plan in plans]
