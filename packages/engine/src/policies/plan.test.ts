import type { ConsensusConfig } from '@shapecast/contracts/bots'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decisionOfSignal } from '../decisions.ts'
import { asksModels, decide, decideColumns, type Forecast, type Plan, type PlannedBot, planOf } from './plan.ts'

const BOT: PlannedBot = {
  tradingPairs: ['BTCUSDT'],
  riskLevel: 'medium',
  marketType: 'futures',
  leverage: 10,
  positionSize: 0.02,
  initialBalance: 500,
  maxDrawdown: 25,
  takeProfitPct: 4,
  stopLossPct: 2,
  mlModelVersion: 'v3',
  mlModelVersions: null,
  consensusConfig: null,
  parameters: null,
  isVirtual: true,
}
const UNANIMOUS: ConsensusConfig = {
  strategy: 'unanimous',
  minAgreement: 2,
  minConfidence: 0.6,
  onDisagreement: 'hold',
}

describe('the plan of a bot', () => {
  it('on futures has its leverage, its size in base and its limits', () =>
    expect(planOf(BOT)).toEqual({
      versions: ['v3'],
      consensus: null,
      requireEdge: false,
      settings: {
        market: 'futures',
        initialBalance: 500,
        leverage: 10,
        sizing: { kind: 'fixed', quantity: 0.02 },
        takeProfitPct: 4,
        stopLossPct: 2,
        maxDrawdownPct: 25,
      },
    }))

  it('with a policy has its targets: the risk of its level, divided among its pairs, and asks a model only as a brake', () => {
    const spot = { ...BOT, marketType: 'spot', tradingPairs: ['BTCUSDT', 'ETHUSDT'], riskLevel: 'high' } as const
    const steady = planOf({ ...spot, tradingPairs: [...spot.tradingPairs], parameters: { policy: 'steady_risk' } })
    expect(steady.targets).toEqual({ policy: 'steady_risk', risk: 0.6, pairs: 2, band: 0.075, decisionHour: 0 })
    expect(steady.settings.targetBand).toBe(0.075)
    expect(asksModels(steady)).toBe(false)
    expect(asksModels(planOf({ ...BOT, parameters: { policy: 'model_brake' } }))).toBe(true)
    expect(asksModels(planOf(BOT))).toBe(true)
  })

  it.each([
    ['stop: 4% target: 9%', { stopLossPct: 2, takeProfitPct: 4 }],
    ['stop: 1% target: 3%', { stopLossPct: 1, takeProfitPct: 3 }],
    ['trail: 3% time: 12', { stopLossPct: 2, takeProfitPct: 4, trailingStopPct: 3, timeExitCandles: 12 }],
  ])(
    'with a rule of %s has the nearer stop and the nearer target of its own 2% and 4% and of the rule',
    (exits, has) => {
      const { rule, settings } = planOf({
        ...BOT,
        parameters: { policy: 'rule', rule: `enter: close > open ${exits}` },
      })
      expect(settings).toMatchObject(has)
      expect(rule!.enter).toMatchObject({ kind: 'compare', op: '>' })
    },
  )

  it('with a rule has the stop of either where the other has none, and asks a model where the rule looks at it', () => {
    const of = (rule: string) =>
      planOf({ ...BOT, stopLossPct: 0, takeProfitPct: 0, parameters: { policy: 'rule', rule } })
    expect(of('enter: close > open stop: 4%').settings).toMatchObject({ stopLossPct: 4, takeProfitPct: 0 })
    expect(asksModels(of('enter: close > open stop: 4%'))).toBe(false)
    expect(asksModels(of('enter: close > open exit: 1 - p_up > 0.5'))).toBe(true)
  })

  it('with a drawdown limit of 0 has none', () =>
    expect(planOf({ ...BOT, maxDrawdown: 0 }).settings.maxDrawdownPct).toBe(100))

  it('trades real money only where there is an edge, unless its owner says otherwise', () => {
    const real = { ...BOT, isVirtual: false }
    expect([planOf(BOT).requireEdge, planOf(real).requireEdge]).toEqual([false, true])
    expect(planOf({ ...real, parameters: { requireEdge: false } }).requireEdge).toBe(false)
  })

  it('on spot has no leverage', () => expect(planOf({ ...BOT, marketType: 'spot' }).settings.leverage).toBe(1))

  it('without a model follows the one in production; of an ensemble has its rule, or two of its votes', () => {
    expect(planOf({ ...BOT, mlModelVersion: null }).versions).toEqual([])
    const ensemble = { ...BOT, mlModelVersion: null, mlModelVersions: ['v3', 'v4'] }
    expect(planOf({ ...ensemble, consensusConfig: UNANIMOUS }).consensus).toBe(UNANIMOUS)
    expect(planOf(ensemble).consensus).toMatchObject({ strategy: 'majority', minAgreement: 2, onDisagreement: 'hold' })
  })

  it('has the sizing and the demand for an edge of its parameters', () => {
    const sizing = { kind: 'quote_amount', quote: 50 } as const
    const { settings, requireEdge } = planOf({ ...BOT, parameters: { sizing, requireEdge: true } })
    expect([settings.sizing, requireEdge]).toEqual([sizing, true])
  })
})

describe('a decision', () => {
  const single = planOf(BOT)
  const careful = planOf({ ...BOT, parameters: { requireEdge: true } })
  const buy = (edgeBps: number): Forecast => ({ signal: 'BUY', confidence: 0.7, edgeBps })

  it('is the call of a single model', () =>
    expect(decide([buy(-5)], single)).toEqual({ signal: 'BUY', confidence: 0.7, rule: null, acted: true }))

  it('holds at 0 bps and acts at 1 when it demands an edge', () => {
    expect(decide([buy(0)], careful)).toMatchObject({ signal: 'HOLD', rule: 'no_edge' })
    expect(decide([buy(1)], careful)).toMatchObject({ signal: 'BUY', rule: null })
  })

  it('counts a call without an edge as HOLD in an ensemble: one of two is not unanimous', () => {
    const plan: Plan = { ...careful, consensus: UNANIMOUS }
    expect(decide([buy(1), buy(0)], plan)).toMatchObject({ signal: 'HOLD', rule: 'disagreement_hold' })
    expect(decide([buy(1), buy(2)], plan)).toMatchObject({ signal: 'BUY', rule: 'unanimous' })
  })

  it('without any forecast is none', () =>
    expect(decide([], single)).toMatchObject({ signal: 'HOLD', acted: false, rule: 'no_votes' }))

  it('at one candle is the same as in columns', () => {
    const forecast = fc.record({
      signal: fc.constantFrom('BUY', 'SELL', 'HOLD'),
      confidence: fc.oneof(
        fc.constant(Number.NaN),
        fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
      ),
      edgeBps: fc.constantFrom(-1, 0, 1, Number.NaN),
    })
    const plans = fc.record({
      requireEdge: fc.boolean(),
      consensus: fc.option(
        fc.record({
          strategy: fc.constantFrom('unanimous', 'majority', 'weighted', 'confidence_threshold'),
          minAgreement: fc.integer({ min: 2, max: 3 }),
          minConfidence: fc.constantFrom(0, 0.5, 0.6),
          onDisagreement: fc.constantFrom('hold', 'skip', 'use_highest_confidence'),
        }),
      ),
    })
    fc.assert(
      fc.property(plans, fc.array(fc.tuple(forecast, forecast, forecast), { minLength: 1 }), (given, candles) => {
        const plan = { ...single, ...given } as Plan
        const models = (plan.consensus === null ? [0] : [0, 1, 2]) as (0 | 1 | 2)[]
        const columns = models.map((model) => {
          const rows = candles.map((row) => row[model] as Forecast)
          return {
            signal: Int8Array.from(rows, (row) => (Number.isNaN(row.confidence) ? 0 : decisionOfSignal(row.signal))),
            confidence: Float64Array.from(rows, (row) => row.confidence),
            edgeBps: Float64Array.from(rows, (row) => row.edgeBps),
          }
        })
        const { decisions } = decideColumns(columns, plan)
        candles.forEach((row, i) => {
          const said = models.map((model) => row[model] as Forecast).filter((each) => !Number.isNaN(each.confidence))
          expect(decisions[i]).toBe(decisionOfSignal(decide(said, plan).signal))
        })
      }),
    )
  })
})
