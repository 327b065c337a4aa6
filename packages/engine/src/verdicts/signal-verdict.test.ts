import type { BotPrediction, Prediction } from '@shapecast/contracts/predictions'
import { describe, expect, it } from 'vitest'
import { consensusVerdict, signalVerdict } from './signal-verdict.ts'

const said = (signal: 'BUY' | 'SELL' | 'HOLD', edgeBps: number, stopLoss = 990) => ({
  signal,
  edgeBps,
  stopLoss,
  current_price: 1000,
})

describe('the verdict on a signal', () => {
  it('is not worth trading where 3 bps are expected and 22 are paid, whatever is called', () => {
    for (const signal of ['BUY', 'HOLD'] as const)
      expect(signalVerdict(said(signal, -19), 22, 6)).toEqual({
        code: 'not_worth_trading',
        leans: 'up',
        expectedBps: 3,
        costBps: 22,
        edgeBps: -19,
        horizon: 6,
      })
  })

  it('is worth trading only above 0, and only where a direction is called', () => {
    expect(signalVerdict(said('BUY', 0), 22, 1).code).toBe('not_worth_trading')
    expect(signalVerdict(said('SELL', 0.5), 22, 1)).toMatchObject({ code: 'worth_trading', leans: 'down' })
    expect(signalVerdict(said('HOLD', 5, 1010), 22, 1)).toMatchObject({ code: 'no_direction', leans: 'down' })
  })

  it('leaves out what is not known', () => {
    expect(signalVerdict(said('BUY', -4), null, null)).toMatchObject({ expectedBps: null, costBps: null, edgeBps: -4 })
  })
})

describe('the verdict on what several models say', () => {
  const votes = (...edges: [signal: 'BUY' | 'SELL' | 'HOLD', edgeBps: number][]): BotPrediction['votes'] =>
    edges.map(([signal, edgeBps], k) => ({
      version: `v${k + 1}`,
      prediction: { verdict: signalVerdict(said(signal, edgeBps), 20, 1) } as Prediction,
      error: null,
    }))

  it('counts a model that leans the other way against the others: 60, 40 and −40 bps are 20, which the costs of 20 take', () => {
    const three = votes(['BUY', 40], ['BUY', 20], ['SELL', 20])
    expect(consensusVerdict({ signal: 'BUY', votes: three })).toEqual({
      code: 'not_worth_trading',
      leans: 'up',
      expectedBps: 20,
      costBps: 20,
      edgeBps: 0,
      horizon: 1,
    })
    expect(consensusVerdict({ signal: 'BUY', votes: three.slice(0, 2) })).toMatchObject({
      code: 'worth_trading',
      edgeBps: 30,
    })
  })

  it('is that of the only model, and none where no model speaks', () => {
    const one = votes(['SELL', -5])
    expect(consensusVerdict({ signal: 'SELL', votes: one })).toEqual(one[0]!.prediction!.verdict)
    expect(consensusVerdict({ signal: 'HOLD', votes: [] })).toBeNull()
    expect(consensusVerdict({ signal: 'BUY', votes: [{ version: 'v1', prediction: null, error: 'gone' }] })).toBeNull()
  })
})
