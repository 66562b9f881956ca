//! Boards as one picture: an SVG file that needs nothing beside it, no font for the queens either.
//!
//! Empty board and queen are drawn once and used for each board and each queen.

use std::fmt::Write;

use queens::Size;

use super::Board;

/// The side of a square; the queen is drawn for this one.
const SQUARE: usize = 24;
/// The height of the line above a board, for its number.
const CAPTION: usize = 24;
/// The space around and between boards.
const GAP: usize = 24;

const QUEEN: &str = "<g id=\"queen\">\
<path d=\"M5.6 17 3.6 8.6 8.2 12.4 9.2 6.6 12 11.6 14.8 6.6 15.8 12.4 20.4 8.6 18.4 17zM5.4 18h13.2v2.6H5.4z\"/>\
<circle cx=\"3.6\" cy=\"7.4\" r=\"1.5\"/><circle cx=\"9.1\" cy=\"5.2\" r=\"1.5\"/>\
<circle cx=\"14.9\" cy=\"5.2\" r=\"1.5\"/><circle cx=\"20.4\" cy=\"7.4\" r=\"1.5\"/></g>";

/// All the boards in a grid that is about as wide as it is high.
pub fn picture(size: Size, boards: &[Board]) -> String {
    let n = size.get() as usize;
    let side = n * SQUARE;
    let across = boards.len().isqrt();
    let across = (across + usize::from(across * across < boards.len())).max(1);
    let down = boards.len().div_ceil(across).max(1);
    // Wide enough for a caption over the smallest board.
    let (step_x, step_y) = (side.max(6 * SQUARE) + GAP, side + CAPTION + GAP);
    let (width, height) = (GAP + across * step_x, GAP + down * step_y);
    let queens = if n == 1 { "queen" } else { "queens" };
    let title = match boards.len() {
        0 => format!("There is no solution for {n} {queens}"),
        1 => format!("A solution for {n} {queens}"),
        many => format!("{many} solutions for {n} {queens}"),
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"15\">\n\
         <title>{title}</title>\n<defs>\n{}\n{QUEEN}\n</defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        empty_board(n)
    );
    if boards.is_empty() {
        let _ = writeln!(svg, "<text x=\"{GAP}\" y=\"{}\">{title}</text>", 2 * GAP);
    }
    for (index, board) in boards.iter().enumerate() {
        let x = GAP + index % across * step_x;
        let y = GAP + index / across * step_y;
        let class = board
            .class
            .map_or_else(String::new, |size| format!(", class of {size}"));
        let _ = write!(
            svg,
            "<g transform=\"translate({x} {y})\"><text y=\"15\">{}{class}</text>\n\
             <g transform=\"translate(0 {CAPTION})\"><use href=\"#board\"/>\n",
            board.number
        );
        for (row, &column) in board.placement.columns().iter().enumerate() {
            let (x, y) = (usize::from(column) * SQUARE, row * SQUARE);
            let _ = write!(svg, "<use href=\"#queen\" x=\"{x}\" y=\"{y}\"/>");
        }
        svg += "</g></g>\n";
    }
    svg + "</svg>\n"
}

/// A light board with a path of its dark squares, a row a line.
fn empty_board(n: usize) -> String {
    let side = n * SQUARE;
    let mut dark = String::new();
    for row in 0..n {
        for column in (0..n).filter(|column| (row + column) % 2 == 1) {
            let (x, y) = (column * SQUARE, row * SQUARE);
            let _ = write!(dark, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
        }
    }
    format!(
        "<g id=\"board\"><rect width=\"{side}\" height=\"{side}\" fill=\"#f0d9b5\"/>\
         <path fill=\"#b58863\" d=\"{dark}\"/>\
         <rect width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#5c4028\" stroke-width=\"2\"/></g>"
    )
}
