/** A day of a bot beside its pairs. Ratios: 0.01 is one percent. */
export interface HeldDay {
  /** What the bot's equity gained within the day. */
  readonly botReturn: number
  /** What the pairs of the bot gained within it, in equal shares. */
  readonly holdingReturn: number
  /** The share of the equity that was held at the beginning of the day; below 0 short. */
  readonly share: number
}

/**
 * What each day brought over holding as much: the bot's return without w̄ × holding's, where w̄ is the mean share at the
 * beginnings of the days before. A bot that always holds the same share has none, so that what is left is its timing and its
 * costs. The first day has no share before it and counts as 0.
 * @public
 */
export function dailyExcess(days: readonly HeldDay[]): Float64Array {
  let shares = 0
  return Float64Array.from(days, ({ botReturn, holdingReturn, share }, earlier) => {
    const excess = earlier === 0 ? 0 : botReturn - (shares / earlier) * holdingReturn
    shares += share
    return excess
  })
}
