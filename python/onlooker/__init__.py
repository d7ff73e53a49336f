"""Onlooker watches board games being played, learns their rules, and plays them.

>>> import onlooker
>>> game = onlooker.game("tic-tac-toe")
>>> state = game.initial_state()
>>> state.play("b2")
>>> print(state)
 3  . . .
 2  . X .
 1  . . .
    a b c
>>> [str(move) for move in state.legal_moves()][:3]
['a1', 'b1', 'c1']
>>> lesson = onlooker.learn(onlooker.simulate_bytes("breakthrough", 20))
>>> print(lesson.rules.movements[0].expression)
forward(empty) | forward-diagonal(empty | enemy)

``onlooker.dask`` learns on many machines; ``onlooker.pettingzoo``, ``onlooker.gymnasium`` and ``onlooker.openspiel`` are
environments for other people's players; ``onlooker.planning`` makes planning domains of plans.
"""

from __future__ import annotations

from . import errors, records
from ._learn import LearningCurve, learn, learning_curve, observe
from ._onlooker import (
    Agent,
    Automaton,
    CheckReport,
    Choice,
    Concepts,
    Ending,
    Evidence,
    Game,
    LearntPiece,
    Lesson,
    Machine,
    MatchResult,
    Measures,
    Move,
    Movement,
    OpponentModel,
    PlanningModel,
    Playouts,
    Rules,
    SimulationReport,
    State,
    States,
    Tactics,
    TraceEvidence,
    __version__,
    check,
    concepts,
    curves_svg,
    game,
    game_log,
    games,
    infer_moves,
    match,
    observe_game,
    read_plans,
    simulate,
    simulate_bytes,
    tactics,
)
from .errors import (
    AgentError,
    ConceptsError,
    Error,
    EvidenceError,
    IllegalMove,
    LogError,
    NoRules,
    OpponentError,
    PlanError,
    RulesError,
    SheetError,
    TacticsError,
    TooLarge,
    UnknownGame,
)
from .planning import locm
from .records import Record, log_of, records_of_boards

__all__ = [
    "Agent", "AgentError", "Automaton", "CheckReport", "Choice", "Concepts", "ConceptsError", "Ending", "Error", "Evidence",
    "EvidenceError", "Game", "IllegalMove", "LearningCurve", "LearntPiece", "Lesson", "LogError", "Machine", "MatchResult",
    "Measures", "Move", "Movement", "NoRules", "OpponentError", "OpponentModel", "PlanError", "PlanningModel", "Playouts",
    "Record", "Rules", "RulesError", "SheetError", "SimulationReport", "State", "States", "Tactics", "TacticsError", "TooLarge", "TraceEvidence",
    "UnknownGame", "__version__", "check", "concepts", "curves_svg", "errors", "game", "game_log", "games", "infer_moves",
    "learn", "learning_curve", "locm", "log_of", "match", "observe", "observe_game", "read_plans", "records",
    "records_of_boards", "simulate", "simulate_bytes", "tactics",
]
