#include "client/bench/article.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

// What the article's figures say of each other; a mistyped figure would break it.
TEST(ArticleTest, IdentitiesHoldUpToTheWriteMisses) {
  for (const auto& [config, write_misses] :
       {std::pair{Config::kA, 0}, std::pair{Config::kB, 2}, std::pair{Config::kC, 5}}) {
    const ArticleFigures& article = *Article(config);
    EXPECT_EQ(article.driver_input_calls, article.cache_hits);
    EXPECT_EQ(article.driver_output_calls,
              article.cache_write_hits + article.cache_write_cleans + write_misses);
  }
  EXPECT_EQ(Article(Config::kA)->block_splits - Article(Config::kC)->block_splits, 9);
  EXPECT_EQ(*Article(Config::kA)->eof, 68072 * 4096);
  EXPECT_EQ(Article(Config::kD), nullptr);
  EXPECT_EQ(Article(Config::kE), nullptr);
}

}  // namespace
}  // namespace bench
}  // namespace quire
