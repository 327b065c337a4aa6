import { DECIDED_AT, WATCHED_DAYS } from '@shapecast/contracts/bot-evidence'

const HALF_LIFE_DAYS = 60
/** What is put at stake for each standard deviation of a day. */
const STAKES = [0.025, 0.05, 0.1, 0.15] as const
/** What a bet keeps that a day has ruined, so that its logarithm is finite. */
const RUINED = 1e-300

/** What the days so far say of a bot against holding as much. */
export interface DailyEvidence {
  /** Natural logarithm of the e-value for "better" after each day; 0 until the first bet. */
  readonly lnAhead: Float64Array
  /** The same for "worse". */
  readonly lnBehind: Float64Array
  /** The day of the first bet, as an index; null where too few days had an excess. */
  readonly begunAt: number | null
  /** The day on which the e-value first reached 40, as an index; final. */
  readonly decidedAt: number | null
  readonly verdict: 'too_early' | 'cannot_tell' | 'ahead' | 'behind'
}

/** The daily spread that a bet goes by, from days before it alone. */
class Spread {
  private days = 0
  private squares = 0
  private recent = Number.NaN

  variance(): number {
    const mean = this.squares / this.days
    if (Number.isNaN(this.recent)) this.recent = mean
    return Math.max(this.recent, mean / 4)
  }

  add(excess: number): void {
    const kept = 0.5 ** (1 / HALF_LIFE_DAYS)
    this.days++
    this.squares += excess * excess
    this.recent = kept * this.recent + (1 - kept) * excess * excess
  }
}

/** ln of the mean of what has become of the bets, from their logarithms. */
function lnMean(lnCapitals: Float64Array): number {
  const most = Math.max(...lnCapitals)
  let sum = 0
  for (const ln of lnCapitals) sum += Math.exp(ln - most)
  return most + Math.log(sum / lnCapitals.length)
}

/**
 * Tests "on average the excess of a day is not above 0" and "not below 0" after every day, for years. Each e-value is the
 * mean capital of four bets that stake a share of it for each standard deviation of a day, which is estimated from earlier
 * days; on no more than fair bets such a capital is a non-negative supermartingale (Waudby-Smith and Ramdas, Estimating
 * means of bounded random variables by betting, JRSS B 86, 2024; Shafer, Testing by betting, JRSS A 184, 2021). By Ville's
 * inequality (1939) it reaches 40 with a probability of at most 1 in 40 where it is not so, however often one looks. Bets
 * begin after 30 days with an excess: the first one needs to know how large a usual day is.
 *
 * @param excess of each day, a ratio: the bot's return without what holding as much would have brought (`dailyExcess`).
 */
export function testDaily(excess: ArrayLike<number>): DailyEvidence {
  const lnAhead = new Float64Array(excess.length)
  const lnBehind = new Float64Array(excess.length)
  const [ups, downs] = [new Float64Array(STAKES.length), new Float64Array(STAKES.length)]
  const spread = new Spread()
  let [watched, begunAt, decidedAt]: [number, number | null, number | null] = [0, null, null]
  let verdict: DailyEvidence['verdict'] = 'too_early'
  for (let day = 0; day < excess.length; day++) {
    const x = excess[day]!
    if (watched >= WATCHED_DAYS) {
      if (begunAt === null) [begunAt, verdict] = [day, 'cannot_tell']
      const z = x / Math.sqrt(spread.variance())
      STAKES.forEach((stake, k) => {
        ups[k]! += Math.log(Math.max(RUINED, 1 + stake * z))
        downs[k]! += Math.log(Math.max(RUINED, 1 - stake * z))
      })
      lnAhead[day] = lnMean(ups)
      lnBehind[day] = lnMean(downs)
      if (decidedAt === null && Math.max(lnAhead[day]!, lnBehind[day]!) >= Math.log(DECIDED_AT)) {
        decidedAt = day
        verdict = lnAhead[day]! > lnBehind[day]! ? 'ahead' : 'behind'
      }
    }
    if (x !== 0) watched++
    spread.add(x)
  }
  return { lnAhead, lnBehind, begunAt, decidedAt, verdict }
}
