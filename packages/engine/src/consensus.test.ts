import type { ConsensusConfig } from '@shapecast/contracts/bots'
import type { Signal } from '@shapecast/contracts/ml'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consensusColumns, reachConsensus, type Vote } from './consensus.ts'
import { decisionOfSignal } from './decisions.ts'

const config = (given: Partial<ConsensusConfig> = {}): ConsensusConfig => ({
  strategy: 'majority',
  minAgreement: 2,
  minConfidence: 0.6,
  onDisagreement: 'hold',
  ...given,
})
/** Votes from words such as "BUY 0.7". */
const votes = (...words: string[]): Vote[] =>
  words.map((word) => {
    const [signal, confidence] = word.split(' ') as [Signal, string]
    return { signal, confidence: Number(confidence) }
  })
const outcome = (given: Vote[], how: Partial<ConsensusConfig> = {}) => {
  const { signal, confidence, rule, acted } = reachConsensus(given, config(how))
  return [signal, Number(confidence.toFixed(9)), rule, acted]
}

describe('unanimous', () => {
  const strategy = 'unanimous'
  it('three BUY at 0.6, 0.7, 0.8: BUY with their mean of 0.7', () =>
    expect(outcome(votes('BUY 0.6', 'BUY 0.7', 'BUY 0.8'), { strategy })).toEqual(['BUY', 0.7, 'unanimous', true]))
  it('one HOLD among them is a disagreement', () =>
    expect(outcome(votes('BUY 0.6', 'HOLD 0.7'), { strategy })).toEqual(['HOLD', 0, 'disagreement_hold', true]))
})

describe('majority', () => {
  it('two SELL of three, two needed: SELL with the mean of the two', () =>
    expect(outcome(votes('SELL 0.6', 'BUY 0.9', 'SELL 0.7'))).toEqual(['SELL', 0.65, 'majority', true]))
  it('two of three, three needed: no', () =>
    expect(outcome(votes('SELL 0.6', 'BUY 0.9', 'SELL 0.7'), { minAgreement: 3 })[2]).toBe('disagreement_hold'))
  it('two against two is no majority', () =>
    expect(outcome(votes('SELL 0.6', 'BUY 0.9', 'SELL 0.7', 'BUY 0.9'))[2]).toBe('disagreement_hold'))
  it('HOLD can have the majority too', () =>
    expect(outcome(votes('HOLD 0.5', 'BUY 0.9', 'HOLD 0.5'))).toEqual(['HOLD', 0.5, 'majority', true]))
})

describe('weighted', () => {
  const strategy = 'weighted'
  it('BUY 0.9 against SELL 0.6 has 60 % of the confidence: enough for 0.6, not for 0.61', () => {
    const both = votes('BUY 0.9', 'SELL 0.6')
    expect(outcome(both, { strategy })).toEqual(['BUY', 0.9, 'weighted', true])
    expect(outcome(both, { strategy, minConfidence: 0.61 })[2]).toBe('disagreement_hold')
  })
  it('one sure vote outweighs two weak ones', () =>
    expect(outcome(votes('BUY 0.95', 'SELL 0.3', 'SELL 0.3'), { strategy })[0]).toBe('BUY'))
})

describe('confidence_threshold', () => {
  const strategy = 'confidence_threshold'
  it('the surest vote decides at 0.6 and not at 0.59', () => {
    expect(outcome(votes('BUY 0.6', 'SELL 0.5', 'SELL 0.55'), { strategy })).toEqual([
      'BUY',
      0.6,
      'confidence_threshold',
      true,
    ])
    expect(outcome(votes('BUY 0.59', 'BUY 0.5'), { strategy })[2]).toBe('disagreement_hold')
  })
  it('has the confidence of the surest, not the mean of those who agree', () =>
    expect(outcome(votes('BUY 0.9', 'BUY 0.7', 'SELL 0.5'), { strategy })).toEqual([
      'BUY',
      0.9,
      'confidence_threshold',
      true,
    ]))
  it('two equally sure votes for different signals decide nothing', () =>
    expect(outcome(votes('BUY 0.7', 'SELL 0.7'), { strategy })[0]).toBe('HOLD'))
})

describe('where the votes disagree', () => {
  const split = votes('BUY 0.7', 'SELL 0.6')
  it('hold', () => expect(outcome(split)).toEqual(['HOLD', 0, 'disagreement_hold', true]))
  it('skip is not acted on', () =>
    expect(outcome(split, { onDisagreement: 'skip' })).toEqual(['HOLD', 0, 'disagreement_skip', false]))
  it('use_highest_confidence takes the surest vote, whatever the threshold', () =>
    expect(outcome(split, { onDisagreement: 'use_highest_confidence', minConfidence: 0.9 })).toEqual([
      'BUY',
      0.7,
      'disagreement_highest_confidence',
      true,
    ]))
  it('use_highest_confidence with equally sure votes holds', () =>
    expect(outcome(votes('BUY 0.7', 'SELL 0.7'), { onDisagreement: 'use_highest_confidence' })[2]).toBe(
      'disagreement_tie',
    ))
  it('without any vote there is nothing to act on', () => expect(outcome([])).toEqual(['HOLD', 0, 'no_votes', false]))
})

const anyVote = fc.record({
  signal: fc.constantFrom<Signal>('BUY', 'SELL', 'HOLD'),
  confidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0.5, 0.6)),
})
const anyVotes = fc.array(anyVote, { minLength: 2, maxLength: 5 })
const anyConfig: fc.Arbitrary<ConsensusConfig> = fc.record({
  strategy: fc.constantFrom(
    'unanimous' as const,
    'majority' as const,
    'weighted' as const,
    'confidence_threshold' as const,
  ),
  minAgreement: fc.integer({ min: 2, max: 5 }),
  minConfidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0.5, 0.6)),
  onDisagreement: fc.constantFrom('hold' as const, 'skip' as const, 'use_highest_confidence' as const),
})
const OPPOSITE = { BUY: 'SELL', SELL: 'BUY', HOLD: 'HOLD' } as const

describe('properties', () => {
  it('the order of the votes never matters', () =>
    fc.assert(
      fc.property(anyVotes, anyConfig, fc.integer({ min: 1, max: 4 }), (given, how, turn) => {
        const turned = [...given.slice(turn), ...given.slice(0, turn)].reverse()
        expect(reachConsensus(turned, how)).toEqual(reachConsensus(given, how))
      }),
    ))
  it('votes that all agree win wherever the settings can be met', () =>
    fc.assert(
      fc.property(anyVotes, anyConfig, fc.constantFrom<Signal>('BUY', 'SELL'), (given, how, signal) => {
        const agreed = given.map((vote) => ({ signal, confidence: 0.01 + 0.99 * vote.confidence }))
        const surest = Math.max(...agreed.map((vote) => vote.confidence))
        if (how.strategy === 'majority' && how.minAgreement > agreed.length) return
        if (how.strategy === 'confidence_threshold' && surest < how.minConfidence + 1e-9) return
        expect(reachConsensus(agreed, how)).toMatchObject({ signal, rule: how.strategy, acted: true })
      }),
    ))
  it('only a signal that somebody voted for is acted on, with a confidence between the votes', () =>
    fc.assert(
      fc.property(anyVotes, anyConfig, (given, how) => {
        const { signal, confidence } = reachConsensus(given, how)
        if (signal === 'HOLD') return
        const own = given.filter((vote) => vote.signal === signal).map((vote) => vote.confidence)
        expect(confidence).toBeGreaterThanOrEqual(Math.min(...own) - 1e-9)
        expect(confidence).toBeLessThanOrEqual(Math.max(...own) + 1e-9)
      }),
    ))
  it('turning every vote around turns the decision around', () =>
    fc.assert(
      fc.property(anyVotes, anyConfig, (given, how) => {
        const straight = reachConsensus(given, how)
        const turned = reachConsensus(
          given.map((vote) => ({ ...vote, signal: OPPOSITE[vote.signal] })),
          how,
        )
        expect(turned.signal).toBe(OPPOSITE[straight.signal])
        expect([turned.rule, turned.confidence]).toEqual([straight.rule, straight.confidence])
      }),
    ))
  it('columns decide each candle as its votes alone do; a model that says nothing (NaN) has no vote', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(anyVote, { minLength: 3, maxLength: 3 }), { maxLength: 20 }),
        anyConfig,
        (rows, how) => {
          const models = [0, 1, 2].map((m) => ({
            signals: Int8Array.from(rows, (row) => decisionOfSignal(row[m]!.signal)),
            confidences: Float64Array.from(rows, (row, i) =>
              m === 2 && i % 3 === 0 ? Number.NaN : row[m]!.confidence,
            ),
          }))
          const columns = consensusColumns(models, how)
          for (const [i, row] of rows.entries()) {
            const single = reachConsensus(i % 3 === 0 ? row.slice(0, 2) : row, how)
            expect(columns.decisions[i]).toBe(decisionOfSignal(single.signal))
            expect(columns.confidences[i]).toBe(single.confidence)
          }
        },
      ),
    ))
  it('no models decide nothing, and confidences that are missing are refused', () => {
    expect(consensusColumns([], config()).decisions).toHaveLength(0)
    expect(() => consensusColumns([{ signals: new Int8Array(2), confidences: new Float64Array(1) }], config())).toThrow(
      RangeError,
    )
  })
  it('columns of different lengths are refused', () =>
    expect(() =>
      consensusColumns(
        [
          { signals: new Int8Array(2), confidences: new Float64Array(2) },
          { signals: new Int8Array(3), confidences: new Float64Array(3) },
        ],
        config(),
      ),
    ).toThrow(RangeError))
})
