"""A small game of `exact`, as `mineproof watch` prints it."""

SMALL = ("--rows", "4", "--cols", "4", "--mines", "4", "--seed", "1")
GAME = """\
exact: 4 rows, 4 columns, 4 mines, start safe, seed 1

Step 0: open (0, 0): certain
Why: the first cell by rule
Then: opened 4 cells (4 of 12), 0 flags, 0 hits
    0 1 2 3
 0 [0]1 . .
 1  1 2 . .
 2  . . . .
 3  . . . .

Step 1: open (2, 2): certain
Why: proved: true in every layout that fits
Then: opened 1 cell (5 of 12), 0 flags, 0 hits
    0 1 2 3
 0  0 1 . .
 1  1 2 . .
 2  . .[2].
 3  . . . .

Step 2: open (1, 3): a guess, risk 25.81%
Why: no cell is certainly safe: this one has the lowest risk
Then: opened 1 cell (6 of 12), 0 flags, 0 hits
    0 1 2 3
 0  0 1 . .
 1  1 2 .[1]
 2  . . 2 .
 3  . . . .

Step 3: open (0, 3), (2, 3): certain
Why: proved: true in every layout that fits
Then: opened 2 cells (8 of 12), 0 flags, 0 hits
    0 1 2 3
 0  0 1 .[1]
 1  1 2 . 1
 2  . . 2[1]
 3  . . . .

Step 4: open (1, 2): a guess, risk 20.00%
Why: no cell is certainly safe: this one has the lowest risk
Then: opened 1 cell (9 of 12), 0 flags, 0 hits
    0 1 2 3
 0  0 1 . 1
 1  1 2[1]1
 2  . . 2 1
 3  . . . .

Step 5: flag (0, 2), (2, 0), (3, 1): certain
        open (2, 1), (3, 0): certain
Why: proved: true in every layout that fits
Then: opened 2 cells (11 of 12), 3 flags, 0 hits
    0 1 2 3
 0  0 1[F]1
 1  1 2 1 1
 2 [F|2]2 1
 3 [2|F]. .

Step 6: flag (3, 3): certain
        open (3, 2): certain
Why: proved: true in every layout that fits
Then: opened 1 cell (12 of 12), 4 flags, 0 hits
    0 1 2 3
 0  0 1 F 1
 1  1 2 1 1
 2  F 2 2 1
 3  2 F[2|F]

Outcome: won, score 1.000, identified 4 of 4 mines, wrong flags 0
hits 0, opened 12, steps 7, guesses 2
"""
