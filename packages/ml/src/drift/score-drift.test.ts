import type { Evaluation } from '@shapecast/contracts/evaluation'
import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import { exampleCard } from '../testing/example-card.ts'
import { driftSubject } from './drift-subject.ts'
import { scoreVerdict } from './drift-verdict.ts'
import { holdoutBar } from './holdout-bar.ts'
import { type LiveOutcome, type ScoreDrift, scoreDrift } from './score-drift.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const BAR = { brier: 0.245, misses: 0.12 }

/** Forecasts of 50 ± 10 %, calibrated while `truth` is 1, turned round at −1; ranges that hold `covered` of outcomes. */
function live(seed: number, n: number, truth: (i: number) => number, covered: (i: number) => number): LiveOutcome[] {
  const random = createRandom(seed)
  return Array.from({ length: n }, (_, i) => {
    const pUp = 0.5 + 0.1 * (random.next() < 0.5 ? -1 : 1)
    const risen = 0.5 + truth(i) * (pUp - 0.5)
    return {
      candle: i,
      ts: START + i * DAY,
      pUp,
      climatology: 0.5,
      rose: random.next() < risen,
      covered: random.next() < covered(i),
    }
  })
}
const always = (value: number) => () => value
const test = (drift: ScoreDrift, name: string) => drift.tests.find((one) => one.name === name)!

describe('the bar that a hold-out sets', () => {
  const evaluation = (p: number, observed: number, outcomes: number, effective: number): Evaluation => {
    const { evaluation: example } = exampleCard()
    return {
      ...example,
      accuracy: { ...example.accuracy, outcomes, flatOutcomes: 0, effectiveOutcomes: effective },
      probability: {
        ...example.probability,
        brier: observed * (1 - p) ** 2 + (1 - observed) * p ** 2,
        reliability: [{ predicted: p, observed, outcomes, band: [0, 1] }],
      },
      fan: [{ ...example.fan[0]!, horizon: 1, coverage90Interval: [0.86, 0.93] }],
    }
  }

  it('is the upper end of its Brier score: forecasts of 0.6 of which 60 % rose, over 100 effective outcomes', () => {
    // Losses 0.16 and 0.36 with chances 0.6 and 0.4: mean 0.24, deviation 0.2 √0.24.
    const bar = holdoutBar(evaluation(0.6, 0.6, 200, 100))
    expect(bar.brier).toBeCloseTo(0.24 + (1.959964 * 0.2 * Math.sqrt(0.24)) / 10, 6)
    expect(bar.misses).toBeCloseTo(0.14, 12)
  })

  it('is ¼ where nothing moved on the hold-out, and takes flat outcomes out of the mean', () => {
    const still = evaluation(0.6, 0.6, 0, 0)
    still.probability.reliability = []
    expect(holdoutBar(still).brier).toBe(0.25)
    // 200 of 250 moved: a Brier score of 0.192 over all is 0.24 over those.
    const flat = evaluation(0.6, 0.6, 200, 100)
    flat.accuracy.flatOutcomes = 50
    flat.probability.brier = 0.192
    expect(holdoutBar(flat).brier).toBeCloseTo(0.24 + (1.959964 * 0.2 * Math.sqrt(0.24)) / 10, 6)
  })

  it('allows a range at least the misses that it promises', () => {
    const good = evaluation(0.6, 0.6, 200, 100)
    good.fan[0]!.coverage90Interval = [0.92, 0.97]
    expect(holdoutBar(good).misses).toBe(0.1)
  })

  it('is taken from a card, with what it looks at and when it was trained', () => {
    const card = exampleCard()
    expect(driftSubject(card)).toMatchObject({
      inputs: card.features.names,
      trained: { from: card.ranges.train.from, to: card.ranges.validation.to },
      evaluation: { horizon: card.evaluation.horizon },
    })
    expect(driftSubject({ format: 'something else' })).toBeNull()
  })
})

describe('live outcomes', () => {
  it('are unknown before the first', () => {
    const drift = scoreDrift([], 1, BAR)
    expect(drift.decision).toBe('unknown')
    expect(scoreVerdict(drift)).toBe('Not judged live yet')
    expect(test(drift, 'nothing')).toMatchObject({ mean: null, bar: null, crossedAt: null })
  })

  it('are compared loss by loss: 0.6 that rose and 0.6 that fell', () => {
    const two: LiveOutcome[] = [true, false].map((rose, candle) => ({
      candle,
      ts: START + candle * DAY,
      pUp: 0.6,
      climatology: 0.5,
      rose,
      covered: rose,
    }))
    const drift = scoreDrift(two, 1, BAR)
    expect(test(drift, 'nothing').mean).toBeCloseTo((0.16 + 0.36) / 2, 12)
    expect(test(drift, 'nothing').bar).toBeCloseTo(0.25, 12)
    expect(test(drift, 'holdout').bar).toBe(0.245)
    expect(test(drift, 'range')).toMatchObject({ mean: 0.5, bar: 0.12 })
  })

  it('leave out what did not move, and ranges whose outcome is not known', () => {
    const flat = { candle: 0, ts: START, pUp: 0.6, climatology: 0.5, rose: null, covered: null }
    expect(scoreDrift([flat], 1, BAR).decision).toBe('unknown')
  })

  it('of a model that is as good as on its hold-out hold, in at least 95 % of 400 streams, looked at all the time', () => {
    const count = { nothing: 0, holdout: 0, range: 0 }
    for (let seed = 1; seed <= 400; seed++) {
      // Calibrated: the Brier score is 0.24 on average and the bar is just there; so is that of the range.
      const drift = scoreDrift(live(seed, 800, always(1), always(0.9)), 1, { brier: 0.24, misses: 0.1 })
      for (const name of ['nothing', 'holdout', 'range'] as const)
        if (test(drift, name).crossedAt !== null) count[name]++
    }
    for (const fooled of Object.values(count)) expect(fooled).toBeLessThanOrEqual(20)
  })

  it('that turn round after 300 are found worse than nothing, with the day on which that began', () => {
    const drifts = Array.from({ length: 40 }, (_, s) =>
      scoreDrift(
        live(s + 1, 1200, (i) => (i < 300 ? 1 : -1), always(0.9)),
        1,
        BAR,
      ),
    )
    expect(drifts.filter(({ decision }) => decision === 'worse').length).toBeGreaterThanOrEqual(38)
    const found = test(drifts[0]!, 'nothing')
    expect(found.crossedAt).toBeGreaterThan(300)
    expect(Math.abs(found.changedAt! - 300)).toBeLessThan(100)
    expect(found.since).toBeGreaterThan(found.before!)
    expect(scoreVerdict(drifts[0]!)).toMatch(
      /^Since \d+ (Sep|Oct|Nov|Dec) 2026 it predicts worse than knowing nothing: Brier score 0\.2[67]\d\d, climatology 0\.2500$/,
    )
  })

  it('whose range holds 75 % instead of 90 are suspect, in words', () => {
    const drift = scoreDrift(
      live(4, 900, always(1), (i) => (i < 400 ? 0.9 : 0.75)),
      1,
      BAR,
    )
    expect(drift.decision).toBe('suspect')
    expect(scoreVerdict(drift)).toMatch(/its 90% range holds 7\d\.\d% of outcomes only, less than the 88\.0% that/)
  })

  it('of real skill are said to have it', () => {
    const drift = scoreDrift(live(2, 1500, always(1), always(0.9)), 1, BAR)
    expect(drift.decision).toBe('holds')
    expect(test(drift, 'skill').crossedAt).not.toBeNull()
    expect(scoreVerdict(drift)).toBe(
      'Over 1,500 outcomes it predicts better than knowing nothing, and nothing says that it got worse than on its hold-out',
    )
  })

  it('of a skill that was there and is gone are not said to have it', () => {
    const drift = scoreDrift(
      live(2, 1500, (i) => (i < 700 ? 1 : 0), always(0.9)),
      1,
      { brier: 0.26, misses: 0.12 },
    )
    const skill = test(drift, 'skill')
    expect(skill.crossedAt).not.toBeNull()
    expect(skill.e[1499]).toBeLessThan(20)
    expect(scoreVerdict(drift)).not.toContain('better')
  })

  it('without a hold-out to trust are held against knowing nothing and the promise of the range alone', () => {
    const drift = scoreDrift(live(2, 50, always(1), always(0.9)), 1, null)
    expect(drift.tests.map(({ name }) => name)).toEqual(['nothing', 'range', 'skill'])
    expect(test(drift, 'range').bar).toBeCloseTo(0.1, 12)
    expect(scoreVerdict(drift)).toBe('Nothing in 50 outcomes speaks against it')
  })
})
