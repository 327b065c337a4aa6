/** At this e-value "nothing is wrong" is given up: under it, it is ever reached with a probability of 1 in 20. */
export const EVIDENCE = 20

/** What an outcome says against a hypothesis. */
export interface TestedOutcome {
  /** Its place in the stream from the first that there ever was, rising. */
  place: number
  /** The outcome minus what the hypothesis allows on average: above 0 speaks against it. From `least` to `most`. */
  value: number
  /** The least and the most that it could have been; known before the outcome. */
  least: number
  most: number
}

export interface SequentialTest {
  /** The e-value after each outcome. */
  e: Float64Array
  /** The largest so far; 1 where there is no outcome. */
  largestE: number
  /** The outcome at which 20 was reached first; null where it never was. */
  crossedAt: number | null
}

/** Outcomes of no excess that a bet assumes to have seen before the first: it begins small. */
const CAUTION = 20
/** Of what a single outcome could cost, at most this share of the capital is put at stake. */
const MOST_AT_STAKE = 0.5
/** More is not counted: a supermartingale cut at a height still is one. */
const MOST_CAPITAL = 1e12
const FIRST_APART = 50
const GROWTH = 0.1

/** The places at which a new bet begins: every 50, later every tenth of what has passed. The same for every stream. */
const nextStart = (start: number): number => start + Math.max(FIRST_APART, Math.floor(start * GROWTH))

interface Bet {
  /** Its share of the whole. */
  weight: number
  capital: number
  sum: number
  squares: number
}

/**
 * Takes the next outcome. The stake is chosen from earlier ones alone, about as GRAPA does: mean over mean square of the
 * excess, never negative, cut where one outcome could take more than half of the capital.
 */
function settle(bet: Bet, { value, least, most }: TestedOutcome): void {
  if (most > 0 && bet.sum > 0) {
    const reach = Math.max(-least, most)
    const stake = bet.sum / (bet.squares + CAUTION * reach * reach)
    bet.capital *= 1 + Math.min(stake, MOST_AT_STAKE / (least < 0 ? -least : most)) * value
    if (bet.capital > MOST_CAPITAL) bet.capital = MOST_CAPITAL
  }
  bet.sum += value
  bet.squares += value * value
}

/**
 * Tests "on average, whatever came before, the excess is not above 0" after every outcome. The e-value is the capital of
 * bets against it, which begins at 1: while it holds, that is a non-negative supermartingale and stays below 1/α for ever
 * with probability at least 1 − α (Ville, 1939), however often one looks (Waudby-Smith and Ramdas, Estimating means of
 * bounded random variables by betting, JRSS B 86, 2024, section 4; bounds may differ from outcome to outcome).
 *
 * The capital is spread over bets that begin at different places, so that a break after a long good time is not drowned by
 * it: the k-th gets 1 / ((k + 1)(k + 2)), which adds up to 1 over all to come, and lies still until it begins.
 *
 * @param from the place from which on all outcomes are given. Bets that began before count as nothing, less than they are
 * worth, so that the bound holds for a window that moves along as well.
 */
export function testInSequence(outcomes: readonly TestedOutcome[], from = 0): SequentialTest {
  const bets: Bet[] = []
  const e = new Float64Array(outcomes.length)
  let [begun, next] = [0, 0]
  let [largestE, crossedAt]: [number, number | null] = [outcomes.length === 0 ? 1 : 0, null]
  outcomes.forEach((outcome, i) => {
    for (; next <= outcome.place; begun++, next = nextStart(next))
      if (next >= from) bets.push({ weight: 1 / ((begun + 1) * (begun + 2)), capital: 1, sum: 0, squares: 0 })
    let capital = 1 / (begun + 1)
    for (const bet of bets) {
      settle(bet, outcome)
      capital += bet.weight * bet.capital
    }
    e[i] = capital
    largestE = Math.max(largestE, capital)
    if (crossedAt === null && capital >= EVIDENCE) crossedAt = i
  })
  return { e, largestE, crossedAt }
}
