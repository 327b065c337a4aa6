import { describe, expect, it } from 'vitest'
import { runBacktest } from '../backtest.ts'
import { backtestSettings } from '../backtest-settings.ts'
import { type Candles, candlesFromRows, sliceCandles } from '../candles.ts'
import { metricsOf } from '../metrics.ts'
import type { FundingSeries } from '../models/funding.ts'
import { type PlannedBot, planOf } from '../policies/plan.ts'
import { createRandom } from '../random.ts'
import { createRuleColumns } from '../rules/rule-columns.ts'
import { ruleDecisions } from '../rules/rule-decisions.ts'
import { createRealityCheck, drawBlocks } from '../selection/reality-check.ts'
import { createSearchRuns, type SearchGround, sharpeOverHolding } from './search-runs.ts'
import { pointsOf } from './search-space.ts'
import { botAt } from './searched-bot.ts'

const DAY_MS = 86_400_000

/** A random walk of candles; in a planted one the day after a fall of a deviation and more rises by `edge`. */
function walk(seed: number, length: number, stepMs: number, edge = 0): Candles {
  const random = createRandom(seed)
  let close = 100
  let before = 0
  return candlesFromRows(
    Array.from({ length }, (_, i) => {
      const open = close
      const change = 0.02 * random.normal() + (before < -0.02 ? edge : 0)
      close = open * Math.exp(change)
      before = change
      const [high, low] = [Math.max(open, close) * 1.005, Math.min(open, close) * 0.995]
      return [i * stepMs, open, high, low, close, 1]
    }),
  )
}

const bot = (rule: string): PlannedBot => ({
  tradingPairs: ['BTCUSDT'],
  riskLevel: 'medium',
  marketType: 'spot',
  positionSize: 0,
  leverage: 1,
  maxDrawdown: 0,
  takeProfitPct: 0,
  stopLossPct: 0,
  initialBalance: 1000,
  mlModelVersion: null,
  mlModelVersions: null,
  consensusConfig: null,
  isVirtual: true,
  parameters: { policy: 'rule', rule, sizing: { kind: 'percent_of_equity', pct: 100 } },
})

const CROSS = 'enter: ema({fast}) > ema({slow}) exit: ema({fast}) < ema({slow})'
const PERIODS = [
  { name: 'fast', values: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  { name: 'slow', values: [12, 15, 18, 21, 25, 30, 35, 40, 45, 50] },
]
const costs = { feeRate: 0.0006, slippageBps: 5, noSameBarReentry: true, lotSize: 0, minNotional: 0 }

/** At every eighth candle, in turns paid by longs and by shorts. */
const ratesOf = ({ ts }: Candles): FundingSeries => {
  const due = ts.filter((_, i) => i % 8 === 0)
  return {
    ts: due,
    rate: due.map((_, k) => 0.0003 * Math.cos(k)),
    mark: due.map(() => Number.NaN),
    known: [{ fromMs: 0, untilMs: due.at(-1)! }],
  }
}

const ground = (candles: Candles, given: Partial<SearchGround> = {}): SearchGround => ({
  candles,
  from: 0,
  timeframe: '1d',
  forecast: null,
  bot: bot(CROSS),
  costs,
  funding: null,
  space: { parameters: PERIODS, sample: null },
  ...given,
})

describe('a point of a search', () => {
  it.each(['spot', 'futures'] as const)(
    'is its backtest on the searched candles of %s: return, drawdown and trades, to the bit',
    (marketType) => {
      const hours = walk(3, 3000, DAY_MS / 24)
      const funding = marketType === 'spot' ? null : ratesOf(hours)
      const parameters = [...PERIODS, { name: 'stopLossPct', values: [0, 2] }]
      const searched = ground(hours, {
        timeframe: '1h',
        from: 500,
        space: { parameters, sample: null },
        bot: { ...bot(CROSS), marketType },
        funding,
      })
      const runs = createSearchRuns(searched)
      for (const place of [0, 1, 77, 198, 199]) {
        const [fast, slow] = [Math.floor(place / 20), Math.floor(place / 2) % 10]
        const values = {
          fast: PERIODS[0]!.values[fast]!,
          slow: PERIODS[1]!.values[slow]!,
          stopLossPct: place % 2 === 0 ? 0 : 2,
        }
        const plan = planOf(botAt(searched.bot, values))
        const decisions = ruleDecisions(
          plan.rule!,
          createRuleColumns({ candles: hours, timeframe: '1h', forecast: null }),
        )
        const run = sliceCandles(hours, 500)
        const settings = backtestSettings({ ...plan.settings, ...costs, timeframe: '1h' })
        const size = new Float64Array(run.length)
        const result = runBacktest(run, decisions.slice(500), settings, funding, size)
        const { maxDrawdownPct, totalReturnPct, trades, funding: paid } = metricsOf(result, run)
        expect(paid === 0).toBe(marketType === 'spot')
        const point = runs.run(place)
        expect(point).toMatchObject({ maxDrawdownPct, netReturnPct: totalReturnPct, trades })
        expect(sharpeOverHolding({ equity: result.equity, size }, run, '1h') ?? 0).toBe(point.sharpe)
      }
    },
  )

  it('that always holds half has nothing over holding half', () => {
    const half = bot('enter: close > 0 exit: close < 0')
    const parameters = [{ name: 'sizePct', values: [50] }]
    const free = { ...costs, feeRate: 0, slippageBps: 0 }
    const [candles, space] = [walk(4, 400, DAY_MS), { parameters, sample: null }]
    const { excess, trades } = createSearchRuns(ground(candles, { bot: half, costs: free, space })).run(0)
    expect(trades).toBe(0)
    // Its share drifts with the price, which is all that is left.
    const spread = Math.sqrt(excess.reduce((sum, x) => sum + x * x, 0) / excess.length)
    expect(spread).toBeLessThan(0.006)
    expect(Math.abs(excess.reduce((sum, x) => sum + x, 0) / excess.length)).toBeLessThan(0.0005)
  })

  it('is the same in whatever order points are asked for', () => {
    const searched = ground(walk(5, 600, DAY_MS))
    const [forwards, backwards] = [createSearchRuns(searched), createSearchRuns(searched)]
    const there = [3, 40, 41, 99].map((place) => forwards.run(place))
    const back = [99, 41, 40, 3].map((place) => backwards.run(place)).reverse()
    expect(there).toEqual(back)
  })

  it('of a policy trades its share by its risk', () => {
    const steady = { ...bot(''), parameters: { policy: 'steady_risk' as const } }
    const parameters = [{ name: 'riskPct', values: [20, 60] }]
    const runs = createSearchRuns(
      ground(walk(6, 3000, DAY_MS / 24), { bot: steady, timeframe: '1h', space: { parameters, sample: null } }),
    )
    const [low, high] = [runs.run(0), runs.run(1)]
    expect(low.maxDrawdownPct).toBeLessThan(high.maxDrawdownPct)
  })
})

/** The verdict of a search over 300 days, without costs. */
function searched(seed: number, { edge = 0, rule = CROSS, parameters = PERIODS } = {}) {
  const space = { parameters, sample: null }
  const free = { ...costs, feeRate: 0, slippageBps: 0 }
  const runs = createSearchRuns(ground(walk(seed, 301, DAY_MS, edge), { bot: bot(rule), space, costs: free }))
  const check = createRealityCheck(drawBlocks(runs.rows, createRandom(seed).next, 199))
  let best = Number.NEGATIVE_INFINITY
  for (const place of pointsOf(space)) {
    const { excess, sharpe } = runs.run(place)
    best = Math.max(best, sharpe)
    check.add(excess)
  }
  return { p: check.result().p, best }
}

describe('searches of 100 rules', () => {
  it('on 100 random walks call the best better than luck at most 10 times', () => {
    const found = Array.from({ length: 100 }, (_, seed) => searched(seed + 1))
    expect(found.filter(({ p }) => p <= 0.05).length).toBeLessThanOrEqual(10)
    // Taken by itself the best has a yearly Sharpe ratio above 1 in every third.
    expect(found.filter(({ best }) => best > 1).length).toBeGreaterThan(33)
  })

  it('find an edge that is planted into the walk', () => {
    const rule = 'enter: roc(1) < -{fall}% time: {held}'
    const parameters = [
      { name: 'fall', values: [1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8] },
      { name: 'held', values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    ]
    const found = Array.from({ length: 10 }, (_, seed) => searched(seed + 1, { edge: 0.02, rule, parameters }))
    expect(found.filter(({ p }) => p <= 0.05).length).toBeGreaterThan(8)
  })
})
