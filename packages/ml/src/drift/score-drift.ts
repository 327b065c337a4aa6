import { type HoldoutBar, PROMISED_MISSES } from './holdout-bar.ts'
import { type SequentialTest, type TestedOutcome, testInSequence } from './sequential-test.ts'

/** A sealed prediction and what came of it. */
export interface LiveOutcome {
  /** Candles since the first outcome that there ever was, which may be older than the first that is given. */
  candle: number
  /** Open time of that candle, ms. */
  ts: number
  /** Probability of a rise at the signal horizon, and what knowing nothing would have said. */
  pUp: number
  climatology: number
  /** Whether it rose; null where it did not move, which no test counts. */
  rose: boolean | null
  /** Whether the next close lay in the 90 % range; null where that is not known. */
  covered: boolean | null
}

/** What is tested: each hypothesis says that all is well, but for `skill`, which says that nothing is known. */
export type TestName = 'nothing' | 'holdout' | 'range' | 'skill'

export interface ScoreTest extends SequentialTest {
  name: TestName
  /** Open times in ms of the candles, in step with `e`. */
  ts: number[]
  /** Mean loss live (Brier score, or share of misses) and what it is held against. */
  mean: number | null
  bar: number | null
  /** Mean losses before and from the change on; null where none was found. */
  before: number | null
  since: number | null
}

/** `unknown`: no outcome yet. `suspect`: worse than on the hold-out. `worse`: worse than knowing nothing. */
export type ScoreDecision = 'unknown' | 'holds' | 'suspect' | 'worse'

export interface ScoreDrift {
  decision: ScoreDecision
  tests: ScoreTest[]
}

interface Loss extends TestedOutcome {
  ts: number
  loss: number
  base: number
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function scoreTest(name: TestName, losses: readonly Loss[], horizon: number, from: number): ScoreTest {
  const test = testInSequence(losses, horizon, from)
  const all = losses.map(({ loss }) => loss)
  const found = test.changedAt
  return {
    ...test,
    name,
    ts: losses.map(({ ts }) => ts),
    mean: meanOf(all),
    bar: meanOf(losses.map(({ base }) => base)),
    before: found === null ? null : meanOf(all.slice(0, found)),
    since: found === null ? null : meanOf(all.slice(found)),
  }
}

type Moved = LiveOutcome & { rose: boolean }
const hasMoved = (outcome: LiveOutcome): outcome is Moved => outcome.rose !== null

/** Brier score of a probability of a rise. */
const brier = (p: number, rose: boolean): number => (rose ? 1 - p : p) ** 2

/** The Brier score over climatology's: for a given forecast it is one of two numbers. */
function overClimatology({ candle, ts, pUp, climatology, rose }: Moved): Loss {
  const excess = (up: boolean): number => brier(pUp, up) - brier(climatology, up)
  const [risen, fallen] = [excess(true), excess(false)]
  return {
    candle,
    ts,
    value: rose ? risen : fallen,
    least: Math.min(risen, fallen),
    most: Math.max(risen, fallen),
    loss: brier(pUp, rose),
    base: brier(climatology, rose),
  }
}

/**
 * A loss from 0 to 1 over what it may be on average. The bounds do not look at the forecast: a timid one loses about ¼
 * whatever comes, so that staking more on it would find nothing but its timidity.
 */
const overBar = ({ candle, ts }: LiveOutcome, loss: number, bar: number): Loss => ({
  candle,
  ts,
  value: loss - bar,
  least: -bar,
  most: 1 - bar,
  loss,
  base: bar,
})

/** The opposite claim: what speaks for one speaks against the other. */
const turned = (loss: Loss): Loss => ({ ...loss, value: -loss.value, least: -loss.most, most: -loss.least })

/**
 * Tests of live outcomes, in order of time, `horizon` candles ahead: worse than knowing nothing, worse than on the
 * hold-out (where one is known; null: not), the range held less often than it may, and better than knowing nothing. Each errs with a
 * probability of at most 5 %, however often and whenever one looks, also where only the newest outcomes are given.
 */
export function scoreDrift(outcomes: readonly LiveOutcome[], horizon: number, holdout: HoldoutBar | null): ScoreDrift {
  const from = outcomes[0]?.candle ?? 0
  const moved = outcomes.filter(hasMoved)
  const overNothing = moved.map(overClimatology)
  const tests = [scoreTest('nothing', overNothing, horizon, from)]
  if (holdout !== null) {
    const losses = moved.map((outcome) => overBar(outcome, brier(outcome.pUp, outcome.rose), holdout.brier))
    tests.push(scoreTest('holdout', losses, horizon, from))
  }
  tests.push(scoreTest('range', missesOver(outcomes, holdout?.misses ?? PROMISED_MISSES), 1, from))
  tests.push(scoreTest('skill', overNothing.map(turned), horizon, from))
  const speaks = (name: TestName) => tests.some((test) => test.name === name && test.crossedAt !== null)
  const any = tests.some((test) => test.e.length > 0)
  return {
    decision: !any
      ? 'unknown'
      : speaks('nothing')
        ? 'worse'
        : speaks('holdout') || speaks('range')
          ? 'suspect'
          : 'holds',
    tests,
  }
}

const missesOver = (outcomes: readonly LiveOutcome[], bar: number): Loss[] =>
  outcomes
    .filter(({ covered }) => covered !== null)
    .map((outcome) => overBar(outcome, outcome.covered === true ? 0 : 1, bar))
