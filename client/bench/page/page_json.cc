#include <nlohmann/json.hpp>
#include <variant>

#include "client/bench/page/result_page.h"

namespace quire {
namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json SpreadJson(const Spread& spread) {
  return {{"median", spread.median},
          {"low", spread.low},
          {"high", spread.high},
          {"rounds", spread.rounds}};
}

Json SectionJson(const PageBars& bars) {
  Json values = Json::array();
  for (const PageBar& bar : bars.bars) {
    Json value = SpreadJson(bar.value);
    value["label"] = bar.label;
    value["ours"] = bar.ours;
    if (!bar.note.empty()) value["note"] = bar.note;
    values.push_back(std::move(value));
  }
  return {{"title", bars.title}, {"unit", bars.unit}, {"bars", std::move(values)}};
}

Json SectionJson(const PageCurves& curves) {
  Json values = Json::array();
  for (const PageCurve& curve : curves.curves) {
    Json points = Json::array();
    for (const PagePoint& point : curve.points) {
      Json value = SpreadJson(point.y);
      value["x"] = point.x;
      points.push_back(std::move(value));
    }
    values.push_back({{"label", curve.label}, {"points", std::move(points)}});
  }
  return {{"title", curves.title},
          {"x", curves.x_label},
          {"y", curves.y_label},
          {"curves", std::move(values)}};
}

Json SectionJson(const Table& table) {
  return {{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}};
}

Json SectionJson(const PageNote& note) {
  return {{"note", note.text}};
}

}  // namespace

std::string RenderPageJson(const ResultPage& page) {
  Json goals = Json::array();
  for (const PageGoal& goal : page.goals()) {
    goals.push_back({{"what", goal.what},
                     {"asked", goal.asked},
                     {"got", goal.got},
                     {"met", goal.measured ? Json(goal.met) : Json(nullptr)}});
  }
  Json sections = Json::array();
  for (const ResultPage::Section& section : page.sections()) {
    sections.push_back(
        std::visit([](const auto& content) { return SectionJson(content); }, section));
  }
  const Json all = {{"title", page.title()},
                    {"lead", page.lead()},
                    {"goals", std::move(goals)},
                    {"sections", std::move(sections)}};
  // What came from a system's message need not be UTF-8.
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bench
}  // namespace quire
