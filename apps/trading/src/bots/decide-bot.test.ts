import { readFileSync } from 'node:fs'
import { ConsensusConfig } from '@shapecast/contracts/bots'
import type { Policy } from '@shapecast/contracts/policies'
import { runBacktest } from '@shapecast/engine/backtest'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, candlesFromRows, sliceCandles } from '@shapecast/engine/candles'
import { signalOfDecision } from '@shapecast/engine/decisions'
import type { EngineTrade } from '@shapecast/engine/journal'
import { decideColumns, type Plan, type PlannedBot, planOf } from '@shapecast/engine/policies/plan'
import { targetColumn } from '@shapecast/engine/policies/targets'
import { type Bar, createPortfolio, type PairRun, runPortfolio } from '@shapecast/engine/portfolio'
import { createRandom } from '@shapecast/engine/random'
import { createRules } from '@shapecast/engine/rules'
import { ruleText } from '@shapecast/engine/rules/print'
import { arbitraryRules } from '@shapecast/engine/testing/arbitrary-rules'
import { wildCandles } from '@shapecast/engine/testing/small-runs'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { sharedFile } from '@shapecast/venues/testing/shared-data'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BotForecast, RunForecast } from '../deciders/decider.ts'
import { deciderOf } from '../deciders/deciders.ts'
import { type ClosedCandle, type DecidingBot, decideBot, moveBot, type PairTrade } from './decide-bot.ts'

const HOUR = 3_600_000
const TIMEFRAME = '1h'
const ML = { strategy: 'ml' } as const

/** What a model says of a series, made up: any signal, any edge, now and then nothing. */
type ModelColumns = RunForecast
function inventForecasts(candles: Candles, seed: number): ModelColumns {
  const random = createRandom(seed)
  const silent = Array.from({ length: candles.length }, () => random.next() < 0.02)
  const confidence = Float64Array.from(silent, (is) => (is ? Number.NaN : 0.5 + 0.2 * random.next()))
  return {
    signal: Int8Array.from(silent, (is) => (is ? 0 : random.below(3) - 1)),
    confidence,
    edgeBps: Float64Array.from(silent, () => 30 * random.normal()),
    volatility: Float64Array.from(silent, (is) => (is ? Number.NaN : 0.3 + random.next())),
    pUp: Float64Array.from(silent, (is) => (is ? Number.NaN : random.next())),
    medians: [1, 2].map(() =>
      candles.close.map((price, i) => (silent[i] ? Number.NaN : price * (0.99 + 0.02 * random.next()))),
    ),
  }
}
const votesAt = (models: readonly ModelColumns[], i: number): BotForecast[] =>
  models.flatMap((model, k) =>
    Number.isNaN(model.confidence[i]!)
      ? []
      : {
          version: `v${k}`,
          signal: signalOfDecision(model.signal[i]!),
          confidence: model.confidence[i]!,
          pUp: model.pUp[i]!,
          medians: model.medians.map((median) => median[i]!),
          edgeBps: model.edgeBps[i]!,
          costBps: 22,
          volatility: model.volatility[i]!,
          reasoning: null,
        },
  )

interface Scene {
  readonly plan: Plan
  readonly series: ReadonlyMap<string, { candles: Candles; models: readonly ModelColumns[] }>
}

const settingsOf = (plan: Plan) =>
  backtestSettings({
    ...plan.settings,
    timeframe: TIMEFRAME,
    feeRate: 0.0006,
    slippageBps: 5,
    lotSize: 0.001,
    minNotional: 5,
  })

/** What a backtest decides at each close: the columns of the plan. */
function columnsOf(plan: Plan, candles: Candles, models: readonly ModelColumns[]): Int8Array | Float64Array {
  if (plan.rule !== undefined)
    return deciderOf(ML, plan).columns({ bot: ML, plan, timeframe: TIMEFRAME, candles, from: 0, forecasts: models })
      .decisions
  if (plan.targets === undefined) return decideColumns(models, plan).decisions
  const volatilities = plan.targets.policy === 'model_brake' ? models.map((model) => model.volatility) : []
  return targetColumn(plan.targets, candles, 0, TIMEFRAME, volatilities)
}

/** A candle as it stands after a part of its way. */
function forming({ candles, i }: Bar, part: number): Bar {
  const [open, high, low] = [candles.open[i]!, candles.high[i]!, candles.low[i]!]
  const row = [candles.ts[i]!, open, open + part * (high - open), open - part * (open - low), open, 0]
  return { candles: candlesFromRows([row]), i: 0 }
}

/** The bot live: each close and what comes before it, its state written down and read again now and then. */
function live({ plan, series }: Scene, seed: number) {
  const random = createRandom(seed)
  const pairs = [...series.values()]
  const bot: DecidingBot = {
    plan,
    timeframe: TIMEFRAME,
    rules: pairs.map(() => createRules(settingsOf(plan))),
    paused: false,
    decider: deciderOf(ML, plan),
  }
  let portfolio = createPortfolio(plan.settings.initialBalance, [...series.keys()])
  const trades: PairTrade[] = []
  const equity: number[] = []
  const first = Math.min(...pairs.map(({ candles }) => candles.ts[0]!))
  const last = Math.max(...pairs.map(({ candles }) => candles.ts[candles.length - 1]!))
  const next = pairs.map(() => 0)
  // A candle that reaches both its stop and its target does not say which came first; prices on the way do.
  const { stopLossPct, trailingStopPct = 0, takeProfitPct } = plan.settings
  const both = stopLossPct + trailingStopPct > 0 && takeProfitPct > 0
  for (let ts = first; ts <= last; ts += HOUR) {
    const bars = pairs.map(({ candles }, k) => (candles.ts[next[k]!] === ts ? { candles, i: next[k]! } : null))
    if (bars.every((bar) => bar === null)) continue
    for (const part of both ? [0] : [0, 0.4, 0.8]) {
      if (random.next() < 0.5) continue
      const moved = moveBot(
        bot,
        portfolio,
        bars.map((bar) => (bar === null ? null : forming(bar, part))),
      )
      portfolio = moved.portfolio
      trades.push(...moved.trades)
    }
    if (random.next() < 0.2) portfolio = JSON.parse(JSON.stringify(portfolio))
    const closed: ClosedCandle = {
      ts,
      missed: false,
      pairs: bars.map((bar, k) => {
        if (bar === null) return null
        const { models } = pairs[k]!
        const forecasts = plan.targets && plan.targets.policy !== 'model_brake' ? [] : votesAt(models, bar.i)
        const silent = forecasts.length < models.length && plan.targets?.policy === 'model_brake'
        return { ...bar, forecasts, silence: silent ? 'v0 said nothing' : null }
      }),
    }
    const moved = decideBot(bot, portfolio, closed)
    portfolio = moved.portfolio
    trades.push(...moved.trades)
    equity.push(moved.equity)
    for (const [k, bar] of bars.entries()) if (bar !== null) next[k]!++
  }
  return { trades, equity, portfolio }
}

const NAMES = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']
function sceneOf(
  changes: Partial<PlannedBot>,
  models: number,
  candles: number,
  seed: number,
  real: Candles | null = null,
): Scene {
  const bot: PlannedBot = {
    tradingPairs: ['BTCUSDT'],
    riskLevel: 'medium',
    marketType: 'futures',
    leverage: 5,
    positionSize: 0.02,
    initialBalance: 1000,
    maxDrawdown: 50,
    takeProfitPct: 0,
    stopLossPct: 0,
    mlModelVersion: 'v0',
    mlModelVersions: null,
    consensusConfig: null,
    isVirtual: true,
    parameters: null,
    ...changes,
  }
  const startMs = Date.UTC(2024, 0, 1)
  return {
    plan: planOf(bot),
    series: new Map(
      bot.tradingPairs.map((symbol, k) => {
        const market = real ?? generateCandles({ candles, seed: seed + 7 * k, startMs, clusters: 0.3 })
        return [
          symbol,
          {
            candles: market,
            models: Array.from({ length: models }, (_, m) => inventForecasts(market, seed + 31 * k + m)),
          },
        ]
      }),
    ),
  }
}

const strategies = ConsensusConfig.shape.strategy.def.innerType.options
const disagreements = ConsensusConfig.shape.onDisagreement.def.innerType.options
const ensemble = (strategy: (typeof strategies)[number], onDisagreement: (typeof disagreements)[number]) => ({
  mlModelVersion: null,
  mlModelVersions: ['v0', 'v1', 'v2'],
  consensusConfig: ConsensusConfig.parse({ strategy, onDisagreement }),
})
const policy = (name: Policy): Partial<PlannedBot> => ({ marketType: 'spot', parameters: { policy: name } })
const rule = (text: string): Partial<PlannedBot> => ({ parameters: { policy: 'rule', rule: text } })
const kinds: [name: string, bot: Partial<PlannedBot>, models: number][] = [
  ['one model, futures', {}, 1],
  ['one model, spot', { marketType: 'spot' }, 1],
  ['stops and targets', { takeProfitPct: 2, stopLossPct: 1 }, 1],
  ['near liquidation', { leverage: 100, positionSize: 5, maxDrawdown: 1 }, 1],
  ['an edge is required', { parameters: { requireEdge: true } }, 1],
  ['a share of the equity', { parameters: { sizing: { kind: 'percent_of_equity', pct: 30 } } }, 1],
  ['a volatility target', { parameters: { sizing: { kind: 'volatility_target', annualPct: 40 } } }, 1],
  ['an amount of quote', { parameters: { sizing: { kind: 'quote_amount', quote: 250 } }, stopLossPct: 3 }, 1],
  ...strategies.flatMap((strategy) =>
    disagreements.map((rule): (typeof kinds)[number] => [`${strategy}, else ${rule}`, ensemble(strategy, rule), 3]),
  ),
  ...(['steady_risk', 'trend_steady_risk', 'trend_ensemble', 'fixed_share', 'model_brake'] as const).map(
    (name): (typeof kinds)[number] => [name, policy(name), 1],
  ),
  ['a rule that follows the trend', rule('enter: ema(20) crosses above ema(50) exit: ema(20) < ema(50) trail: 3%'), 1],
  [
    'a rule of both sides with every exit',
    rule('enter: rsi(14) < 30 exit: rsi(14) > 60 short: rsi(14) > 70 cover: rsi(14) < 40 stop: 2% target: 3% time: 24'),
    1,
  ],
  ['a rule by a model', rule('enter: p_up > 0.6 and median(2) > close exit: edge < -30 or sigma > 1.2 time: 12'), 1],
  [
    'a rule with a stop of its bot',
    { ...rule('enter: close > sma(9) exit: close < sma(9) stop: 4%'), stopLossPct: 1 },
    1,
  ],
  ['a policy with a stop', { ...policy('fixed_share'), stopLossPct: 1 }, 1],
]

/** The averages of the trend policies take 3,500 hours to begin and to matter. */
const candlesFor = ({ parameters }: Partial<PlannedBot>) => (parameters?.policy?.startsWith('trend') ? 3500 : 400)

describe('a bot live is its own backtest, to the last trade and bit', () => {
  const holds = (bot: Partial<PlannedBot>, models: number, real: Candles | null) => {
    const scene = sceneOf(bot, models, candlesFor(bot), 11, real)
    const [{ candles, models: columns }] = [...scene.series.values()] as [{ candles: Candles; models: ModelColumns[] }]
    const tested = runBacktest(candles, columnsOf(scene.plan, candles, columns), settingsOf(scene.plan))
    const lived = live(scene, 3)
    expect(lived.trades.map(({ symbol: _, ...trade }) => trade)).toEqual(tested.trades)
    expect(Float64Array.from(lived.equity)).toEqual(tested.equity)
    expect(lived.portfolio.haltedAt).toBe(tested.haltedAt ?? -1)
    expect(tested.entries).toBeGreaterThan(0)
  }

  it.each(kinds)('%s', (_name, bot, models) => holds(bot, models, null))

  const hours = sharedFile('BTCUSDT-1h-2017-2024.csv')
  // What ensembles vote is made up: real candles would change nothing of it.
  const single = kinds.filter(([, , models]) => models === 1)
  const lines = hours.missing ? [] : readFileSync(hours.path, 'utf8').split('\n').slice(30_000, 33_500)
  const real = candlesFromRows(lines.map((line) => line.split(',').map(Number)))
  it.skipIf(hours.missing).each(single)('%s, on real hours of 2021', (_name, bot, models) => {
    holds(bot, models, sliceCandles(real, 0, candlesFor(bot)))
  })

  it('any rule, on any candles with gaps', { timeout: 60_000 }, () => {
    let trades = 0
    fc.assert(
      fc.property(arbitraryRules, fc.integer(), (any, seed) => {
        const candles = wildCandles(createRandom(seed), 150, 0.02)
        const scene = sceneOf({ ...rule(ruleText(any)), positionSize: 3 }, 1, 0, seed, candles)
        const { models: columns } = [...scene.series.values()][0]!
        const tested = runBacktest(candles, columnsOf(scene.plan, candles, columns), settingsOf(scene.plan))
        const lived = live(scene, seed)
        expect(lived.trades.map(({ symbol: _, ...trade }) => trade)).toEqual(tested.trades)
        expect(Float64Array.from(lived.equity)).toEqual(tested.equity)
        trades += tested.trades.length
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    )
    expect(trades).toBeGreaterThan(40)
  })

  it.each([
    ['a model each', {}, 1],
    ['all the money in one', { parameters: { sizing: { kind: 'percent_of_equity', pct: 90 } } }, 1],
    ['a limit of 5 % over all pairs', { maxDrawdown: 5, positionSize: 0.05 }, 1],
    ['an ensemble each', ensemble('majority', 'hold'), 3],
    ['a rule', rule('enter: close > sma(9) exit: rsi(5) > 70 short: close < sma(9) cover: rsi(5) < 30 trail: 2%'), 1],
    ['shares of one balance', policy('fixed_share'), 1],
  ] as [string, Partial<PlannedBot>, number][])('three pairs on one balance: %s', (_name, bot, models) => {
    const scene = sceneOf({ ...bot, tradingPairs: NAMES }, models, 600, 5)
    const trades: Record<string, EngineTrade[]> = {}
    const runs = new Map(
      [...scene.series].map(([symbol, { candles, models: columns }]): [string, PairRun] => {
        const of: EngineTrade[] = []
        trades[symbol] = of
        const journal = {
          fill() {},
          trade: (trade: EngineTrade) => void of.push(trade),
          skip() {},
          reduced() {},
          gap() {},
          funding() {},
        }
        const rules = createRules(settingsOf(scene.plan))
        return [symbol, { candles, decisions: columnsOf(scene.plan, candles, columns), rules, journal }]
      }),
    )
    const tested = runPortfolio(scene.plan.settings.initialBalance, runs)
    const lived = live(scene, 9)
    for (const symbol of NAMES)
      expect(lived.trades.filter((trade) => trade.symbol === symbol).map(({ symbol: _, ...trade }) => trade)).toEqual(
        trades[symbol],
      )
    expect([lived.portfolio.balance, lived.portfolio.equity]).toEqual([tested.balance, tested.equity])
    expect(lived.trades.length).toBeGreaterThan(1)
  })
})

it('a position closes at the stop or target that the price reaches first, and at the stop where only candles are known', () => {
  const scene = sceneOf({ takeProfitPct: 10, stopLossPct: 10, positionSize: 1 }, 1, 1, 1)
  const bot = {
    plan: scene.plan,
    timeframe: TIMEFRAME,
    rules: [createRules(settingsOf(scene.plan))],
    paused: false,
    decider: deciderOf(ML, scene.plan),
  } as const
  const candles = candlesFromRows([
    [0, 100, 100, 100, 100, 1],
    [HOUR, 100, 112, 88, 100, 1],
  ])
  const bought = { ...createPortfolio(1000, ['BTCUSDT']) }
  bought.pairs[0]!.pending = 1
  const rising = candlesFromRows([[HOUR, 100, 111, 99, 111, 1]])
  const [watched] = moveBot(bot, bought, [{ candles: rising, i: 0 }]).trades
  const close = { ts: HOUR, missed: false, pairs: [{ candles, i: 1, forecasts: [], silence: null }] }
  const [alone] = decideBot(bot, bought, close).trades
  expect([watched?.exitReason, alone?.exitReason]).toEqual(['take_profit', 'stop_loss'])
})

describe('several pairs on one balance', () => {
  it('what one pair has bought with, the next one cannot: 1000 buys 9 of the first at 100 and 1 of the second', () => {
    const plan = planOf({
      ...sceneOf({}, 1, 10, 1).plan.settings,
      tradingPairs: ['AUSDT', 'BUSDT'],
      riskLevel: 'medium',
      marketType: 'spot',
      leverage: 1,
      positionSize: 9,
      maxDrawdown: 50,
      mlModelVersion: 'v0',
      mlModelVersions: null,
      consensusConfig: null,
      isVirtual: true,
      parameters: null,
    })
    const settings = backtestSettings({ ...plan.settings, timeframe: TIMEFRAME })
    const bot: DecidingBot = {
      plan,
      timeframe: TIMEFRAME,
      rules: [createRules(settings), createRules(settings)],
      paused: false,
      decider: deciderOf(ML, plan),
    }
    const candles = candlesFromRows([0, HOUR].map((ts) => [ts, 100, 100, 100, 100, 1]))
    const forecasts = [
      {
        version: 'v0',
        signal: 'BUY' as const,
        confidence: 0.6,
        pUp: 0.6,
        edgeBps: 1,
        costBps: 22,
        volatility: 1,
        reasoning: null,
      },
    ]
    const at = (i: number) => ({
      ts: i * HOUR,
      missed: false,
      pairs: [0, 1].map(() => ({ candles, i, forecasts, silence: null })),
    })
    const first = decideBot(bot, createPortfolio(1000, ['AUSDT', 'BUSDT']), at(0))
    const { fills } = decideBot(bot, first.portfolio, at(1))
    expect(fills.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([
      ['AUSDT', 9],
      ['BUSDT', 1],
    ])
  })
})

describe('what a decision says', () => {
  const candles = candlesFromRows([0, HOUR, 2 * HOUR].map((ts) => [ts, 1000, 1000, 1000, 1000, 1]))
  const vote = (signal: 'BUY' | 'SELL' | 'HOLD', changes: Partial<BotForecast> = {}): BotForecast => ({
    version: 'v3',
    signal,
    confidence: 0.53,
    pUp: 0.53,
    edgeBps: -18,
    costBps: 22,
    volatility: 0.6,
    reasoning: null,
    ...changes,
  })
  const decideOn = (
    bot: Partial<PlannedBot>,
    forecasts: BotForecast[],
    close: Partial<ClosedCandle> & { silence?: string } = {},
    paused = false,
  ) => {
    const { plan } = sceneOf(bot, 1, 1, 1)
    const rules = [createRules(settingsOf(plan))]
    const pair = { candles, i: 1, forecasts, silence: close.silence ?? null }
    return decideBot(
      { plan, timeframe: TIMEFRAME, rules, paused, decider: deciderOf(ML, plan) },
      createPortfolio(1000, ['BTCUSDT']),
      {
        ts: HOUR,
        missed: close.missed ?? false,
        pairs: [pair],
      },
    ).decisions[0]!
  }

  it.each<[string, Parameters<typeof decideOn>, object]>([
    [
      'buys',
      [{}, [vote('BUY')]],
      { rule: 'signal', action: 'opened_long', reason: 'v3 says BUY (53.0%): it buys 0.02 BTC at about 1,000.00.' },
    ],
    [
      'goes short',
      [{}, [vote('SELL')]],
      {
        rule: 'signal',
        action: 'opened_short',
        reason: 'v3 says SELL (53.0%): it sells 0.02 BTC at about 1,000.00 short.',
      },
    ],
    [
      'has nothing to sell',
      [{ marketType: 'spot' }, [vote('SELL')]],
      { rule: 'signal', action: 'no_order', reason: 'v3 says SELL (53.0%): on spot there is nothing to sell.' },
    ],
    [
      'finds the edge below the cost',
      [{ parameters: { requireEdge: true } }, [vote('BUY')]],
      {
        rule: 'below_cost',
        action: 'no_order',
        signal: 'HOLD',
        reason: 'Expected edge 4.0 bps, below the cost of 22 bps.',
      },
    ],
    [
      'sees no direction',
      [{}, [vote('HOLD', { pUp: 0.503 })]],
      {
        rule: 'signal',
        action: 'no_order',
        reason: 'v3 calls no direction (a higher close is 50.3% likely): nothing to do.',
      },
    ],
    [
      'hears nothing',
      [{}, [], { silence: 'v3 is not trained on BTCUSDT 1h.' }],
      { rule: 'no_votes', reason: 'v3 is not trained on BTCUSDT 1h.' },
    ],
    ['is paused', [{}, [vote('BUY')], {}, true], { rule: 'paused', action: 'no_order', signal: 'HOLD' }],
    ['was not there', [{}, [vote('BUY')], { missed: true }], { rule: 'missed', action: 'no_order' }],
    [
      'orders too little',
      [{ positionSize: 0.001 }, [vote('BUY')]],
      {
        rule: 'order_skipped',
        action: 'no_order',
        reason: 'v3 says BUY (53.0%), without an order: the order would be worth less than the market takes.',
      },
    ],
    [
      'hears models disagree',
      [ensemble('unanimous', 'hold'), [vote('BUY'), vote('SELL', { version: 'v4' })]],
      { rule: 'disagreement_hold', reason: 'The models disagree (v3 BUY 53%, v4 SELL 53%): it holds.' },
    ],
    [
      'hears a majority',
      [ensemble('majority', 'hold'), [vote('BUY'), vote('BUY', { version: 'v4' }), vote('SELL', { version: 'v5' })]],
      { rule: 'majority', action: 'opened_long', reason: '2 of 3 models say BUY: it buys 0.02 BTC at about 1,000.00.' },
    ],
    ['decides a share', [policy('fixed_share'), []], { rule: 'target', target: 0.5, action: 'opened_long' }],
  ])('%s', (_name, asked, said) => {
    expect(decideOn(...asked)).toMatchObject(said)
  })
  it.each([
    ['the day of which is decided', 19_000, 19_000, 'not_decision_hour'],
    ['of the next day', 18_999, 19_000, 'target'],
    // Written down by a version that kept no day: the first close of the day decides.
    ['at 00:00 of a bot that has kept no day', undefined, 19_000, 'target'],
    ['at 01:00 of a bot that has kept no day', undefined, 19_000 + 1 / 24, 'not_decision_hour'],
  ])('a close %s', (_name, decidedDay, closesOn, rule) => {
    const { plan } = sceneOf(policy('fixed_share'), 1, 1, 1)
    const portfolio = createPortfolio(1000, ['BTCUSDT'])
    const [pair] = portfolio.pairs
    if (decidedDay === undefined) delete pair!.decidedDay
    else pair!.decidedDay = decidedDay
    const ts = closesOn * 24 * HOUR - HOUR
    const one = candlesFromRows([[ts, 1000, 1000, 1000, 1000, 1]])
    const rules = [createRules(settingsOf(plan))]
    const bot: DecidingBot = { plan, timeframe: TIMEFRAME, rules, paused: false, decider: deciderOf(ML, plan) }
    const close = { ts, missed: false, pairs: [{ candles: one, i: 0, forecasts: [], silence: null }] } as const
    expect(decideBot(bot, portfolio, close).decisions[0]!.rule).toBe(rule)
  })
})

it('a policy without enough candles says how many days it has and needs', () => {
  const scene = sceneOf(policy('trend_ensemble'), 1, 23 * 24, 1)
  const bot = {
    plan: scene.plan,
    timeframe: TIMEFRAME,
    rules: [createRules(settingsOf(scene.plan))],
    paused: false,
    decider: deciderOf(ML, scene.plan),
  } as const
  const [symbol, { candles }] = [...scene.series][0]!
  const i = candles.length - 1
  const pair = { candles, i, forecasts: [], silence: null }
  const { decisions } = decideBot(bot, createPortfolio(1000, [symbol]), {
    ts: candles.ts[i]!,
    missed: false,
    pairs: [pair],
  })
  expect(decisions[0]).toMatchObject({
    rule: 'no_votes',
    reason: `It needs 60 days of candles of ${symbol} before it decides, and has 23.`,
  })
})
