/** A run of candles: open times in ms of the first and the last. */
export interface Run {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * The runs of open times from `range.fromMs` to `range.toMs` (both on the grid of `stepMs`) that `ts` (ascending, on the
 * grid) does not have.
 */
export function missingRuns(ts: Float64Array, range: Run, stepMs: number): Run[] {
  const runs: Run[] = []
  let expected = range.fromMs
  for (const t of ts) {
    if (t < expected) continue
    if (t > range.toMs) break
    if (t > expected) runs.push({ fromMs: expected, toMs: t - stepMs })
    expected = t + stepMs
  }
  if (expected <= range.toMs) runs.push({ fromMs: expected, toMs: range.toMs })
  return runs
}

/** What is left of `runs` without `known` (any order): the part that nobody has an answer for yet. */
export function withoutKnown(runs: readonly Run[], known: readonly Run[], stepMs: number): Run[] {
  const sorted = [...known].sort((a, b) => a.fromMs - b.fromMs)
  return runs.flatMap((run) => {
    const left: Run[] = []
    let from = run.fromMs
    for (const gap of sorted) {
      if (gap.toMs < from || gap.fromMs > run.toMs) continue
      if (gap.fromMs > from) left.push({ fromMs: from, toMs: gap.fromMs - stepMs })
      from = Math.max(from, gap.toMs + stepMs)
    }
    if (from <= run.toMs) left.push({ fromMs: from, toMs: run.toMs })
    return left
  })
}

export const countOf = (runs: readonly Run[], stepMs: number): number =>
  runs.reduce((sum, run) => sum + (run.toMs - run.fromMs) / stepMs + 1, 0)
