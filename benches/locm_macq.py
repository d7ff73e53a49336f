"""Times macq's LOCM: reads plans from standard input, prints the seconds that extraction takes."""
import contextlib
import io
import sys
import time

from macq.extract import Extract, modes
from macq.observation import ActionObservation
from macq.trace import Action, PlanningObject, State, Step, Trace, TraceList

traces = TraceList()
for text in sys.stdin.read().split("\n\n"):
    trace = Trace()
    for number, line in enumerate(text.split("\n")):
        words = line.strip("() ").split()
        if words:
            action = Action(words[0], [PlanningObject("", name) for name in words[1:]])
            trace.append(Step(State({}), action, number + 1))
    if len(trace):
        traces.append(trace)
observed = traces.tokenize(ActionObservation)
begin = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    Extract(observed, modes.LOCM)
print(time.perf_counter() - begin)
