import type { Evaluation } from '@shapecast/contracts/evaluation'
import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import { exampleCard } from '../testing/example-card.ts'
import { driftSubject } from './drift-subject.ts'
import { scoreVerdict } from './drift-words.ts'
import { holdoutBar, type LiveOutcome, scoreDrift } from './score-drift.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const BAR = 0.245

/** Forecasts of 50 ± 10 %, calibrated while `truth` is 1, turned round at −1. */
function live(seed: number, n: number, truth: (i: number) => number): LiveOutcome[] {
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
    }
  })
}
const always = (value: number) => () => value

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
    }
  }

  it('is the upper end of its Brier score: forecasts of 0.6 of which 60 % rose, over 100 effective outcomes', () => {
    // Losses 0.16 and 0.36 with chances 0.6 and 0.4: mean 0.24, deviation 0.2 √0.24.
    const bar = holdoutBar(evaluation(0.6, 0.6, 200, 100))
    expect(bar).toBeCloseTo(0.24 + (1.959964 * 0.2 * Math.sqrt(0.24)) / 10, 6)
  })

  it('is ¼ where nothing moved on the hold-out, and takes flat outcomes out of the mean', () => {
    const still = evaluation(0.6, 0.6, 0, 0)
    still.probability.reliability = []
    expect(holdoutBar(still)).toBe(0.25)
    // 200 of 250 moved: a Brier score of 0.192 over all is 0.24 over those.
    const flat = evaluation(0.6, 0.6, 200, 100)
    flat.accuracy.flatOutcomes = 50
    flat.probability.brier = 0.192
    expect(holdoutBar(flat)).toBeCloseTo(0.24 + (1.959964 * 0.2 * Math.sqrt(0.24)) / 10, 6)
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
    expect(drift).toMatchObject({ decision: 'unknown', mean: null, bar: null, crossedAt: null })
    expect(scoreVerdict(drift)).toBe('Not judged live yet')
  })

  const two: LiveOutcome[] = [true, false].map((rose, candle) => ({
    candle,
    ts: START + candle * DAY,
    pUp: 0.6,
    climatology: 0.5,
    rose,
  }))

  it('are held against the lower of what the hold-out allows and of knowing nothing: 0.6 that rose and 0.6 that fell', () => {
    expect(scoreDrift(two, 1, BAR)).toMatchObject({ against: 'holdout', bar: 0.245 })
    expect(scoreDrift(two, 1, BAR).mean).toBeCloseTo((0.16 + 0.36) / 2, 12)
    for (const bar of [0.255, null])
      expect(scoreDrift(two, 1, bar)).toMatchObject({ against: 'climatology', bar: expect.closeTo(0.25, 12) })
  })

  it('leave out what did not move, and of those that overlap all but every horizon-th', () => {
    expect(scoreDrift([{ ...two[0]!, rose: null }], 1, BAR).decision).toBe('unknown')
    const { ts } = scoreDrift(live(1, 10, always(1)), 4, BAR)
    expect(ts).toEqual([0, 4, 8].map((candle) => START + candle * DAY))
  })

  it('hold for a good model in at least 95 % of 400 streams, checked at every step', () => {
    const fooled = { holdout: 0, climatology: 0 }
    for (let seed = 1; seed <= 400; seed++) {
      // Calibrated: the Brier score is 0.24 on average and the bar is just there.
      if (scoreDrift(live(seed, 800, always(1)), 1, 0.24).crossedAt !== null) fooled.holdout++
      // Of no skill at all against climatology: forecasts that are climatology's.
      const blind = live(seed, 800, always(0)).map((outcome) => ({ ...outcome, pUp: 0.5 }))
      if (scoreDrift(blind, 1, null).crossedAt !== null) fooled.climatology++
    }
    for (const count of Object.values(fooled)) expect(count).toBeLessThanOrEqual(20)
  })

  it('are found worse than nothing when they reverse after 300, with the day on which that was shown', () => {
    const turn = (i: number) => (i < 300 ? 1 : -1)
    const drifts = Array.from({ length: 40 }, (_, s) => scoreDrift(live(s + 1, 1200, turn), 1, null))
    expect(drifts.filter(({ decision }) => decision === 'worse').length).toBeGreaterThanOrEqual(38)
    expect(drifts[0]!.crossedAt).toBeGreaterThan(300)
    expect(scoreVerdict(drifts[0]!)).toMatch(
      /^Since \d+ \w+ 202[6-9] it is shown to predict worse than knowing nothing: Brier score 0\.2[5-7]\d\d over 1,200 outcomes, climatology 0\.2500$/,
    )
  })

  it('are suspect where they are worse than on the hold-out and better than nothing, and worse where they are not', () => {
    const [less, none] = [live(3, 4000, always(0.6)), live(3, 4000, always(-0.5))].map((stream) =>
      scoreDrift(stream, 1, 0.23),
    )
    expect(less!.decision).toBe('suspect')
    expect(scoreVerdict(less!)).toMatch(
      /worse than on its hold-out: Brier score 0\.24\d\d over 4,000 .* at most 0\.2300 there$/,
    )
    expect(none!.decision).toBe('worse')
    expect(scoreVerdict(none!)).toContain('worse than on its hold-out, and no better than knowing nothing:')
  })

  it('say in words what nothing was found against', () => {
    expect(scoreVerdict(scoreDrift(live(2, 50, always(1)), 1, BAR))).toBe(
      'Nothing in 50 outcomes says that it got worse than on its hold-out',
    )
    expect(scoreVerdict(scoreDrift(live(2, 50, always(1)), 1, null))).toBe(
      'Nothing in 50 outcomes says that it is worse than knowing nothing',
    )
  })
})
