#include "counting/counter.hpp"

#include <utility>

namespace mineproof {

Counter::Task Counter::plan(const Component& component) const {
    Task task{component, {}, nullptr, {}};
    if (cache_) {
        task.key = LayoutCache::key(component);
        task.kept = cache_->find(task.key);
    }
    if (!task.kept) task.plan = make_plan(component, affordable_);
    return task;
}

std::shared_ptr<const Layouts> Counter::count(const Task& task) {
    if (task.kept) return task.kept->charge(budget_) ? task.kept : nullptr;
    auto counted = Layouts::count(task.component, task.plan, budget_);
    if (!counted) return nullptr;
    auto layouts = std::make_shared<const Layouts>(std::move(*counted));
    if (cache_) cache_->keep(task.key, layouts);
    return layouts;
}

}  // namespace mineproof
