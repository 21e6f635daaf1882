// Counts components one after the other: looks in a cache, plans, and stays within a budget.
#pragma once

#include <memory>

#include "counting/layout_cache.hpp"
#include "counting/layouts.hpp"
#include "counting/plan.hpp"

namespace mineproof {

class Counter {
  public:
    // Plans are searched for as long as it pays if `affordable` nodes may be spent. The cache may
    // be null; otherwise it must outlive the counter.
    Counter(Budget budget, LayoutCache* cache, double affordable)
        : budget_(budget), cache_(cache), affordable_(affordable) {}
    explicit Counter(Budget budget, LayoutCache* cache = nullptr)
        : Counter(budget, cache, static_cast<double>(budget.nodes)) {}

    // How a component will be counted.
    struct Task {
        Component component;
        LayoutCache::Key key;                 // if there is a cache
        std::shared_ptr<const Layouts> kept;  // from the cache
        Plan plan;                            // if nothing was kept

        double cost() const { return kept ? kept->planned_cost() : plan.cost; }
        int width() const { return kept ? kept->planned_width() : plan.width(); }
    };
    Task plan(const Component& component) const;

    // Returns nothing if what is left of the budget does not suffice. Layouts from the cache are
    // charged as if they had been counted, so a cache does not change what fits the budget.
    std::shared_ptr<const Layouts> count(const Task& task);
    std::shared_ptr<const Layouts> count(const Component& component) {
        return count(plan(component));
    }

  private:
    Budget budget_;  // what is left
    LayoutCache* cache_;
    double affordable_;
};

}  // namespace mineproof
