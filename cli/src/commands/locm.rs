//! `onlooker locm`

use crate::file_identity::is_standard_output;
use crate::{Done, input, output, report};
use anyhow::{Context, Result, bail};
use onlooker::explain::{model_svg, model_text};
use onlooker::export::model_dot;
use onlooker::locm::{Action, Domain, Evidence, Machine, Method, Model, Options, PlanLine, PlanReader, induce};
use serde_json::{Value, json};
use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Induce a planning domain from action traces
#[derive(clap::Args)]
#[command(
    after_help = "A plan is an action a line, as in '(stack a b)'; an empty line ends a trace; ';' begins a comment. \
                        Steps may be numbered or timed, as planners write them. Upper and lower case are the same. Objects \
                        of one name are the same object only within a trace.\n\n\
                        Example:\n  onlooker locm plans.txt -o domain.pddl\n  onlooker locm plans.txt --format svg -o machines.svg\n  \
                        onlooker locm plans.txt --problem 1\n  onlooker locm plans.txt --check others.txt"
)]
pub struct Args {
    /// Plans, plain or compressed with gzip or zstd
    plans: Vec<PathBuf>,
    /// Where to write; standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What to write; if left out, text for a terminal, otherwise what the file's name says, otherwise PDDL
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// One machine for each sort of objects, or more for sorts with several aspects
    #[arg(long, value_enum, default_value_t = MethodName::Locm2)]
    method: MethodName,
    /// Look for pairs of objects that never change and ask for them; takes objects of one name for the same in all traces
    #[arg(long)]
    statics: bool,
    /// How many sets of transitions may be tried for each sort before it is left in one piece
    #[arg(long, value_name = "N", default_value_t = Options::default().budget)]
    budget: u64,
    /// What to call the domain
    #[arg(long, default_value = "learnt")]
    name: String,
    /// Write the problem that the N-th trace solves instead of the domain
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["format", "json"])]
    problem: Option<u64>,
    /// Print which of these plans the model accepts, and where the others fail; the exit status is 1 if one does
    #[arg(long, value_name = "PLANS", conflicts_with_all = ["problem", "format"])]
    check: Option<PathBuf>,
    /// Evidence saved by an earlier run, to go on with
    #[arg(long, value_name = "FILE")]
    evidence: Vec<PathBuf>,
    /// Save what was seen, so that a later run can go on with it; a name ending in .gz or .zst compresses it
    #[arg(long, value_name = "FILE")]
    save_evidence: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    Locm,
    Locm2,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Pddl,
    Text,
    Dot,
    Svg,
}

impl Format {
    fn of_path(path: &Path) -> Format {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => Format::Text,
            Some("dot" | "gv") => Format::Dot,
            Some("svg") => Format::Svg,
            _ => Format::Pddl,
        }
    }
}

pub fn run(args: Args) -> Result<Done> {
    let begun = Instant::now();
    check_places(&args)?;
    let (evidence, asked) = gather(&args)?;
    if let Some(path) = &args.save_evidence {
        output::save(path, |out| evidence.write(out))?;
    }
    let method = match args.method {
        MethodName::Locm => Method::Locm,
        MethodName::Locm2 => Method::Locm2,
    };
    let options = Options { method, budget: args.budget, statics: args.statics };
    let model = induce(&evidence, &options, &AtomicBool::new(false));
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(number) = args.problem {
        let plan = match asked {
            Asked::Found(plan) => plan,
            Asked::After(left) => bail!("there is no trace {number}, expected a number from 1 to {}", number - left),
        };
        let problem = Domain::new(&model, &args.name).problem(&format!("{}-{number}", args.name), &plan);
        output::write(
            args.output.as_deref(),
            &problem.map_err(|rejection| anyhow::anyhow!("trace {number}: {rejection}"))?,
        )?;
        return Ok(Done::Holds);
    }
    if let Some(path) = &args.check {
        if args.output.is_some() {
            output::write(args.output.as_deref(), &told(&model, Format::Pddl, &args.name))?;
        }
        return check(&model, path, args.json);
    }
    let format = args.format.unwrap_or_else(|| match &args.output {
        Some(path) => Format::of_path(path),
        None if std::io::stdout().is_terminal() => Format::Text,
        None => Format::Pddl,
    });
    if !args.json || args.output.is_some() {
        output::write(args.output.as_deref(), &told(&model, format, &args.name))?;
    }
    if args.json {
        output::line(summary(&model, seconds))?;
    } else if format != Format::Text {
        model.notes.iter().for_each(|note| eprintln!("{}", model.note_text(note)));
    }
    Ok(Done::Holds)
}

/// Tries plans that the model may not have seen.
fn check(model: &Model, path: &Path, json: bool) -> Result<Done> {
    let (mut plans, mut accepted) = (0_u64, 0_u64);
    for plan in PlanReader::new(input::open(path, "plans")?) {
        let plan = plan.map_err(|error| report::plan(path, &error))?;
        plans += 1;
        let result = model.accepts(&plan);
        accepted += u64::from(result.is_ok());
        if !json {
            output::line(match result {
                Ok(()) => format!("plan {plans}: accepted"),
                Err(rejection) => format!("plan {plans}: {rejection}"),
            })?;
        }
    }
    if json {
        output::line(json!({ "plans": plans, "accepted": accepted }))?;
    } else {
        output::line(format!("{accepted} of {plans} plans accepted"))?;
    }
    Ok(if accepted == plans { Done::Holds } else { Done::DoesNotHold })
}

fn told(model: &Model, format: Format, name: &str) -> String {
    match format {
        Format::Pddl => Domain::new(model, name).to_string(),
        Format::Text => model_text(model),
        Format::Dot => model_dot(model),
        Format::Svg => model_svg(model),
    }
}

/// Refuses places to write to that are something else too. Only evidence may be saved where it was read.
fn check_places(args: &Args) -> Result<()> {
    let result = args.output.as_deref();
    if args.json && result.is_some_and(is_standard_output) {
        bail!("both the model and the JSON object would go to standard output: expected a file for the model");
    }
    let mut outputs = vec![result];
    outputs.extend(args.save_evidence.as_deref().map(Some));
    let read: Vec<&PathBuf> = args.plans.iter().chain(&args.check).collect();
    output::check(&outputs, &read)?;
    output::check(&[result], &args.evidence)
}

/// The trace that is asked for.
enum Asked {
    /// So many further on; never if that is 0.
    After(u64),
    Found(Vec<Action>),
}

/// What all plans and all saved evidence show together, and the trace of the plans that is asked for.
fn gather(args: &Args) -> Result<(Evidence, Asked)> {
    if args.plans.is_empty() && args.evidence.is_empty() {
        bail!("there is nothing to learn from, expected plans or --evidence");
    }
    let mut evidence = if args.statics { Evidence::with_statics() } else { Evidence::default() };
    for path in &args.evidence {
        let name = input::name(path);
        let saved = Evidence::read(BufReader::new(input::open(path, "saved evidence")?));
        let saved = saved.with_context(|| format!("{name} is not saved evidence of traces"))?;
        if args.statics && !saved.has_statics() {
            bail!("{name} was saved without --statics, expected evidence that was saved with it");
        }
        evidence.merge(saved).map_err(|(refused, _)| anyhow::anyhow!("{name}: {refused}"))?;
    }
    let mut asked = Asked::After(args.problem.unwrap_or(0));
    for path in &args.plans {
        observe(&mut evidence, path, &mut asked)?;
    }
    Ok((evidence, asked))
}

fn observe(evidence: &mut Evidence, path: &Path, asked: &mut Asked) -> Result<()> {
    let mut plans = PlanReader::new(input::open(path, "plans")?);
    let mut watcher = evidence.watch();
    let mut trace = Vec::new();
    loop {
        match plans.advance().map_err(|error| report::plan(path, &error))? {
            None => return Ok(()),
            Some(PlanLine::End) => {
                watcher.end();
                match asked {
                    Asked::After(1) => *asked = Asked::Found(std::mem::take(&mut trace)),
                    Asked::After(left) => *left = left.saturating_sub(1),
                    Asked::Found(_) => {}
                }
            }
            Some(PlanLine::Action) => {
                let (name, arguments) = plans.action();
                watcher.see(name, arguments).map_err(|refused| report::plan(path, &plans.refuse(refused)))?;
                if matches!(asked, Asked::After(1)) {
                    let (name, arguments) = plans.action();
                    trace.push(Action { name: name.to_owned(), arguments: arguments.map(str::to_owned).collect() });
                }
            }
        }
    }
}

fn summary(model: &Model, seconds: f64) -> Value {
    let machines: Vec<Value> = model.machines.iter().map(|machine| machine_summary(model, machine)).collect();
    let statics: Vec<Value> = model
        .statics
        .iter()
        .map(|relation| {
            let (k, l) = relation.arguments;
            json!({ "name": relation.name, "action": model.action_name(relation.action), "arguments": [k, l],
                    "pairs": relation.tuples.len() })
        })
        .collect();
    json!({
        "sorts": model.sorts.len(),
        "machines": machines,
        "actions": model.actions.len(),
        "statics": statics,
        "traces": model.traces,
        "steps": model.steps,
        "notes": model.notes.iter().map(|note| model.note_text(note)).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}

fn machine_summary(model: &Model, machine: &Machine) -> Value {
    let state = |number: usize| machine.states[number].name.as_str();
    let states: Vec<Value> = machine
        .states
        .iter()
        .map(|state| {
            let sorts = state.parameters.iter().map(|p| model.sorts[p.sort.index()].name.as_str());
            json!({ "name": state.name, "parameters": sorts.collect::<Vec<_>>(), "initial": state.is_initial,
                    "final": state.is_final })
        })
        .collect();
    let transitions: Vec<Value> = machine
        .edges
        .iter()
        .map(|edge| {
            json!({ "transition": model.transition_name(edge.transition), "from": state(edge.from.index()),
                    "to": state(edge.to.index()) })
        })
        .collect();
    let unseen = machine.unseen.iter().map(|&(a, b)| [model.transition_name(a), model.transition_name(b)]);
    json!({
        "name": machine.name,
        "sort": model.sort_name(machine.sort),
        "states": states,
        "transitions": transitions,
        "unseen": unseen.collect::<Vec<_>>(),
        "removed_parameters": machine.removed.len(),
    })
}
