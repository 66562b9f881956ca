//! `--plot`: time against n, and speed-up against threads, as an SVG picture.
//!
//! It stands on white, with dark text, so that it can be read on a page of any colour. Series
//! differ in colour, by a palette that colour-blind people can tell apart.

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;

use super::machine::Machine;
use super::record::Record;
use super::table;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The size of a chart with its legend, in pixels; charts stand one above the other.
const CHART: (u32, u32) = (800, 400);
/// The width of the legend, which stands beside the chart and so covers nothing.
const LEGEND: u32 = 220;
/// The height of the line below the charts.
const FOOTER: u32 = 26;
const INK: RGBColor = RGBColor(0x1f, 0x23, 0x28);
const GREY: RGBColor = RGBColor(0x77, 0x7d, 0x84);
const GRID: RGBColor = RGBColor(0xd8, 0xdc, 0xe0);
const FONT: &str = "sans-serif";
/// Okabe and Ito's colours without the yellow, which is too light for lines on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x00, 0x00),
];

/// A chart with linear axes.
struct Chart {
    caption: &'static str,
    x_name: &'static str,
    x: Axis,
    y: Axis,
    y_mark_name: fn(f64) -> String,
    /// A line of reference and its name.
    reference: Option<(&'static str, [(f64, f64); 2])>,
    series: Vec<Series>,
}

/// A linear axis with marks where they are wanted.
#[derive(Clone)]
struct Axis {
    range: Range<f64>,
    marks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        first + (share * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        let is_on = |mark: &f64| (self.range.start..=self.range.end).contains(mark);
        self.marks.iter().copied().filter(is_on).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// A line with its name.
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// The picture of these records, of which there is at least one.
pub fn draw(records: &[Record], machine: &Machine) -> anyhow::Result<String> {
    let charts: Vec<Chart> = [Some(times(records)), speedups(records)]
        .into_iter()
        .flatten()
        .collect();
    let mut svg = String::new();
    draw_charts(&mut svg, &charts, &machine.short())
        .map_err(|error| anyhow!("cannot draw the plot: {error}"))?;
    Ok(svg)
}

/// Time against n, for each method and number of threads. The axis is logarithmic: it shows the
/// power of ten.
fn times(records: &[Record]) -> Chart {
    let mut series: Vec<Series> = Vec::new();
    for record in records {
        let figures = &record.figures;
        let threads = table::threads(figures.threads);
        let name = format!("{}, {threads}", figures.name());
        let point = (f64::from(figures.n), figures.median_seconds.log10());
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series {
                name,
                points: vec![point],
            }),
        }
    }
    let (n, powers) = (extent(&series, |p| p.0), extent(&series, |p| p.1));
    let (low, high) = (powers.start.floor(), powers.end.ceil());
    let high = high.max(low + 1.0);
    Chart {
        caption: "Time to count all solutions",
        x_name: "n",
        x: Axis {
            range: n.start - 0.5..n.end + 0.5,
            marks: (n.start as u32..=n.end as u32).map(f64::from).collect(),
        },
        y: Axis {
            range: low..high,
            marks: (low as i32..=high as i32).map(f64::from).collect(),
        },
        y_mark_name: |power| {
            let power = power.round() as i32;
            let (unit, digits) = match power {
                ..-6 => ("ns", power + 9),
                -6..-3 => ("µs", power + 6),
                -3..0 => ("ms", power + 3),
                0.. => ("s", power),
            };
            format!("{} {unit}", 10f64.powi(digits))
        },
        reference: None,
        series,
    }
}

/// Speed-up against threads, for each method at the largest size where it has run on several;
/// nothing if none has.
fn speedups(records: &[Record]) -> Option<Chart> {
    let methods: BTreeSet<String> = records.iter().map(|r| r.figures.name()).collect();
    let sizes: BTreeSet<u32> = records.iter().map(|record| record.figures.n).collect();
    let points = |method: &str, n| {
        let mut points: Vec<(f64, f64)> = records
            .iter()
            .map(|record| &record.figures)
            .filter(|figures| figures.name() == method && figures.n == n)
            .filter_map(|figures| Some((figures.threads as f64, figures.speedup?)))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        (points.len() > 1).then_some(points)
    };
    let series: Vec<Series> = methods
        .iter()
        .filter_map(|method| {
            let largest = |&n: &u32| points(method, n).map(|points| (n, points));
            let (n, points) = sizes.iter().rev().find_map(largest)?;
            let name = format!("{method}, n = {n}");
            Some(Series { name, points })
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let most = extent(&series, |p| p.0).end;
    let top = most.max(extent(&series, |p| p.1).end);
    let step = (top / 8.0).ceil();
    let marks: Vec<f64> = (0..=8).map(|mark| f64::from(mark) * step).collect();
    Some(Chart {
        caption: "Speed-up over one thread",
        x_name: "threads",
        x: Axis {
            range: 0.0..most * 1.1,
            marks: marks.clone(),
        },
        y: Axis {
            range: 0.0..top * 1.1,
            marks,
        },
        y_mark_name: |speedup| format!("{speedup}"),
        reference: Some(("ideal", [(0.0, 0.0), (most * 1.1, most * 1.1)])),
        series,
    })
}

/// The smallest and the largest of a coordinate.
fn extent(series: &[Series], coordinate: fn(&(f64, f64)) -> f64) -> Range<f64> {
    let values = || series.iter().flat_map(|s| &s.points).map(coordinate);
    values().fold(f64::INFINITY, f64::min)..values().fold(f64::NEG_INFINITY, f64::max)
}

fn draw_charts(svg: &mut String, charts: &[Chart], footer: &str) -> Result<(), Box<dyn Error>> {
    let (width, height) = (CHART.0, CHART.1 * charts.len() as u32);
    let size = (width, height + FOOTER);
    let whole = SVGBackend::with_string(svg, size).into_drawing_area();
    whole.fill(&WHITE)?;
    let (above, below) = whole.split_vertically(height);
    for (chart, area) in charts.iter().zip(above.split_evenly((charts.len(), 1))) {
        draw_chart(&area, chart)?;
    }
    let style = (FONT, 13).into_font().color(&GREY);
    below.draw_text(footer, &style, (16, 2))?;
    whole.present()?;
    Ok(())
}

fn draw_chart(area: &Area, chart: &Chart) -> Result<(), Box<dyn Error>> {
    let (area, legend) = area.split_horizontally(CHART.0 - LEGEND);
    let mut drawn = ChartBuilder::on(&area)
        .caption(chart.caption, (FONT, 18).into_font().color(&INK))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(chart.x.clone(), chart.y.clone())?;
    drawn
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style((FONT, 14).into_font().color(&INK))
        .axis_desc_style((FONT, 15).into_font().color(&INK))
        .x_desc(chart.x_name)
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|&y| (chart.y_mark_name)(y))
        .draw()?;
    let text = (FONT, 14).into_font().color(&INK);
    // The middle of the legend's lines, from one to the next.
    let mut y = (52..).step_by(22);
    let mut entry = |name: &str| -> Result<i32, Box<dyn Error>> {
        let y = y.next().unwrap_or_default();
        legend.draw_text(name, &text, (34, y - 6))?;
        Ok(y)
    };
    if let Some((name, ends)) = chart.reference {
        let style = GREY.stroke_width(2);
        drawn.draw_series(DashedLineSeries::new(ends, 6, 5, style))?;
        let y = entry(name)?;
        for dash in [(0, 6), (10, 16), (20, 26)] {
            legend.draw(&PathElement::new([(dash.0, y), (dash.1, y)], style))?;
        }
    }
    for (index, series) in chart.series.iter().enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(2);
        let marker = ShapeStyle {
            // Where the colours begin anew, the markers are hollow.
            filled: (index / COLOURS.len()).is_multiple_of(2),
            ..style
        };
        let points = || series.points.iter().copied();
        drawn.draw_series(LineSeries::new(points(), style))?;
        drawn.draw_series(points().map(|point| Circle::new(point, 4, marker)))?;
        let y = entry(&series.name)?;
        legend.draw(&PathElement::new([(0, y), (26, y)], style))?;
        legend.draw(&Circle::new((13, y), 4, marker))?;
    }
    Ok(())
}
