//! Task schemes: what task i of a board stands for must not change under the same version, or
//! parts counted before and after would be added up wrongly.

use queens::Size;
use queens::method::{Cancel, MethodName};

/// A fingerprint of the tasks' counts, in order.
fn fingerprint(name: MethodName, n: u32) -> u32 {
    let method = name.for_size(Size::new(n).unwrap()).unwrap();
    let mut bytes = method.tasks().to_le_bytes().to_vec();
    for task in 0..method.tasks() {
        let count = method.count(task, &Cancel::new()).unwrap();
        bytes.extend(count.solutions.to_le_bytes());
    }
    crc32fast::hash(&bytes)
}

/// Where this fails, tasks have changed: raise the version that `Method::scheme` of the method
/// returns, and put it and the new fingerprints here.
#[test]
fn a_scheme_keeps_its_tasks() {
    let boards = [9, 10, 13, 14];
    for name in MethodName::ALL {
        let (scheme, fingerprints) = match name {
            MethodName::Join => (2, [2209143346, 1583923845, 1228194533, 4144901199]),
            MethodName::Backtrack => (1, [1990401742, 1025108173, 1675357780, 889420332]),
        };
        let method = name.for_size(Size::new(9).unwrap()).unwrap();
        assert_eq!(method.scheme(), scheme, "{name}");
        assert_eq!(boards.map(|n| fingerprint(name, n)), fingerprints, "{name}");
    }
}

/// As many tasks as these at the sizes where counting them all would take too long.
#[test]
fn a_scheme_keeps_its_number_of_tasks() {
    let boards = [17, 18, 20, 27];
    for name in MethodName::ALL {
        let tasks = match name {
            MethodName::Join => [2574, 2702, 2567, 10400600],
            MethodName::Backtrack => [13510, 18132, 30880, 132450],
        };
        let found = boards.map(|n| name.for_size(Size::new(n).unwrap()).unwrap().tasks());
        assert_eq!(found, tasks, "{name}");
    }
}
