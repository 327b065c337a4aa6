import { DECISION } from '@shapecast/engine/decisions'
import { describe, expect, it } from 'vitest'
import { reasonSentence } from '../forecast/predictions.ts'
import { confidentThreshold, edgeBps, expectedMoveBps, signalFor, stopLossPrice } from './decide-signal.ts'

describe('signalFor', () => {
  it('calls BUY above ½ + threshold, SELL below ½ − threshold, and HOLD between or where nothing is known', () => {
    expect([0.56, 0.55, 0.5, 0.45, 0.44, Number.NaN].map((p) => signalFor(p, 0.05 + 1e-12))).toEqual([
      DECISION.BUY,
      DECISION.HOLD,
      DECISION.HOLD,
      DECISION.HOLD,
      DECISION.SELL,
      DECISION.HOLD,
    ])
  })

  it('holds at the very threshold', () => {
    expect([0.75, 0.25].map((p) => signalFor(p, 0.25))).toEqual([DECISION.HOLD, DECISION.HOLD])
  })

  it('marks the most confident third by the default threshold', () => {
    const p = Float64Array.from({ length: 300 }, (_, i) => 0.5 + ((i % 2 === 0 ? 1 : -1) * i) / 1000)
    const threshold = confidentThreshold(p)
    expect(p.filter((v) => signalFor(v, threshold) !== DECISION.HOLD).length).toBe(100)
  })
})

describe('edge and move', () => {
  it('expect 0.798 σ of a normal with σ = 1 %: 79.8 bps', () => expect(expectedMoveBps(0.01)).toBeCloseTo(79.788, 3))

  it('leave (2 × 0.6 − 1) × 100 − 22 = −2 bps', () => expect(edgeBps(0.6, 100, 22)).toBeCloseTo(-2, 12))
})

describe('stopLossPrice', () => {
  it('stands at the 5 % quantile, or two ATR away where that is nearer', () => {
    expect(stopLossPrice(true, 100, 2, 97, 103)).toBe(97)
    expect(stopLossPrice(true, 100, 1, 97, 103)).toBe(98)
    expect(stopLossPrice(false, 100, 2, 97, 103)).toBe(103)
    expect(stopLossPrice(false, 100, 1, 97, 103)).toBe(102)
  })

  it('stays on the losing side of a fan that lies wholly on the other', () => {
    expect(stopLossPrice(true, 100, 1, 101, 103)).toBe(98)
    expect(stopLossPrice(true, 100, 1, 100, 103)).toBe(98)
    expect(stopLossPrice(false, 100, 1, 97, 100)).toBe(102)
  })
})

describe('reasonSentence', () => {
  const facts = {
    signal: DECISION.BUY,
    pUp: 0.562,
    threshold: 0.031,
    signalHorizon: 1,
    expectedMoveBps: 34.2,
    edgeBps: -17.8,
    costBps: 22,
    low: 61_234.5678,
    high: 62_400,
    horizons: 8,
  }

  it('says what is called, how sure, and that costs eat it', () => {
    expect(reasonSentence(facts)).toBe(
      'BUY: a higher close of the next candle is 56.2% likely; a signal needs more than 53.10%. The move is about ' +
        '0.34%: after costs of 0.22% a trade is expected to lose 0.18%. Nine of ten closes 8 candles ahead should ' +
        'land between 61,234.6 and 62,400.',
    )
  })

  it('calls a fall by its own probability, with the edge that is left', () => {
    expect(reasonSentence({ ...facts, signal: DECISION.SELL, pUp: 0.4, signalHorizon: 3, edgeBps: 5 })).toBe(
      'SELL: a lower close 3 candles ahead is 60.0% likely; a signal needs more than 53.10%. The move is about ' +
        '0.34%: after costs of 0.22% a trade is expected to make 0.05%. Nine of ten closes 8 candles ahead should ' +
        'land between 61,234.6 and 62,400.',
    )
  })

  it('holds within the limit', () => {
    expect(reasonSentence({ ...facts, signal: DECISION.HOLD, pUp: 0.52 })).toMatch(
      /^HOLD: a higher close of the next candle is 52\.0% likely; a signal needs more than 53\.10%\./,
    )
  })

  it('says why there is no forecast', () => {
    expect(reasonSentence({ ...facts, pUp: Number.NaN })).toMatch(/^HOLD: too few candles/)
  })
})
