import { describe, expect, it } from 'vitest'
import { runBacktest } from '../backtest.ts'
import { backtestSettings } from '../backtest-settings.ts'
import { type Candles, candlesFromRows, sliceCandles } from '../candles.ts'
import { type PlannedBot, planOf } from '../policies/plan.ts'
import { createRandom } from '../random.ts'
import { loadedCandles } from '../rules/look-back.ts'
import { createRuleColumns } from '../rules/rule-columns.ts'
import { ruleDecisions } from '../rules/rule-decisions.ts'
import type { SearchGround } from '../search/search-runs.ts'
import { valuesAt } from '../search/search-space.ts'
import { botAt } from '../search/searched-bot.ts'
import { foldsOf } from './folds.ts'
import { chooseFold, stitchFolds } from './walk-forward.ts'

const STEP = 4 * 3_600_000

/** A random walk whose drift turns every `turn` candles; 0 never. */
function walk(seed: number, length: number, turn = 0): Candles {
  const random = createRandom(seed)
  let close = 100
  return candlesFromRows(
    Array.from({ length }, (_, i) => {
      const open = close
      const drift = turn === 0 ? 0 : Math.floor(i / turn) % 2 === 0 ? 0.01 : -0.01
      close = open * Math.exp(drift + 0.01 * random.normal())
      return [i * STEP, open, Math.max(open, close) * 1.004, Math.min(open, close) * 0.996, close, 1]
    }),
  )
}

const bot = (rule: string, more: Partial<PlannedBot> = {}): PlannedBot => ({
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
  ...more,
})
const costs = { feeRate: 0.0006, slippageBps: 5, noSameBarReentry: true, lotSize: 0, minNotional: 0 }
const RULE = 'enter: close > sma({n}) exit: close < sma({n}) trail: 8% stop: 5%'
const FROM = 60
const ground = (candles: Candles, values: number[], more: Partial<SearchGround> = {}): SearchGround => ({
  candles,
  from: FROM,
  timeframe: '4h',
  forecast: null,
  bot: bot(RULE),
  costs,
  funding: null,
  space: { parameters: [{ name: 'n', values }], sample: null },
  ...more,
})

describe('the folds of a walk', () => {
  it('lie end to end, reach to the last candle and roll', () =>
    expect(foldsOf(1050, { train: 400, test: 200, anchored: false })).toEqual([
      { trainFrom: 50, testFrom: 450, testTo: 650 },
      { trainFrom: 250, testFrom: 650, testTo: 850 },
      { trainFrom: 450, testFrom: 850, testTo: 1050 },
    ]))
  it('begin at the first candle where they are anchored', () =>
    expect(foldsOf(1050, { train: 400, test: 200, anchored: true }).map(({ trainFrom }) => trainFrom)).toEqual([
      0, 0, 0,
    ]))
  it('must be two at least and sixty at most', () => {
    expect(() => foldsOf(799, { train: 400, test: 200, anchored: false })).toThrow('hold 1 folds of 400 and 200')
    expect(() => foldsOf(1000, { train: 20, test: 10, anchored: false })).toThrow('at most 60')
  })
})

describe('a walk', () => {
  const folds = foldsOf(900, { train: 300, test: 150, anchored: false })

  it('of one setting trades as a backtest does, to the bit', () => {
    // Enough for its averages to begin where those of the whole do.
    const history = 1043
    const all = walk(1, history + 900)
    const due = all.ts.filter((_, i) => i % 2 === 0)
    const rates = { ts: due, rate: due.map((_, k) => 0.0003 * Math.cos(k)), mark: due.map(() => Number.NaN) }
    const funding = { ...rates, known: [{ fromMs: 0, untilMs: due.at(-1)! }] }
    const one = ground(all, [20], { from: history, bot: { ...bot(RULE), marketType: 'futures' }, funding })
    const choices = folds.map((fold) => chooseFold(one, fold, 1))
    const { result, candles, metrics } = stitchFolds(one, folds, choices)
    const plan = planOf(botAt(one.bot, { n: 20 }))
    expect(loadedCandles(plan.rule!)).toBe(history)
    const decisions = ruleDecisions(plan.rule!, createRuleColumns({ candles: all, timeframe: '4h', forecast: null }))
    const tested = sliceCandles(all, history + 300)
    const alone = runBacktest(
      tested,
      decisions.slice(history + 300),
      backtestSettings({ ...plan.settings, timeframe: '4h', ...costs }),
      funding,
    )
    expect(candles).toEqual(tested)
    expect(result.equity).toEqual(alone.equity)
    expect(result.trades).toEqual(alone.trades)
    expect(metrics.trades).toBeGreaterThan(10)
    expect(metrics.funding).not.toBe(0)
    expect([result.fundingAssumed, alone.fundingAssumed]).toEqual([0, 0])
  })

  it('chooses by what lies before a stretch only', () => {
    const before = walk(2, 960, 40)
    const after = candlesFromRows(
      Array.from(before.ts, (ts, i) =>
        [ts, before.open[i]!, before.high[i]!, before.low[i]!, before.close[i]!, 1].map((value, c) =>
          // From the second stretch on other prices.
          c > 0 && i >= FROM + 450 ? value * (1 + 0.3 * Math.sin(i)) : value,
        ),
      ),
    )
    const values = [5, 10, 20, 40]
    const chosen = [before, after].map((candles) => chooseFold(ground(candles, values), folds[1]!, 1))
    expect(chosen[0]).toEqual(chosen[1])
    const equities = [before, after].map((candles) => {
      const on = ground(candles, values)
      return stitchFolds(
        on,
        folds,
        folds.map((fold) => chooseFold(on, fold, 1)),
      ).result.equity.slice(0, 150)
    })
    expect(equities[0]).toEqual(equities[1])
  })

  it('takes the best Sharpe ratio of those that traded enough', () => {
    const on = ground(walk(3, 960, 40), [5, 10, 20, 40])
    const tried = [0, 1, 2, 3].map((place) =>
      chooseFold(
        { ...on, space: { parameters: [{ name: 'n', values: [valuesAt(on.space, place).n!] }], sample: null } },
        folds[0]!,
        1,
      ),
    )
    const best = tried.toSorted((a, b) => b.sharpe - a.sharpe)[0]!
    expect(chooseFold(on, folds[0]!, 1)).toMatchObject({ sharpe: best.sharpe, trades: best.trades })
    expect(chooseFold(on, folds[0]!, 10_000)).toMatchObject({ place: null })
  })

  it('stays out where nothing traded enough, and says that no ratio is known', () => {
    const on = ground(walk(4, 960), [5])
    const none = folds.map((fold) => chooseFold(on, fold, 10_000))
    const found = stitchFolds(on, folds, none)
    expect(found.metrics).toMatchObject({ trades: 0, totalReturnPct: 0 })
    expect(found).toMatchObject({ inSampleSharpe: null, outOfSampleSharpe: null, efficiency: null })
    expect(found.folds.map(({ sharpe }) => sharpe)).toEqual([null, null, null, null])
  })

  it('has an efficiency of what was left of the promise', () => {
    const on = ground(walk(5, 960, 40), [5, 10, 20])
    const choices = folds.map((fold) => chooseFold(on, fold, 1))
    const { folds: found, inSampleSharpe, outOfSampleSharpe, efficiency } = stitchFolds(on, folds, choices)
    expect(inSampleSharpe).toBeCloseTo(choices.reduce((sum, { sharpe }) => sum + sharpe, 0) / 4, 10)
    expect(outOfSampleSharpe).toBeCloseTo(found.reduce((sum, { sharpe }) => sum + sharpe!, 0) / 4, 10)
    expect(efficiency).toBeCloseTo(outOfSampleSharpe! / inSampleSharpe!, 10)
    const total = found.reduce((product, { netReturnPct }) => product * (1 + netReturnPct / 100), 1)
    expect(stitchFolds(on, folds, choices).metrics.totalReturnPct).toBeCloseTo(100 * (total - 1), 8)
  })

  it('goes through policies too', () => {
    const on = ground(walk(6, 960, 40), [20, 40, 60], {
      bot: bot('', { parameters: { policy: 'steady_risk' } }),
      space: { parameters: [{ name: 'riskPct', values: [20, 40, 60] }], sample: null },
    })
    const { metrics, folds: found } = stitchFolds(
      on,
      folds,
      folds.map((fold) => chooseFold(on, fold, 0)),
    )
    expect(metrics.totalReturnPct).not.toBe(0)
    expect(found).toHaveLength(4)
  })
})
