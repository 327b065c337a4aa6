/** How a replay runs. It is kept with the installation, so that a restart goes on where the market has got to. */
export interface ReplayPlan {
  /** Market time at which it starts, ms; null where it stands at the last candle. */
  readonly fromMs: number | null
  /** Market seconds a second; 0 stands still. */
  readonly speed: number
  /** Real time at which it was started, ms. */
  readonly startedAtMs: number
}

/**
 * The market's time at `nowMs` (ms): how far the replay has got, never past `endMs`, where the history ends. A replay
 * of speed 0 stands at its start, or at the end where it has none.
 */
export function replayTime(plan: ReplayPlan, nowMs: number, endMs: number): number {
  if (plan.fromMs === null) return endMs
  const passedMs = Math.max(0, nowMs - plan.startedAtMs)
  return Math.min(endMs, plan.fromMs + passedMs * plan.speed)
}

/** The plan to go on with: the kept one where it is of the same settings, else one that starts at `nowMs`. */
export function continuedPlan(
  kept: ReplayPlan | null,
  wanted: { fromMs: number | null; speed: number },
  nowMs: number,
): ReplayPlan {
  if (kept !== null && kept.fromMs === wanted.fromMs && kept.speed === wanted.speed) return kept
  return { ...wanted, startedAtMs: nowMs }
}
