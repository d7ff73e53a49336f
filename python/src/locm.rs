//! Planning models from action traces (LOCM, LOCM2).

use crate::errors::{Failure, Trouble};
use crate::evidence::OneOrMany;
use crate::input::{Input, number};
use crate::output;
use crate::work;
use onlooker::explain::{model_svg, model_text};
use onlooker::export::model_dot;
use onlooker::locm::{Action, Domain, Evidence, Method, Model, Options, PlanLine, PlanReader, induce};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All that induction needs of the traces that were seen.
#[pyclass(frozen, module = "onlooker", name = "TraceEvidence")]
pub struct PyTraceEvidence(Arc<Mutex<Evidence>>);

/// A trace: actions, each a name and its arguments.
type Trace = Vec<Vec<String>>;

fn lock(evidence: &Mutex<Evidence>) -> MutexGuard<'_, Evidence> {
    evidence.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start(statics: bool) -> Evidence {
    if statics { Evidence::with_statics() } else { Evidence::default() }
}

fn actions(trace: &[Vec<String>]) -> Result<Vec<Action>, Trouble> {
    let action = |(step, words): (usize, &Vec<String>)| match words.split_first() {
        Some((name, arguments)) => {
            Ok(Action::new(name.to_lowercase(), arguments.iter().map(|a| a.to_lowercase()).collect::<Vec<_>>()))
        }
        None => Err(Trouble::new("PlanError", format!("step {}: found an action without a name", step + 1))),
    };
    trace.iter().enumerate().map(action).collect()
}

fn observe_file(evidence: &mut Evidence, input: &Input, task: &work::Task) -> Result<(), Failure> {
    let mut plans = PlanReader::new(input.open()?);
    let mut watcher = evidence.watch();
    let (name, mut lines) = (input.name(), 0u32);
    let refuse = |error| Failure::from(Trouble::plan(&error).in_file(name.as_deref()));
    loop {
        lines = lines.wrapping_add(1);
        if lines.is_multiple_of(1024) && task.is_stopped() {
            return Err(Failure::Stopped);
        }
        match plans.advance().map_err(refuse)? {
            None => return Ok(()),
            Some(PlanLine::End) => watcher.end(),
            Some(PlanLine::Action) => {
                let (name, arguments) = plans.action();
                watcher.see(name, arguments).map_err(|refused| refuse(plans.refuse(refused)))?;
            }
        }
    }
}

impl PyTraceEvidence {
    fn add(
        &self,
        py: Python<'_>,
        gather: impl FnOnce(&mut Evidence, &work::Task) -> Result<(), Failure> + Send + 'static,
    ) -> PyResult<()> {
        let own = Arc::clone(&self.0);
        work::run(py, None, move |task| {
            // Gathered apart, so that what fails or is interrupted adds nothing.
            let mut more = start(lock(&own).has_statics());
            gather(&mut more, task)?;
            let merged = lock(&own).merge(more).map_err(|(refused, _)| Trouble::new("PlanError", refused.to_string()));
            Ok(merged?)
        })
    }
}

#[pymethods]
impl PyTraceEvidence {
    #[new]
    #[pyo3(signature = (*, statics = false))]
    fn new(statics: bool) -> PyTraceEvidence {
        PyTraceEvidence(Arc::new(Mutex::new(start(statics))))
    }

    #[getter]
    fn traces(&self) -> u64 {
        lock(&self.0).traces()
    }

    #[getter]
    fn steps(&self) -> u64 {
        lock(&self.0).steps()
    }

    /// Adds the traces of files of plans.
    fn observe(&self, py: Python<'_>, plans: OneOrMany) -> PyResult<()> {
        let inputs: Vec<Input> = plans.into();
        self.add(py, move |more, task| inputs.iter().try_for_each(|input| observe_file(more, input, task)))
    }

    /// Adds traces: each a list of actions, each a list of a name and its arguments.
    fn observe_traces(&self, py: Python<'_>, traces: Vec<Trace>) -> PyResult<()> {
        self.add(py, move |more, task| {
            for (number, trace) in traces.iter().enumerate() {
                if task.is_stopped() {
                    return Err(Failure::Stopped);
                }
                let refused = more.observe(&actions(trace)?);
                refused.map_err(|(step, refused)| {
                    Trouble::new("PlanError", format!("trace {}, step {}: {refused}", number + 1, step + 1))
                })?;
            }
            Ok(())
        })
    }

    /// Adds what another evidence has seen. The order makes no difference.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, PyTraceEvidence>) -> PyResult<()> {
        let more = lock(&other.get().0).clone();
        lock(&self.0).merge(more).map_err(|(refused, _)| Trouble::new("PlanError", refused.to_string()).raise(py))
    }

    /// Writes the evidence to a file, as the command line does.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| lock(&self.0).write(out))
    }

    /// Reads saved evidence.
    #[staticmethod]
    fn load(py: Python<'_>, path: Input) -> PyResult<PyTraceEvidence> {
        let read = work::run(py, None, move |_| {
            let read = Evidence::read(BufReader::new(path.open()?));
            read.map_err(|error| Trouble::saved(&error).in_file(path.name().as_deref()).into())
        })?;
        Ok(PyTraceEvidence(Arc::new(Mutex::new(read))))
    }

    /// Induces a model.
    #[pyo3(signature = (*, method = "locm2", budget = 100_000, name = "learnt"))]
    fn induce(
        &self,
        py: Python<'_>,
        method: &str,
        #[pyo3(from_py_with = number)] budget: u64,
        name: &str,
    ) -> PyResult<PyPlanningModel> {
        let method = match method {
            "locm" => Method::Locm,
            "locm2" => Method::Locm2,
            other => {
                let message = format!("found method {other:?}, expected 'locm' or 'locm2'");
                return Err(Trouble::new("Error", message).raise(py));
            }
        };
        let own = Arc::clone(&self.0);
        let (model, evidence) = work::run(py, None, move |task| {
            // As it is now: more may be added to it later.
            let evidence = lock(&own).clone();
            if evidence.traces() == 0 {
                return Err(
                    Trouble::new("PlanError", "there is nothing to learn from, expected at least one trace").into()
                );
            }
            let options = Options { method, budget, statics: evidence.has_statics() };
            let model = induce(&evidence, &options, &task.stop);
            if task.is_stopped() { Err(Failure::Stopped) } else { Ok((model, evidence)) }
        })?;
        let (model, evidence) = (Arc::new(model), Arc::new(evidence));
        Ok(PyPlanningModel { model, name: name.to_owned(), evidence, method, budget })
    }

    fn __repr__(&self) -> String {
        let evidence = lock(&self.0);
        format!("<TraceEvidence: {} traces, {} steps>", evidence.traces(), evidence.steps())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("TraceEvidence")?.getattr("load")?;
        let mut out = Vec::new();
        lock(&self.0).write(&mut out)?;
        Ok((make, (PyBytes::new(py, &out),).into_pyobject(py)?))
    }
}

/// A planning model: sorts of objects, and the states that they go through.
#[pyclass(frozen, module = "onlooker", name = "PlanningModel")]
pub struct PyPlanningModel {
    model: Arc<Model>,
    /// What the domain is called.
    #[pyo3(get)]
    name: String,
    /// What it was induced from, and how: the same gives the same model again, which is how it is pickled.
    evidence: Arc<Evidence>,
    method: Method,
    budget: u64,
}

/// The states that objects of a sort go through.
#[pyclass(frozen, module = "onlooker", name = "Machine", get_all)]
pub struct PyMachine {
    name: String,
    /// Whose states these are; `None` for the imagined object that takes part in all actions.
    sort: Option<String>,
    /// Name, sorts of what is remembered, whether objects begin here, whether they end here.
    states: Vec<(String, Vec<String>, bool, bool)>,
    /// The numbers of two states, and the transition between them, as in `stack.1`.
    edges: Vec<(usize, usize, String)>,
    /// Transitions that may follow each other and never did.
    unseen: Vec<(String, String)>,
}

#[pymethods]
impl PyMachine {
    /// The machine as a `networkx.MultiDiGraph`.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("onlooker.graphs")?.call_method1("machine_graph", (slf,))
    }

    fn __len__(&self) -> usize {
        self.states.len()
    }

    fn __repr__(&self) -> String {
        format!("<Machine {}: {} states, {} transitions>", self.name, self.states.len(), self.edges.len())
    }
}

#[pymethods]
impl PyPlanningModel {
    /// The domain in PDDL.
    fn to_pddl(&self) -> String {
        Domain::new(&self.model, &self.name).to_string()
    }

    /// The problem that a plan solves, in PDDL: objects, the states in which they begin, those in which they end.
    #[pyo3(signature = (plan, name = None))]
    fn problem(&self, py: Python<'_>, plan: Trace, name: Option<&str>) -> PyResult<String> {
        let plan = actions(&plan).map_err(|trouble| trouble.raise(py))?;
        let own = format!("{}-1", self.name);
        let problem = Domain::new(&self.model, &self.name).problem(name.unwrap_or(&own), &plan);
        problem.map_err(|rejection| Trouble::new("PlanError", rejection.to_string()).raise(py))
    }

    /// A problem of the unified-planning library: that which a plan solves, or without a plan one without objects.
    #[pyo3(signature = (plan = None))]
    fn to_unified_planning<'py>(slf: &Bound<'py, Self>, plan: Option<Trace>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("onlooker.planning")?.call_method1("to_unified_planning", (slf, plan))
    }

    /// A plan in the actions of the domain, as PDDL writes it.
    fn plan_text(&self, py: Python<'_>, plan: Trace) -> PyResult<String> {
        let plan = actions(&plan).map_err(|trouble| trouble.raise(py))?;
        let text = Domain::new(&self.model, &self.name).plan(&plan);
        text.map_err(|rejection| Trouble::new("PlanError", rejection.to_string()).raise(py))
    }

    /// Whether the model accepts a plan.
    fn accepts(&self, py: Python<'_>, plan: Trace) -> PyResult<bool> {
        Ok(self.rejection(py, plan)?.is_none())
    }

    /// Why the model does not accept a plan, if so.
    fn rejection(&self, py: Python<'_>, plan: Trace) -> PyResult<Option<String>> {
        let plan = actions(&plan).map_err(|trouble| trouble.raise(py))?;
        Ok(self.model.accepts(&plan).err().map(|rejection| rejection.to_string()))
    }

    /// The sorts of objects.
    #[getter]
    fn sorts(&self) -> Vec<String> {
        self.model.sorts.iter().map(|sort| sort.name.clone()).collect()
    }

    /// The actions with the sorts of their objects, and how often each was seen.
    #[getter]
    fn actions(&self) -> Vec<(String, Vec<String>, u64)> {
        let sort = |sort: &onlooker::locm::SortId| self.model.sorts[sort.index()].name.clone();
        let actions = self.model.actions.iter();
        actions.map(|action| (action.name.clone(), action.sorts.iter().map(sort).collect(), action.count)).collect()
    }

    /// The machines.
    #[getter]
    fn machines(&self) -> Vec<PyMachine> {
        let model = &self.model;
        let machine = |machine: &onlooker::locm::Machine| PyMachine {
            name: machine.name.clone(),
            sort: machine.sort.map(|sort| model.sorts[sort.index()].name.clone()),
            states: (machine.states.iter())
                .map(|state| {
                    let remembered = state.parameters.iter().map(|p| model.sorts[p.sort.index()].name.clone());
                    (state.name.clone(), remembered.collect(), state.is_initial, state.is_final)
                })
                .collect(),
            edges: (machine.edges.iter())
                .map(|edge| (edge.from.index(), edge.to.index(), model.transition_name(edge.transition)))
                .collect(),
            unseen: (machine.unseen.iter())
                .map(|&(a, b)| (model.transition_name(a), model.transition_name(b)))
                .collect(),
        };
        model.machines.iter().map(machine).collect()
    }

    /// What was left out, and why.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.model.notes.iter().map(|note| self.model.note_text(note)).collect()
    }

    #[getter]
    fn traces(&self) -> u64 {
        self.model.traces
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.model.steps
    }

    /// The machines in words.
    fn explain(&self) -> String {
        model_text(&self.model)
    }

    /// The machines for Graphviz.
    fn to_dot(&self) -> String {
        model_dot(&self.model)
    }

    /// Writes the domain in PDDL to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| std::io::Write::write_all(out, self.to_pddl().as_bytes()))
    }

    fn __str__(&self) -> String {
        self.to_pddl()
    }

    fn __repr__(&self) -> String {
        let (sorts, actions) = (self.model.sorts.len(), self.model.actions.len());
        format!("<PlanningModel {}: {sorts} sorts, {actions} actions>", self.name)
    }

    fn _repr_svg_(&self) -> String {
        model_svg(&self.model)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_planning_model_of")?;
        let evidence = PyTraceEvidence(Arc::new(Mutex::new((*self.evidence).clone())));
        let method = if self.method == Method::Locm { "locm" } else { "locm2" };
        Ok((make, (Py::new(py, evidence)?, method, self.budget, &self.name).into_pyobject(py)?))
    }
}

/// For pickles.
#[pyfunction]
pub fn _planning_model_of(
    py: Python<'_>,
    evidence: &Bound<'_, PyTraceEvidence>,
    method: &str,
    budget: u64,
    name: &str,
) -> PyResult<PyPlanningModel> {
    evidence.get().induce(py, method, budget, name)
}

/// The traces of a file of plans, as lists of actions.
#[pyfunction]
pub fn read_plans(py: Python<'_>, plans: Input) -> PyResult<Vec<Trace>> {
    work::run(py, None, move |_| {
        let name = plans.name();
        let mut traces = Vec::new();
        for trace in PlanReader::new(plans.open()?) {
            let trace = trace.map_err(|error| Trouble::plan(&error).in_file(name.as_deref()))?;
            let action = |action: Action| std::iter::once(action.name).chain(action.arguments).collect();
            traces.push(trace.into_iter().map(action).collect());
        }
        Ok(traces)
    })
}
