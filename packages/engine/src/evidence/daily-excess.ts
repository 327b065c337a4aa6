const DAY_MS = 86_400_000

/** A day of a bot beside its pairs. Ratios: 0.01 is one percent. */
export interface HeldDay {
  /** What the bot's equity gained within the day. */
  readonly botReturn: number
  /** What the pairs of the bot gained within it, in equal shares. */
  readonly holdingReturn: number
  /** The share of the equity that was held at the beginning of the day; below 0 short. */
  readonly share: number
}

/** What a bot was worth at a close, quote. */
export interface HeldMoment {
  readonly atMs: number
  readonly equity: number
  /** What was held, as a share of the equity, below 0 short; null where that is not known. */
  readonly heldShare: number | null
}

/** Of moments in their order the last one of each UTC day that is over; a day ends with 00:00 of the next. */
export function dayEnds<T extends Pick<HeldMoment, 'atMs'>>(moments: readonly T[]): T[] {
  const last = new Map(moments.map((moment) => [Math.ceil(moment.atMs / DAY_MS), moment]))
  const newest = moments.at(-1)
  if (newest !== undefined && newest.atMs % DAY_MS !== 0) last.delete(Math.ceil(newest.atMs / DAY_MS))
  return [...last.values()]
}

/**
 * The UTC days between ends of days, `held` what the pairs are worth in equal shares at each: a day counts whose beginning
 * and end are known, so that one on which the bot was stopped does not.
 */
export function heldDays(
  ends: readonly HeldMoment[],
  held: ArrayLike<number>,
): (HeldDay & { readonly endMs: number })[] {
  return ends.flatMap((end, i) => {
    const before = ends[i - 1]
    const endMs = Math.ceil(end.atMs / DAY_MS) * DAY_MS
    if (before === undefined || before.heldShare === null || before.equity <= 0) return []
    if (Math.ceil(before.atMs / DAY_MS) * DAY_MS !== endMs - DAY_MS) return []
    return {
      endMs,
      botReturn: end.equity / before.equity - 1,
      holdingReturn: held[i]! / held[i - 1]! - 1,
      share: before.heldShare,
    }
  })
}

/**
 * What each day brought over holding as much: the bot's return without w̄ × holding's, where w̄ is the mean share at the
 * beginnings of the days before. A bot that always holds the same share has none, so that what is left is its timing and its
 * costs. The first day has no share before it and counts as 0.
 */
export function dailyExcess(days: readonly HeldDay[]): Float64Array {
  let shares = 0
  return Float64Array.from(days, ({ botReturn, holdingReturn, share }, earlier) => {
    const excess = earlier === 0 ? 0 : botReturn - (shares / earlier) * holdingReturn
    shares += share
    return excess
  })
}
