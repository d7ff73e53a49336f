"""Automata as graphs of networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._onlooker import Automaton, Machine


def automaton_graph(automaton: Automaton) -> Any:
    """The automaton of a movement as a ``networkx.MultiDiGraph``.

    Nodes are the numbers of states, 0 is the start; ``accepting`` says whether a move may end there. Each edge has a ``label``.
    """
    import networkx

    graph = networkx.MultiDiGraph(piece=automaton.piece, whose=automaton.whose, start=0)
    for state, accepting in enumerate(automaton.accepting):
        graph.add_node(state, accepting=accepting)
    for before, after, lines in automaton.edges:
        for line in lines:
            graph.add_edge(before, after, label=line)
    return graph


def machine_graph(machine: Machine) -> Any:
    """A machine of a planning model as a ``networkx.MultiDiGraph``: nodes are names of states, edges have a ``label``."""
    import networkx

    graph = networkx.MultiDiGraph(name=machine.name, sort=machine.sort)
    names = [name for name, _, _, _ in machine.states]
    for name, parameters, initial, final in machine.states:
        graph.add_node(name, parameters=parameters, initial=initial, final=final)
    for before, after, transition in machine.edges:
        graph.add_edge(names[before], names[after], label=transition)
    return graph
