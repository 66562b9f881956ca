//! Boards as text, a function for each way.

use std::fmt::Write;

use anstyle::Ansi256Color;

use super::Board;

/// The columns, on one line.
pub fn columns(board: &Board) -> String {
    format!("{}{}\n", list(board, " "), class(board))
}

/// Row and column of each queen, on one line.
pub fn pairs(board: &Board) -> String {
    let squares = (1..).zip(board.placement.columns());
    let pairs: Vec<_> = squares
        .map(|(row, &column)| format!("({row}, {})", column + 1))
        .collect();
    format!("{}{}\n", pairs.join(" "), class(board))
}

/// The columns as a JSON array; as a part of an object if there is a class to tell.
pub fn json(board: &Board) -> String {
    let columns = list(board, ",");
    match board.class {
        Some(size) => format!("{{\"columns\":[{columns}],\"class\":{size}}}\n"),
        None => format!("[{columns}]\n"),
    }
}

/// A grid of Q and dots.
pub fn letters(board: &Board) -> String {
    let mut text = heading(board);
    for row in squares(board) {
        let row: Vec<_> = row
            .map(|(_, queen)| if queen { "Q" } else { "." })
            .collect();
        text += &row.join(" ");
        text += "\n";
    }
    text
}

/// A checkered board of characters, two for each square, in a frame.
pub fn checkered(board: &Board) -> String {
    let edge = "─".repeat(2 * board.placement.columns().len());
    let mut text = heading(board) + &format!("┌{edge}┐\n");
    for row in squares(board) {
        text += "│";
        text.extend(row.map(|square| match square {
            (Shade::Light, false) => "  ",
            (Shade::Light, true) => "♛ ",
            (Shade::Dark, false) => "░░",
            (Shade::Dark, true) => "♛░",
        }));
        text += "│\n";
    }
    text + &format!("└{edge}┘\n")
}

/// A checkered board in a terminal's colours.
pub fn coloured(board: &Board) -> String {
    let [light, dark] = [223, 137].map(|square| Ansi256Color(16).on(Ansi256Color(square)));
    let mut text = heading(board);
    for row in squares(board) {
        for (shade, queen) in row {
            let style = match shade {
                Shade::Light => light,
                Shade::Dark => dark,
            };
            let queen = if queen { "♛ " } else { "  " };
            let _ = write!(text, "{style}{queen}{style:#}");
        }
        text += "\n";
    }
    text
}

/// The columns, numbered from 1.
fn list(board: &Board, separator: &str) -> String {
    let mut text = String::new();
    for column in board.placement.columns() {
        let before = if text.is_empty() { "" } else { separator };
        let _ = write!(text, "{before}{}", column + 1);
    }
    text
}

fn class(board: &Board) -> String {
    board
        .class
        .map_or_else(String::new, |size| format!(" x{size}"))
}

/// The number of the board, after a free line where another stands above.
fn heading(board: &Board) -> String {
    let above = if board.number == 1 { "" } else { "\n" };
    let class = board
        .class
        .map_or_else(String::new, |size| format!(", class of {size}"));
    format!("{above}Solution {}{class}\n", board.number)
}

enum Shade {
    Light,
    Dark,
}

/// Each row's squares: the shade, light in the top left corner, and whether a queen is there.
fn squares(board: &Board) -> impl Iterator<Item = impl Iterator<Item = (Shade, bool)>> {
    let columns = board.placement.columns();
    columns.iter().enumerate().map(|(row, &queen)| {
        (0..columns.len()).map(move |column| {
            let shade = if (row + column) % 2 == 0 {
                Shade::Light
            } else {
                Shade::Dark
            };
            (shade, column == usize::from(queen))
        })
    })
}
