//! What a time depends on besides the program's source: the machine, and how the program was
//! built.

use std::fmt;

use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine and the build, as they stand in every record.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    processor: String,
    physical_cores: usize,
    pub logical_cores: usize,
    memory_bytes: u64,
    /// The operating system, and the version of its kernel.
    os: String,
    version: &'static str,
    /// The git revision; "none" where the program was not built in a checkout.
    revision: &'static str,
    target: &'static str,
    compiler: &'static str,
    compiler_flags: &'static str,
}

impl Machine {
    /// The fields' names, in order.
    pub const FIELDS: &str = "processor,physical_cores,logical_cores,memory_bytes,os,\
        version,revision,target,compiler,compiler_flags";

    /// This machine.
    pub fn this() -> Machine {
        let facts = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(facts);
        let unknown = || "unknown".to_owned();
        let processor = system.cpus().first().map(|core| core.brand().trim());
        let processor = processor.filter(|brand| !brand.is_empty());
        let os = System::long_os_version().unwrap_or_else(unknown);
        let kernel = System::kernel_version().unwrap_or_else(unknown);
        Machine {
            processor: processor.map_or_else(unknown, str::to_owned),
            physical_cores: num_cpus::get_physical(),
            logical_cores: num_cpus::get(),
            memory_bytes: system.total_memory(),
            os: format!("{os}, kernel {kernel}"),
            version: env!("CARGO_PKG_VERSION"),
            revision: env!("QUEENS_REVISION"),
            target: env!("QUEENS_TARGET"),
            compiler: env!("QUEENS_COMPILER"),
            compiler_flags: env!("QUEENS_FLAGS"),
        }
    }

    /// What a picture has room for.
    #[cfg(feature = "plot")]
    pub fn short(&self) -> String {
        format!(
            "{}, {} cores; queens {} (revision {})",
            self.processor, self.physical_cores, self.version, self.revision
        )
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {} cores ({} logical), {:.1} GiB, {}; queens {} (revision {}), {}, {}, flags {}",
            self.processor,
            self.physical_cores,
            self.logical_cores,
            self.memory_bytes as f64 / (1u64 << 30) as f64,
            self.os,
            self.version,
            self.revision,
            self.target,
            self.compiler,
            self.compiler_flags,
        )
    }
}
