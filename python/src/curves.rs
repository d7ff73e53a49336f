//! Curves as a picture.

use onlooker::explain::{Curve, CurvePlot};
use pyo3::prelude::*;

/// Named series of points over two axes, as SVG.
#[pyfunction]
#[pyo3(signature = (curves, *, title = "", x = "", y = "", log_y = false))]
pub fn curves_svg(curves: Vec<(String, Vec<(f64, f64)>)>, title: &str, x: &str, y: &str, log_y: bool) -> String {
    let curves = curves.into_iter().map(|(name, points)| Curve { name, points, dashed: false }).collect();
    CurvePlot { title: title.to_owned(), x: x.to_owned(), y: y.to_owned(), log_y, curves }.svg()
}
