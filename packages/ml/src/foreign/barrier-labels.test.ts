import type { Candles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { barrierLabels, barrierWords, judgeBarriers } from './barriers.ts'

/** Closes of 100 with σ = 1 %: over 4 candles, 1 σ up is 100 · e^0.02 = 102.02, and down 98.02. */
const BARRIER = { upSigma: 1, downSigma: 1, candles: 4 }
const labelsOf = (high: number[], low: number[], gapsUpTo = high.map(() => 0)) => {
  const n = high.length
  const column = (values: readonly number[]) => Float64Array.from(values)
  const flat = new Float64Array(n).fill(100)
  const candles: Candles = {
    length: n,
    ts: flat,
    open: flat,
    close: flat,
    volume: flat,
    high: column(high),
    low: column(low),
  }
  const continuity = { gapsUpTo: Int32Array.from(gapsUpTo) } as Parameters<typeof barrierLabels>[1]['continuity']
  return Array.from(barrierLabels(candles, { sigma: new Float64Array(n).fill(0.01), continuity }, BARRIER))
}

describe('the barrier that is reached first', () => {
  it('is the upper from 102.02 on, the lower from 98.02 down, whichever comes first', () => {
    expect(labelsOf([100, 102.02, 102.03], [100, 99, 97])[0]).toBe(Number.NaN)
    expect(labelsOf([100, 101, 102.03], [100, 99, 99])[0]).toBe(1)
    expect(labelsOf([100, 101, 103], [100, 98.01, 99])[0]).toBe(0)
  })

  it('is none where neither is reached in four candles, both are in one, or a candle is missing before', () => {
    expect(labelsOf([100, 101, 101, 101, 101, 103], [100, 99, 99, 99, 99, 99])[0]).toBe(Number.NaN)
    expect(labelsOf([100, 103, 103], [100, 97, 99])[0]).toBe(Number.NaN)
    expect(labelsOf([100, 101, 103], [100, 99, 99], [0, 0, 1])[0]).toBe(Number.NaN)
  })
})

it('barrier calls are judged beside the more frequent label before: three of four right, one without an outcome', () => {
  const labels = Float64Array.of(1, 1, 0, 1, 0, 0, Number.NaN, 1)
  const report = judgeBarriers(labels, BARRIER, {
    before: Int32Array.of(0, 1, 2),
    rows: Int32Array.of(3, 4, 5, 6, 7),
    pUp: [0.6, 0.4, 0.7, 0.9, 0.51],
  })
  expect(report).toMatchObject({ rows: 5, outcomes: 4, accuracy: 0.75, majority: 0.5 })
  expect(barrierWords(BARRIER, report)).toMatch(
    /^Its own label: \+1 σ before −1 σ within 4 candles\. Of 4 of 5 judged candles .* it called 75\.0 % .*: indistinguishable\.$/,
  )
  expect(barrierWords(BARRIER, { ...report, outcomes: 0 })).toContain('None of the 5')
})
