//! Chooses whether the kernels for x86-64 are compiled, and tells the program what it was built
//! with, for `--version` and for records of timing runs.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // QUEENS_PORTABLE leaves them out, as on any other processor: for tests of that case.
    println!("cargo::rerun-if-env-changed=QUEENS_PORTABLE");
    let x86 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    if x86 && env::var_os("QUEENS_PORTABLE").is_none() {
        println!("cargo::rustc-cfg=queens_x86_kernels");
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=Cargo.toml");
    for state in [".git/HEAD", ".git/index"] {
        if Path::new(state).exists() {
            println!("cargo::rerun-if-changed={state}");
        }
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiler = output(Command::new(rustc).arg("--version"));
    // Outside a checkout (a package from a registry) there is no revision.
    let in_checkout = Path::new(".git").exists();
    let revision = in_checkout
        .then(|| output(Command::new("git").args(["describe", "--always", "--dirty"])))
        .flatten();
    let mut flags = format!(
        "-C opt-level={}",
        env::var("OPT_LEVEL").expect("cargo sets it")
    );
    for flag in env::var("CARGO_ENCODED_RUSTFLAGS")
        .unwrap_or_default()
        .split('\x1f')
    {
        flags = format!("{flags} {flag}");
    }
    let target = env::var("TARGET").expect("cargo sets TARGET");
    println!("cargo::rustc-env=QUEENS_TARGET={target}");
    println!(
        "cargo::rustc-env=QUEENS_COMPILER={}",
        compiler.as_deref().unwrap_or("unknown")
    );
    println!(
        "cargo::rustc-env=QUEENS_REVISION={}",
        revision.as_deref().unwrap_or("none")
    );
    println!("cargo::rustc-env=QUEENS_FLAGS={}", flags.trim_end());
}

fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
