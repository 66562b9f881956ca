//! A long list that every thread reads here and there, in large pages of memory where the system
//! has them: with small ones, finding the place of a page costs as much as reading what is there.

use std::ops::Deref;

use memmap2::{MmapMut, MmapOptions};

/// The size of a large page, and what it must be aligned to, on the machines that we know of.
const PAGE: usize = 2 << 20;
/// Bytes of a mask.
const MASK: usize = size_of::<u64>();

/// A list of masks that grows within bounds.
pub(super) struct LongList {
    memory: MmapMut,
    /// Where in the memory the list begins and ends, in bytes.
    start: usize,
    end: usize,
}

impl LongList {
    /// An empty list for at most so many masks. Memory is taken only as the list grows.
    ///
    /// # Panics
    ///
    /// If there is no memory for it, as the growing of a vector would.
    pub fn new(most: usize) -> LongList {
        // A page more leaves room for alignment, and the last page is a whole one.
        let bytes = (MASK * most).next_multiple_of(PAGE) + PAGE;
        let mut options = MmapOptions::new();
        options.len(bytes).no_reserve_swap();
        let memory = options.map_anon().expect("memory for the outer lists");
        // A wish: where it is not granted, the list is as right in small pages.
        #[cfg(target_os = "linux")]
        if MASK * most >= PAGE {
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        let start = memory.as_ptr().align_offset(PAGE) % PAGE;
        LongList {
            memory,
            start,
            end: start,
        }
    }

    /// Appends masks.
    pub fn append(&mut self, masks: &[u64]) {
        let end = self.end + size_of_val(masks);
        self.memory[self.end..end].copy_from_slice(bytemuck::cast_slice(masks));
        self.end = end;
    }
}

impl Deref for LongList {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        bytemuck::cast_slice(&self.memory[self.start..self.end])
    }
}
