import type { Evaluation } from '@shapecast/contracts/evaluation'
import { Z95 } from '../evaluate/intervals.ts'
import { type SequentialTest, type TestedOutcome, testInSequence } from './sequential-test.ts'

/**
 * The most that a live Brier score may be: the upper end of the hold-out's 95 % interval, of outcomes that moved. The card
 * keeps no single losses, so their variance is worked out from the bins of the reliability diagram: each has forecasts near
 * `predicted`, and the share `observed` rose. Flat outcomes lose next to nothing and are taken out of the mean.
 */
export function holdoutBar({ accuracy, probability }: Evaluation): number {
  const moved = accuracy.outcomes
  const brier = moved === 0 ? 0.25 : (probability.brier * (moved + accuracy.flatOutcomes)) / moved
  let [total, mean, square] = [0, 0, 0]
  for (const { predicted, observed, outcomes } of probability.reliability) {
    const [rose, fell] = [(1 - predicted) ** 2, predicted ** 2]
    total += outcomes
    mean += outcomes * (observed * rose + (1 - observed) * fell)
    square += outcomes * (observed * rose ** 2 + (1 - observed) * fell ** 2)
  }
  const variance = total === 0 ? 0 : Math.max(0, square / total - (mean / total) ** 2)
  return brier + Z95 * Math.sqrt(variance / Math.max(1, accuracy.effectiveOutcomes))
}

/** A sealed prediction and its outcome. */
export interface LiveOutcome {
  /** Candles since the first outcome that there ever was, which may be older than the first that is given. */
  candle: number
  /** Open time of that candle, ms. */
  ts: number
  /** Probability of a rise at the signal horizon, and what knowing nothing would have said. */
  pUp: number
  climatology: number
  /** Whether it rose; null where it did not move, which the test does not count. */
  rose: boolean | null
}

/** `unknown`: no outcome yet. `suspect`: worse than on the hold-out. `worse`: worse than knowing nothing. */
export type ScoreDecision = 'unknown' | 'holds' | 'suspect' | 'worse'

export interface ScoreDrift extends SequentialTest {
  decision: ScoreDecision
  /** What the Brier score is held against: the lower of what the hold-out allows and that of knowing nothing. */
  against: 'holdout' | 'climatology'
  /** Open times in ms of the candles, in step with `e`. */
  ts: number[]
  /** Mean Brier score live, and what it is held against; null without outcomes. */
  mean: number | null
  bar: number | null
}

type Moved = LiveOutcome & { rose: boolean }

interface Loss extends TestedOutcome {
  loss: number
  base: number
}

/** Brier score of a probability of a rise. */
const brier = (p: number, rose: boolean): number => (rose ? 1 - p : p) ** 2

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** The Brier score over climatology's: for a given forecast it is one of two numbers. */
function overClimatology({ pUp, climatology, rose }: Moved, place: number): Loss {
  const excess = (up: boolean): number => brier(pUp, up) - brier(climatology, up)
  const [risen, fallen] = [excess(true), excess(false)]
  return {
    place,
    value: rose ? risen : fallen,
    least: Math.min(risen, fallen),
    most: Math.max(risen, fallen),
    loss: brier(pUp, rose),
    base: brier(climatology, rose),
  }
}

/**
 * The Brier score over what it may be on average. The bounds do not look at the forecast: a timid one loses about ¼
 * whatever comes, so that staking more on it would find nothing but its timidity.
 */
function overHoldout({ pUp, rose }: Moved, place: number, bar: number): Loss {
  const loss = brier(pUp, rose)
  return { place, value: loss - bar, least: -bar, most: 1 - bar, loss, base: bar }
}

/**
 * Whether live outcomes, in order of time, `horizon` candles ahead, are worse than they may be: errs with a probability of
 * at most 5 %, however often and whenever one looks, also where only the newest outcomes are given. Of outcomes that
 * overlap every `horizon`-th is counted.
 * @param holdout the most that the hold-out allows a Brier score to be; null where none can be trusted
 */
export function scoreDrift(outcomes: readonly LiveOutcome[], horizon: number, holdout: number | null): ScoreDrift {
  const climatology = outcomes[0]?.climatology ?? 0.5
  const against = holdout !== null && holdout < climatology * (1 - climatology) ? 'holdout' : 'climatology'
  const counted = outcomes.filter(
    (outcome): outcome is Moved => outcome.rose !== null && outcome.candle % horizon === 0,
  )
  const losses = counted.map((outcome) => {
    const place = outcome.candle / horizon
    return against === 'holdout' ? overHoldout(outcome, place, holdout!) : overClimatology(outcome, place)
  })
  const test = testInSequence(losses, Math.ceil((outcomes[0]?.candle ?? 0) / horizon))
  const mean = meanOf(losses.map(({ loss }) => loss))
  const nothing = meanOf(counted.map((outcome) => brier(outcome.climatology, outcome.rose)))
  return {
    ...test,
    decision:
      mean === null
        ? 'unknown'
        : test.crossedAt === null
          ? 'holds'
          : against === 'climatology' || mean >= nothing!
            ? 'worse'
            : 'suspect',
    against,
    ts: counted.map(({ ts }) => ts),
    mean,
    bar: meanOf(losses.map(({ base }) => base)),
  }
}
