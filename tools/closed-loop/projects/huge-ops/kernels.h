#pragma once
// What a file of many instantiated kernels is like: several hundred MB of cc1plus.
#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

template <int M, int N, int K>
struct Tile {
  std::array<std::array<float, N % 16 + 1>, M % 16 + 1> data{};
  template <class F>
  void each(F f) {
    for (auto& row : data)
      for (auto& x : row) x = f(x) * K;
  }
};

template <int I>
float run(float x) {
  Tile<I, I + 1, I + 2> a;
  Tile<I + 3, I + 4, I + 5> b;
  a.each([&](float v) { return v + x; });
  b.each([&](float v) { return v * x + I; });
  std::map<std::tuple<int, float, std::string>, std::vector<float>> table;
  table[{I, x, std::to_string(I)}].push_back(a.data[0][0] + b.data[0][0]);
  std::sort(table.begin()->second.begin(), table.begin()->second.end(), [](float l, float r) { return l + I < r; });
  return table.begin()->second[0];
}

template <int... I>
float all(float x, std::integer_sequence<int, I...>) {
  return (run<I>(x) + ...);
}

