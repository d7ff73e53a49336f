//! `onlooker locm`

use crate::{Done, output, report};
use anyhow::{Context, Result, bail};
use onlooker::explain::{model_svg, model_text};
use onlooker::export::model_dot;
use onlooker::locm::{Action, Domain, Evidence, Machine, Method, Model, Options, PlanLine, PlanReader, induce};
use onlooker::observe::Decompressor;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufReader, IsTerminal, Write};
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
                        onlooker locm plans.txt --problem 1"
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
    let evidence = gather(&args)?;
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
        let plan = nth(&args.plans, number)?;
        let problem = Domain::new(&model, &args.name).problem(&format!("{}-{number}", args.name), &plan);
        write_out(&args, &problem.map_err(|rejection| anyhow::anyhow!("trace {number}: {rejection}"))?)?;
        return Ok(Done::Holds);
    }
    let format = args.format.unwrap_or_else(|| match &args.output {
        Some(path) => Format::of_path(path),
        None if std::io::stdout().is_terminal() => Format::Text,
        None => Format::Pddl,
    });
    if !args.json || args.output.is_some() {
        write_out(&args, &told(&model, format, &args.name))?;
    }
    if args.json {
        output::line(summary(&model, seconds))?;
    } else if format != Format::Text {
        model.notes.iter().for_each(|note| eprintln!("{}", model.note_text(note)));
    }
    Ok(Done::Holds)
}

fn told(model: &Model, format: Format, name: &str) -> String {
    match format {
        Format::Pddl => Domain::new(model, name).to_string(),
        Format::Text => model_text(model),
        Format::Dot => model_dot(model),
        Format::Svg => model_svg(model),
    }
}

fn write_out(args: &Args, text: &str) -> Result<()> {
    let place = || args.output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string());
    let mut out = output::create(args.output.as_deref())?;
    let written = out.write_all(text.as_bytes()).and_then(|()| output::finish(out));
    written.with_context(|| format!("cannot write to {}", place()))
}

/// What all plans and all saved evidence show together.
fn gather(args: &Args) -> Result<Evidence> {
    if args.plans.is_empty() && args.evidence.is_empty() {
        bail!("there is nothing to learn from, expected plans or --evidence");
    }
    let mut evidence = if args.statics { Evidence::with_statics() } else { Evidence::default() };
    for path in &args.evidence {
        let name = path.display();
        let saved = Evidence::read(BufReader::new(open(path, "saved evidence")?));
        let saved = saved.with_context(|| format!("{name} is not saved evidence of traces"))?;
        if args.statics && !saved.has_statics() {
            bail!("{name} was saved without --statics, expected evidence that was saved with it");
        }
        evidence.merge(saved).map_err(|(refused, _)| anyhow::anyhow!("{name}: {refused}"))?;
    }
    for path in &args.plans {
        observe(&mut evidence, path)?;
    }
    Ok(evidence)
}

fn open(path: &Path, what: &str) -> Result<Decompressor<File>> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a directory, expected {what}");
    }
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    Decompressor::new(file).with_context(|| format!("cannot read {name}"))
}

fn observe(evidence: &mut Evidence, path: &Path) -> Result<()> {
    let mut plans = PlanReader::new(open(path, "plans")?);
    let mut watcher = evidence.watch();
    loop {
        match plans.advance().map_err(|error| report::plan(path, &error))? {
            None => return Ok(()),
            Some(PlanLine::End) => watcher.end(),
            Some(PlanLine::Action) => {
                let (name, arguments) = plans.action();
                watcher.see(name, arguments).map_err(|refused| report::plan(path, &plans.refuse(refused)))?;
            }
        }
    }
}

/// The N-th trace of all plans.
fn nth(paths: &[PathBuf], number: u64) -> Result<Vec<Action>> {
    let mut left = number;
    for path in paths {
        for trace in PlanReader::new(open(path, "plans")?) {
            let trace = trace.map_err(|error| report::plan(path, &error))?;
            left -= 1;
            if left == 0 {
                return Ok(trace);
            }
        }
    }
    bail!("there is no trace {number}, expected a number from 1 to {}", number - left)
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
