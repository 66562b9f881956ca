//! What `--version` tells: the version, and what was compiled in.

use std::sync::LazyLock;

use queens::known;
use queens::method::MethodName;
use queens::method::join::Kernel;

/// The text of `--version`, after the program's name.
pub static LONG: LazyLock<String> = LazyLock::new(|| {
    let methods: Vec<String> = MethodName::ALL
        .iter()
        .map(|name| name.to_string())
        .collect();
    format!(
        "{}\nrevision: {}\ntarget: {}\ncompiler: {}\ncompiler flags: {}\nmethods: {}\n\
         kernels of this machine: {} (auto takes {})\n\
         published totals: n = 1 to {}",
        env!("CARGO_PKG_VERSION"),
        env!("QUEENS_REVISION"),
        env!("QUEENS_TARGET"),
        env!("QUEENS_COMPILER"),
        env!("QUEENS_FLAGS"),
        methods.join(", "),
        Kernel::here().join(", "),
        Kernel::best(),
        known::TABLE.len(),
    )
});
