#include "server/btree/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/test_random.h"

namespace quire {
namespace {

using Costs = std::vector<uint32_t>;

uint32_t BytesOf(const Costs& costs, const Division& division, uint32_t piece) {
  return std::accumulate(costs.begin() + division.begin(piece), costs.begin() + division.end(piece),
                         uint32_t{0});
}

std::vector<uint32_t> Bounds(const Division& division) {
  return {division.bounds.begin(), division.bounds.begin() + division.pieces + 1};
}

TEST(Split, B3LargerHalfStaysLeftTiesToo) {
  EXPECT_EQ(Bounds(DivideRecords(Costs{10, 10, 10}, 0, 20)), (Costs{0, 2, 3}));
  EXPECT_EQ(Bounds(DivideRecords(Costs{10, 10, 10}, 1, 20)), (Costs{0, 2, 3}));
  EXPECT_EQ(Bounds(DivideRecords(Costs{10, 10, 10, 10}, 1, 30)), (Costs{0, 2, 4}));
  EXPECT_EQ(Bounds(DivideRecords(Costs{10, 30, 10}, 0, 45)), (Costs{0, 2, 3}));
  EXPECT_EQ(Bounds(DivideRecords(Costs{5, 5, 30}, 0, 35)), (Costs{0, 2, 3}));
}

TEST(Split, B3WhatIsTooLargeForTheLeftHalfGoesRight) {
  // Half of 125 would be {30, 90}, which does not fit.
  EXPECT_EQ(Bounds(DivideRecords(Costs{30, 90, 5}, 0, 100)), (Costs{0, 1, 3}));
}

TEST(Split, B3RecordThatFitsNeitherHalfGetsItsOwnBlock) {
  EXPECT_EQ(Bounds(DivideRecords(Costs{45, 90, 45}, 1, 100)), (Costs{0, 1, 2, 3}));
  EXPECT_EQ(Bounds(DivideRecords(Costs{10, 35, 90, 20, 25}, 2, 100)), (Costs{0, 2, 3, 5}));
}

TEST(Split, B3RandomDivisionsFitAndKeepTheRule) {
  TestRandom random;
  int in_three = 0;
  for (int round = 0; round < 200000; ++round) {
    const auto capacity = static_cast<uint32_t>(random.Between(20, 400));
    const auto most = static_cast<uint32_t>(random.Between(3, capacity));
    Costs costs;
    uint32_t total = 0;
    while (true) {
      const auto cost = static_cast<uint32_t>(random.Between(3, most));
      if (total + cost > capacity) break;
      costs.push_back(cost);
      total += cost;
    }
    if (costs.empty()) continue;
    const auto added = static_cast<uint32_t>(random.Below(costs.size() + 1));
    const auto cost = static_cast<uint32_t>(random.Between(3, capacity));
    if (total + cost <= capacity) continue;
    costs.insert(costs.begin() + added, cost);
    total += cost;
    const Division division = DivideRecords(costs, added, capacity);
    ASSERT_EQ(division.begin(0), 0u);
    ASSERT_EQ(division.bounds[division.pieces], costs.size());
    for (uint32_t piece = 0; piece < division.pieces; ++piece) {
      ASSERT_LT(division.begin(piece), division.end(piece));
      ASSERT_LE(BytesOf(costs, division, piece), capacity);
    }
    if (division.pieces == 3) {
      ++in_three;
      ASSERT_EQ(division.begin(1), added);
      ASSERT_EQ(division.end(1), added + 1);
      ASSERT_GT(BytesOf(costs, division, 0) + cost, capacity);
      ASSERT_GT(cost + BytesOf(costs, division, 2), capacity);
      continue;
    }
    // The left half is the larger one, and without its last record it would not be, unless that
    // cannot be had.
    const uint32_t left = BytesOf(costs, division, 0);
    if (2 * left < total) {
      const bool one_left = division.end(0) + 1 == costs.size();
      ASSERT_TRUE(one_left || left + costs[division.end(0)] > capacity);
    } else if (division.end(0) > 1) {
      ASSERT_LT(2 * (left - costs[division.end(0) - 1]), total);
    }
  }
  EXPECT_GT(in_three, 100);
}

TEST(Split, IndexHalfIsTheLongestRunWithinHalfTheBytes) {
  EXPECT_EQ(Bounds(DivideEntries(Costs(238, 17), 237, 1, 4044)), (Costs{0, 119, 238}));
  EXPECT_EQ(Bounds(DivideEntries(Costs(239, 17), 100, 1, 4060)), (Costs{0, 119, 239}));
  EXPECT_EQ(Bounds(DivideEntries(Costs{10, 10}, 1, 1, 100)), (Costs{0, 2}));
}

TEST(Split, RandomIndexDivisionsFit) {
  TestRandom random;
  std::vector<int> pieces(4, 0);
  for (int round = 0; round < 200000; ++round) {
    const auto capacity = static_cast<uint32_t>(random.Between(60, 400));
    const auto least = static_cast<uint32_t>(random.Between(6, capacity / 3));
    Costs costs;
    uint32_t total = 0;
    while (true) {
      const auto cost = static_cast<uint32_t>(random.Between(least, capacity / 3));
      if (total + cost > capacity) break;
      costs.push_back(cost);
      total += cost;
    }
    const auto count = static_cast<uint32_t>(random.Between(1, 2));
    const auto added = static_cast<uint32_t>(random.Between(1, costs.size()));
    for (uint32_t i = 0; i < count; ++i) {
      costs.insert(costs.begin() + added, static_cast<uint32_t>(random.Between(6, capacity / 3)));
    }
    const Division division = DivideEntries(costs, added, count, capacity);
    ASSERT_EQ(division.bounds[division.pieces], costs.size());
    for (uint32_t piece = 0; piece < division.pieces; ++piece) {
      ASSERT_LT(division.begin(piece), division.end(piece));
      ASSERT_LE(BytesOf(costs, division, piece), capacity);
    }
    ++pieces[division.pieces];
  }
  EXPECT_GT(pieces[1], 0);
  EXPECT_GT(pieces[2], 0);
  EXPECT_GT(pieces[3], 0);
}

// The examples of the Enscribe manual.
TEST(Split, SeparatorKeepsOneByteMoreThanIsCommon) {
  EXPECT_EQ(SeparatorOf("FRANKLIN", "FRASER"), "FRAS");
  EXPECT_EQ(SeparatorOf("JONES, JANE", "JONES, JOHN"), "JONES, JO");
  EXPECT_EQ(SeparatorOf("0000001", "0000002"), "0000002");
  EXPECT_EQ(SeparatorOf("A", "B"), "B");
  EXPECT_EQ(SeparatorOf(std::string("a\x7f"), std::string("a\x80")), "a\x80");
}

}  // namespace
}  // namespace quire
