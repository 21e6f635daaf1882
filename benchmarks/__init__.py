"""Speed, measured side by side: every figure is a ratio, a share or a growth taken in one run.

One file a benchmark, each with ``run(track, quick)``; `benchmarks.__main__` prints their reports.
"""
