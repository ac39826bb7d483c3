#include "client/bench/page/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/str_format.h"
#include "client/bench/html_chart.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// Of the SVG's own coordinates.
constexpr double kWidth = 760;
constexpr double kHeight = 300;
constexpr double kLeft = 90;
constexpr double kRight = 44;
constexpr double kTop = 12;
constexpr double kBottom = 44;
constexpr int kTicks = 4;  // of the y axis, above 0

// The smallest of 1, 2, 2.5, 5 times a power of ten that is not below `value`.
double RoundedUp(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 2.5, 5.0}) {
    if (value <= step * power) return step * power;
  }
  return 10 * power;
}

struct Axes {
  explicit Axes(const PageCurves& curves) : logarithmic(curves.logarithmic_x) {
    double highest = 0;
    for (const PageCurve& curve : curves.curves) {
      for (const PagePoint& point : curve.points) {
        places.insert(point.x);
        highest = std::max({highest, point.y.median, point.y.high});
      }
    }
    top = RoundedUp(highest / kTicks) * kTicks;
  }

  double Scaled(double x) const { return logarithmic ? std::log10(x) : x; }
  double X(double x) const {
    const double first = Scaled(*places.begin());
    const double last = Scaled(*places.rbegin());
    const double share = last > first ? (Scaled(x) - first) / (last - first) : 0.5;
    return kLeft + share * (kWidth - kLeft - kRight);
  }
  double Y(double y) const { return kHeight - kBottom - y / top * (kHeight - kTop - kBottom); }

  bool logarithmic;
  std::set<double> places;
  double top = 1;
};

std::string Grid(const Axes& axes, const PageCurves& curves) {
  std::string svg;
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double value = axes.top * tick / kTicks;
    absl::StrAppendFormat(&svg,
                          "<line class=\"grid\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" "
                          "y2=\"%.1f\"/>\n<text class=\"label\" x=\"%.0f\" y=\"%.1f\">%s</text>\n",
                          kLeft, kWidth - kRight, axes.Y(value), axes.Y(value), kLeft - 8,
                          axes.Y(value) + 4, FigureText(value));
  }
  for (const double x : axes.places) {
    absl::StrAppendFormat(&svg, "<text class=\"label middle\" x=\"%.1f\" y=\"%.0f\">%s</text>\n",
                          axes.X(x), kHeight - kBottom + 18, FigureText(x));
  }
  absl::StrAppendFormat(&svg, "<text class=\"label middle\" x=\"%.0f\" y=\"%.0f\">%s</text>\n",
                        (kLeft + kWidth - kRight) / 2, kHeight - 6, EscapeHtml(curves.x_label));
  return svg;
}

std::string Line(const Axes& axes, const PageCurve& curve, size_t colour) {
  std::string places;
  std::string marks;
  for (const PagePoint& point : curve.points) {
    const double x = axes.X(point.x);
    absl::StrAppendFormat(&places, "%s%.1f,%.1f", places.empty() ? "" : " ", x,
                          axes.Y(point.y.median));
    absl::StrAppendFormat(&marks,
                          "<line class=\"curve%d\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
                          "y2=\"%.1f\"/>\n<circle class=\"curve%d\" cx=\"%.1f\" cy=\"%.1f\" "
                          "r=\"3.5\"/>\n",
                          colour, x, x, axes.Y(point.y.low), axes.Y(point.y.high), colour, x,
                          axes.Y(point.y.median));
  }
  return StrCat("<polyline class=\"curve", colour, "\" points=\"", places, "\"/>\n", marks);
}

}  // namespace

std::string RenderCurves(const PageCurves& curves) {
  const Axes axes(curves);
  const std::string title = EscapeHtml(StrCat(curves.title, ": ", curves.y_label));
  std::string html = StrCat("<figure>\n<figcaption>", title, "</figcaption>\n");
  if (axes.places.empty()) return html + "</figure>\n";
  if (curves.curves.size() > 1) {
    html.append("<p class=\"legend\">");
    for (size_t i = 0; i < curves.curves.size(); ++i) {
      StrAppend(&html, "<span><i class=\"curve", i % kCurveColours, "\"></i>",
                EscapeHtml(curves.curves[i].label), "</span>");
    }
    html.append("</p>\n");
  }
  absl::StrAppendFormat(&html, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n",
                        kWidth, kHeight, title);
  html.append(Grid(axes, curves));
  for (size_t i = 0; i < curves.curves.size(); ++i) {
    html.append(Line(axes, curves.curves[i], i % kCurveColours));
  }
  html.append("</svg>\n</figure>\n");
  return html;
}

}  // namespace bench
}  // namespace quire
