//! Builds, runs, tests and measures jobsmith: the one door to what is more than `cargo build`.
//!
//! Docs: `README.md` calls it. The component is made in `component.rs`, the program around it in `program.rs`, tests start in `tests.rs` and `soak.rs`, what
//! compares us with Kubernetes in `upstream.rs`. What makes the playground, the bindings and packages is the crate `release`, started in `release.rs`.

mod bench;
mod mutants;
mod release;
mod soak;
mod tests;
mod upstream;

use std::ffi::OsString;
use std::process::ExitCode;

use xtask::workspace::{Profile, Workspace, print_line};
// The modules here find them in the crate, as those of the library do.
use xtask::{cargo, component, program, sources, workspace};

const USAGE: &str = "\
cargo xtask COMMAND

    build [--dist]   build everything: target/release/jobsmith, which carries the component; with --dist as it is shipped, in target/dist
    run [ARGS…]      build, then `jobsmith run ARGS…`
    test [ARGS…]     build, then `cargo test` with ARGS…: the tests that need nothing but Rust
    test AREA        after a change in `controllers`, `host` or `web`: build only what that area needs, and run its tests
    test --all       all tests, with Go, Node, Python and Java; with ARGS…, those; --rest: what `test` leaves out
    soak [PART…]     build, then test for hours: simulation, a year, mutants, histories, faults, memory; see `soak --help`
    mutants [NAME…]  put bugs into the controllers one by one: a test must notice each
    bench [ARGS…]    build, then measure
    component        build the component alone: target/component/controllers.wasm
    package [PART…]  build the packages of the component and the program: target/packages
    web              build the playground, with Node: target/web
    bindings         generate code from the WIT: the types of host/bindings/*, and conversions in crates/*
    zones            write the time zones of schedules from the database: crates/schedule/src/zones.txt

Against Kubernetes itself, with Go; tests/upstream/README.md has the flags. The version is 1.37 unless `--kubernetes 1.36` or the environment variable
KUBERNETES names the other one; `test --all` and `bench` read the variable:

    conformance [-run PATTERN] [-suite job,cronjob] [-- COMMAND…]
                     run Kubernetes' own suites for Jobs and CronJobs, with `jobsmith controller` or COMMAND as the controller
    load [-case large,many,failing,idle,cron] [FLAGS…] [-- COMMAND…]
                     compare its CPU, memory and requests with those of upstream's controller, as a table
    upstream         build the programs that `test --all` needs
    schema           write crates/schema/fields.txt from Kubernetes' own types
    cluster [-run-for 5s] [-fail 0.1] [FLAGS…] [FOLDER]
                     start a real API server with nodes that pretend to run pods, until Ctrl-C";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_line(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: Vec<OsString>) -> anyhow::Result<()> {
    let workspace = Workspace::current()?;
    let command = if arguments.is_empty() { OsString::new() } else { arguments.remove(0) };
    match command.to_str() {
        Some("build") => build(&workspace, &arguments),
        Some("run") => program::run(&workspace, arguments),
        Some("test") => tests::run(&workspace, arguments),
        Some("soak") => soak::run(&workspace, &arguments),
        Some("mutants") => mutants::run(&workspace, &arguments),
        Some("bench") => bench::run(&workspace, arguments),
        Some("conformance") => upstream::conformance(&workspace, arguments),
        Some("load") => upstream::load(&workspace, arguments),
        Some("cluster") => upstream::cluster(&workspace, arguments),
        Some("schema") => upstream::schema(&workspace),
        Some("upstream") => upstream::build_for_tests(&workspace, upstream::Kubernetes::chosen(None)?),
        Some("component") => component::build(&workspace),
        Some(made @ ("bindings" | "package" | "web" | "zones")) => {
            arguments.insert(0, made.into());
            release::run(&workspace, &arguments)
        }
        Some("help" | "--help" | "-h") => {
            print_line(USAGE);
            Ok(())
        }
        _ => anyhow::bail!("there is no such command\n\n{USAGE}"),
    }
}

fn build(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    match arguments {
        [] => program::build(workspace, Profile::Release),
        [dist] if dist == "--dist" => program::build(workspace, Profile::Dist),
        _ => anyhow::bail!("`cargo xtask build` takes nothing but --dist"),
    }
}
