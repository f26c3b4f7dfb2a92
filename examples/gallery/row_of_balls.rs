//! Four balls: table 1 of Stewart and Trinkle (1996).

use crate::balls::{four_balls, measures};
use crate::page::Page;

/// h, then velocity error, position error and variation as printed, then by an independent implementation.
const TABLE: [(f64, [f64; 3], [f64; 3]); 4] = [
    (0.02, [0.5050, 0.2505, 19.4046], [0.4957, 0.2509, 19.4110]),
    (0.01, [0.3523, 0.2015, 19.1728], [0.3507, 0.2008, 19.1754]),
    (0.005, [0.1657, 0.0838, 19.1702], [0.1649, 0.0831, 19.1698]),
    (0.0025, [0.0700, 0.0298, 19.0862], [0.0650, 0.0331, 19.0870]),
];

pub fn page() -> Page {
    let mut page = Page::default();
    let finest = 0.00125;
    let fine = four_balls(finest);
    page.heads(&[
        "h",
        "velocity error, paper",
        "ours",
        "position error, paper",
        "ours",
        "variation, paper",
        "ours",
    ]);
    for (h, printed, independent) in TABLE {
        let ours = measures(h, finest, &fine);
        let mut cells = vec![h.to_string()];
        for i in 0..3 {
            cells.extend([format!("{:.4}", printed[i]), format!("{:.4}", ours[i])]);
            // Two implementations of one scheme differ by this much, ours is between or beside them.
            let spread = (printed[i] - independent[i]).abs() + 1e-4;
            let off = (ours[i] - independent[i]).abs();
            page.hold(off <= spread, format!("h {h}: {} for {}", ours[i], independent[i]));
        }
        page.row(&cells);
    }
    page.columns(&["t", "x1", "z1", "x2", "x3", "x4"]);
    for (k, q) in fine.0.iter().enumerate().step_by(8) {
        page.line(&[k as f64 * finest, q[0], q[2], q[6], q[12], q[18]]);
    }
    page
}
