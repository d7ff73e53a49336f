//! Curves as a picture: a few series of points over two axes, as SVG.

use std::fmt::Write;

/// A picture of curves.
///
/// ```
/// use onlooker::explain::{Curve, CurvePlot};
///
/// let curve = Curve { name: "ours".to_owned(), points: vec![(1.0, 0.5), (2.0, 1.0)], dashed: false };
/// let plot = CurvePlot { title: "Top-N".to_owned(), x: "N".to_owned(), y: "share".to_owned(), log_y: false, curves: vec![curve] };
/// assert!(plot.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePlot {
    /// What stands above.
    pub title: String,
    /// What the axis from left to right is.
    pub x: String,
    /// What the axis from bottom to top is.
    pub y: String,
    /// Whether that axis is one of powers of ten.
    pub log_y: bool,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A series of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it is called in the legend.
    pub name: String,
    /// Its points from left to right; those that are not numbers are left out.
    pub points: Vec<(f64, f64)>,
    /// Whether it is drawn as a broken line.
    pub dashed: bool,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;
/// Told apart also by those who see no red or green (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];

impl CurvePlot {
    /// The picture.
    pub fn svg(&self) -> String {
        let scaled = |y: f64| if self.log_y { y.max(1e-9).log10() } else { y };
        let points =
            || self.curves.iter().flat_map(|curve| &curve.points).filter(|(x, y)| x.is_finite() && y.is_finite());
        let (mut x0, mut x1, mut y0, mut y1) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64, f64::NEG_INFINITY);
        for &(x, y) in points() {
            (x0, x1, y0, y1) = (x0.min(x), x1.max(x), y0.min(scaled(y)), y1.max(scaled(y)));
        }
        if x0 > x1 {
            (x0, x1, y1) = (0.0, 1.0, 1.0);
        }
        let (x_span, y_span) = ((x1 - x0).max(1e-9), (y1 - y0).max(1e-9));
        let across = |x: f64| LEFT + (x - x0) / x_span * (WIDTH - LEFT - RIGHT);
        let up = |y: f64| HEIGHT - BOTTOM - (y - y0) / y_span * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{0}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{0}</text>\n",
            escaped(&self.title)
        );
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in ticks(y0, y1) {
            let y = up(tick);
            let text = if self.log_y { format!("1e{}", short(tick)) } else { short(tick) };
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 6.0,
                y + 4.0
            );
        }
        for tick in ticks(x0, x1) {
            let x = across(tick);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {bottom}v4\" stroke=\"#666\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                bottom + 18.0,
                short(tick)
            );
        }
        let _ = writeln!(svg, "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#666\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 10.0,
            escaped(&self.x)
        );
        let middle = (TOP + bottom) / 2.0;
        let _ = writeln!(
            svg,
            "<text x=\"16\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {middle:.1})\">{}</text>",
            escaped(&self.y)
        );
        for (number, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let dash = if curve.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
            let mut path = String::new();
            for &(x, y) in curve.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
                let _ =
                    write!(path, "{}{:.1} {:.1}", if path.is_empty() { "M" } else { "L" }, across(x), up(scaled(y)));
            }
            let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>");
            let y = TOP + 8.0 + 18.0 * number as f64;
            let _ = writeln!(
                svg,
                "<path d=\"M{} {y}h20\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/><text x=\"{}\" y=\"{}\">{}</text>",
                right + 12.0,
                right + 38.0,
                y + 4.0,
                escaped(&curve.name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number with few digits.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// About five round numbers between two.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = ((high - low) / 5.0).max(1e-9);
    let power = 10_f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].iter().map(|times| times * power).find(|step| *step >= rough).unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    (0..20).map(|at| (first + at) as f64 * step).take_while(|tick| *tick <= high + 1e-9).collect()
}
