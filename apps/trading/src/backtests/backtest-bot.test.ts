import { BacktestRun } from '@shapecast/contracts/backtest'
import { type BacktestRequest, BacktestRequest as RequestSchema } from '@shapecast/contracts/backtest-request'
import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow } from '@shapecast/contracts/market'
import { type Candles, candlesFromRows, rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { type PlannedBot, planOf } from '@shapecast/engine/policies/plan'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { describe, expect, it } from 'vitest'
import { memoryVenue } from '../../test/support/memory-venue.ts'
import { stubPredictor } from '../../test/support/stub-predictor.ts'
import { marketOf } from '../market/series-market.ts'
import type { LentModels } from '../models/model-service.ts'
import { backtestBot } from './backtest-bot.ts'
import { type BacktestOrder, orderOf } from './backtest-order.ts'
import type { KeptForecasts } from './forecast-store.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2024, 0, 1)
const at = (i: number) => START_MS + i * HOUR_MS
const indexOf = (ts: number) => (ts - START_MS) / HOUR_MS

/** Hourly candles that open and close at the given prices, without wicks. */
const priced = (prices: [open: number, close: number][]): Candles =>
  candlesFromRows(
    prices.map(([open, close], i): CandleRow => [at(i), open, Math.max(open, close), Math.min(open, close), close, 1]),
  )

const modelsOf = (predictors: Record<string, ModelPredictor>): LentModels => ({
  async currentOn(symbol, timeframe) {
    const [version] = Object.keys(predictors)
    if (version !== undefined) return `${version}`
    throw new AppError('model_not_trained', `None is trained on ${symbol} ${timeframe}.`)
  },
  requireVersion: async () => {},
  find: async (version) => ({ artifactId: version, hash: `hash of ${version}` }),
  use: async (version, _symbol, _timeframe, use) =>
    use({ version, artifactId: version, hash: `hash of ${version}`, predictor: predictors[version]! }),
})

const NOTHING_KEPT = { find: async () => undefined, put: async () => {} }
const keptVotes = async () => ({ signals: new Int8Array(6), confidences: new Float64Array(6), known: 0 })

/** A futures bot on v3 with 1000 of balance and no limits, but for what a test changes. */
const order = ({
  bot,
  ...changes
}: Partial<Omit<BacktestOrder, 'bot' | 'plan'>> & { bot?: Partial<PlannedBot> } = {}): BacktestOrder => ({
  mode: 'bot',
  bot: { id: null, name: 'B', strategy: 'ml', riskLevel: 'low', positionSize: 1 },
  plan: planOf({
    tradingPairs: ['BTCUSDT'],
    riskLevel: 'low',
    marketType: 'futures',
    positionSize: 1,
    leverage: 1,
    maxDrawdown: 100,
    takeProfitPct: 0,
    stopLossPct: 0,
    initialBalance: 1000,
    mlModelVersion: 'v3',
    mlModelVersions: null,
    consensusConfig: null,
    isVirtual: true,
    parameters: null,
    ...bot,
  }),
  symbol: 'BTCUSDT',
  timeframe: '1h',
  limit: 1000,
  feeRate: 0.001,
  slippageBps: 0,
  noSameBarReentry: true,
  ...changes,
})

const run = (candles: Candles, given: BacktestOrder, predictors: Record<string, ModelPredictor>) =>
  backtestBot(
    {
      market: marketOf(memoryVenue({ 'BTCUSDT 1h': candles })),
      models: modelsOf(predictors),
      kept: NOTHING_KEPT,
      keptVotes,
      now: () => 5,
    },
    given,
  )

const SIX = priced([
  [100, 100],
  [100, 110],
  [110, 110],
  [110, 120],
  [120, 120],
  [120, 115],
])
/** BUY at the close of candle 1, SELL at that of candle 3. */
const buyThenSell = stubPredictor({
  history: 0,
  signal: (candles, i) => ({ 1: DECISION.BUY, 3: DECISION.SELL })[indexOf(candles.ts[i]!)] ?? DECISION.HOLD,
})

/** A run as it is saved: the return to judge it by is worked out as it is shown. */
const SavedRun = BacktestRun.omit({ judged: true })

describe('a backtest of a rule', () => {
  const parameters = { policy: 'rule', rule: 'enter: close > open exit: close < open[1] stop: 5%' } as const
  const ruled = (changes: Partial<PlannedBot> = {}) => order({ bot: { parameters, ...changes } })

  it('buys at 110, the open after the first rise, and asks no model', async () => {
    const { summary, detail } = await run(SIX, ruled(), {})
    expect(detail.openPosition).toMatchObject({ side: 'long', entryPrice: 110, entryTime: at(2) })
    expect(detail.meta.hashes.models).toEqual([])
    expect(summary.params).toMatchObject({ mlModelVersion: null })
  })

  it('says that its trades are too few to tell their timing from random', async () => {
    const { detail } = await run(SIX, ruled(), {})
    expect(detail.randomEntries).toEqual({
      code: 'too_few_trades',
      trades: 0,
      isUnseenPart: false,
      p: null,
      netReturnPct: 0,
      random: null,
    })
    expect((await run(SIX, order(), { v3: buyThenSell })).detail.randomEntries).toBeUndefined()
  })

  it('compares many trades with random entries: 999 draws in 26 bins, the same each time', async () => {
    const prices = Array.from({ length: 400 }, (_, i): [number, number] => [100 + (i % 3), 100 + ((i + 1) % 3)])
    const [once, again] = [await run(priced(prices), ruled(), {}), await run(priced(prices), ruled(), {})]
    const found = once.detail.randomEntries!
    expect(found.trades).toBeGreaterThan(100)
    expect(found.random!.counts).toHaveLength(26)
    expect(found.random!.counts.reduce((sum, count) => sum + count, 0)).toBe(999)
    expect(again.detail.randomEntries).toEqual(found)
  })

  it('with a model is judged on what the model has not seen', async () => {
    const given = ruled({ parameters: { policy: 'rule', rule: 'enter: p_up > 0.5 time: 1' } })
    const prices = Array.from({ length: 100 }, (): [number, number] => [100, 100])
    const predictor = stubPredictor({ history: 0, signal: () => 0, trained: { from: at(0), to: at(59 - 8) } })
    const { summary, detail } = await run(priced(prices), given, { v3: predictor })
    expect(summary.seenRatio).toBe(0.6)
    expect(detail.randomEntries).toMatchObject({ isUnseenPart: true, trades: 19 })
    expect(detail.trades.length).toBeGreaterThan(45)
  })

  it('alone takes market, size and model from the request, and names the field of a rule that cannot be read', () => {
    const asked = (rule: string, changes: Partial<BacktestRequest> = {}) =>
      orderOf(RequestSchema.parse({ mode: 'rule', rule, symbol: 'BTCUSDT', ...changes }), null)
    const { mode, bot, plan } = asked('enter: close > 1 short: p_up < 0.4', { marketType: 'futures', leverage: 3 })
    expect([mode, bot.parameters]).toEqual([
      'rule',
      {
        policy: 'rule',
        rule: 'enter: close > 1 short: p_up < 0.4',
        sizing: { kind: 'percent_of_equity', pct: 100 },
      },
    ])
    expect(plan.settings).toMatchObject({ market: 'futures', leverage: 3 })
    const refused = () => asked('enter: clsoe > 1 time: 1')
    expect(refused).toThrow('Line 1, column 8: ‘clsoe’ is not known. Did you mean close?')
    expect(refused).toThrow(expect.objectContaining({ field: 'rule', code: 'bad_input' }))
    expect(() => asked('short: close > 1 time: 1')).toThrow('needs futures')
    expect(RequestSchema.safeParse({ mode: 'rule' }).error!.issues.map(({ message }) => message)).toEqual([
      'Write the rule to test.',
      'Name the symbol to test the rule on.',
    ])
  })
})

describe('a backtest', () => {
  it('buys at 110, turns at 120 and marks the short at 115: 1000 + 9.77 − 0.12 + 5 = 1014.65', async () => {
    const { summary, detail } = await run(SIX, order(), { v3: buyThenSell })
    expect(detail.trades).toEqual([
      expect.objectContaining({
        side: 'long',
        entryTime: at(2),
        exitTime: at(4),
        entryPrice: 110,
        exitPrice: 120,
        quantity: 1,
        exitReason: 'reversal',
      }),
    ])
    expect(detail.trades[0]!.netPnL).toBeCloseTo(9.77, 12)
    expect(detail.openPosition).toMatchObject({ side: 'short', entryPrice: 120, entryTime: at(4), unrealizedPnL: 5 })
    expect(summary.finalBalance).toBeCloseTo(1014.65, 12)
    expect(summary.params).toMatchObject({ mlModelVersion: 'v3', mlModelVersions: null })
    expect(summary.totalReturnPct).toBeCloseTo(1.465, 12)
    expect(detail.meta).toMatchObject({
      signals: { buy: 1, sell: 1, hold: 4 },
      entries: 2,
      closes: 1,
      reducedEntries: 0,
      candlesFrom: 'stored',
    })
    // Never [0, 0] for one trade: there is no interval, and the code says why.
    expect(summary.intervals).toMatchObject({ unit: 'trade', units: 1, totalReturnPct: null, verdict: 'too_few' })
    expect(detail.verdict).toBe('too_few')
    expect(detail.periods.months).toEqual([
      {
        from: at(0),
        to: at(5),
        isSeen: false,
        returnPct: expect.closeTo(1.465, 12),
        holdPct: summary.metrics.buyAndHoldReturnPct,
        maxDrawdownPct: summary.metrics.maxDrawdownPct,
        trades: 1,
        fees: detail.trades[0]!.fees,
      },
    ])
    expect(detail.meta.avgConfidence).toBeCloseTo(0.6, 12)
    expect(detail.equityCurve.map((point) => point.t)).toEqual([0, 1, 2, 3, 4, 5].map(at))
  })

  it('counts the positions that the balance made smaller than asked for', async () => {
    const { detail } = await run(SIX, order({ bot: { positionSize: 99_999_999 } }), { v3: buyThenSell })
    expect(detail.meta).toMatchObject({ entries: 2, reducedEntries: 2 })
  })

  it('only closes on spot: 1000 + 10 − 0.11 − 0.12 = 1009.77', async () => {
    const { summary, detail } = await run(SIX, order({ bot: { marketType: 'spot' } }), { v3: buyThenSell })
    expect(detail.openPosition).toBeNull()
    expect(summary.finalBalance).toBeCloseTo(1009.77, 12)
  })

  it('fits the contract as it is saved', async () => {
    const { summary, detail } = await run(SIX, order(), { v3: buyThenSell })
    const saved = { _id: '01890000-0000-7000-8000-000000000000', ...summary, ...detail }
    expect(SavedRun.parse(saved)).toEqual(saved)
  })

  it('puts each point of the LSTM line at the candle that it forecasts', async () => {
    const { detail } = await run(SIX, order(), { v3: buyThenSell })
    expect(detail.mlPredictions[1]).toEqual({ timestamp: at(1), aligned_ts: at(2), lstm_prediction: 111 })
  })

  it('forecasts its first candle from the stored ones before it, and none where there are too few', async () => {
    const always = stubPredictor({ history: 3, signal: () => DECISION.BUY })
    const later = await run(SIX, order({ limit: 3 }), { v3: always })
    expect(later.detail.meta.signals).toEqual({ buy: 3, sell: 0, hold: 0 })
    const whole = await run(SIX, order(), { v3: always })
    expect(whole.detail.meta.signals).toEqual({ buy: 3, sell: 0, hold: 3 })
  })

  it('holds where the edge is not positive and the bot asks for one', async () => {
    const sharp = stubPredictor({ history: 0, signal: () => DECISION.BUY, edgeBps: (_, i) => (i === 2 ? 1 : 0) })
    const plain = await run(SIX, order(), { v3: sharp })
    expect(plain.detail.meta.signals.buy).toBe(6)
    const careful = await run(SIX, order({ bot: { parameters: { requireEdge: true } } }), { v3: sharp })
    expect(careful.detail.meta.signals).toEqual({ buy: 1, sell: 0, hold: 5 })
  })

  it('acts in an ensemble on what the consensus comes to', async () => {
    const buyer = stubPredictor({ history: 0, signal: () => DECISION.BUY })
    const sometimes = stubPredictor({ history: 0, signal: (_, i) => (i % 2 === 0 ? DECISION.BUY : DECISION.SELL) })
    const consensus = { strategy: 'unanimous', minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' } as const
    const { summary, detail } = await run(
      SIX,
      order({ bot: { mlModelVersions: ['v3', 'v4'], consensusConfig: consensus } }),
      {
        v3: buyer,
        v4: sometimes,
      },
    )
    expect(detail.meta.signals).toEqual({ buy: 3, sell: 0, hold: 3 })
    expect(summary.params).toMatchObject({ mlModelVersion: null, mlModelVersions: ['v3', 'v4'] })
    expect(detail.meta.hashes.models).toEqual(['hash of v3', 'hash of v4'])
  })

  it('takes the current version where the bot names none, and says so where there is none', async () => {
    const { summary } = await run(SIX, order({ bot: { mlModelVersion: null } }), { v7: buyThenSell })
    expect(summary.params.mlModelVersion).toBe('v7')
    await expect(run(SIX, order({ bot: { mlModelVersion: null } }), {})).rejects.toMatchObject({
      code: 'model_not_trained',
    })
  })

  it('trades several pairs on one balance and names the pair of each trade', async () => {
    const market = marketOf(memoryVenue({ 'BTCUSDT 1h': SIX, 'ETHUSDT 1h': SIX }))
    const deps = { market, models: modelsOf({ v3: buyThenSell }), kept: NOTHING_KEPT, keptVotes, now: () => 5 }
    const one = await backtestBot(deps, order())
    const both = await backtestBot(deps, order({ symbols: ['BTCUSDT', 'ETHUSDT'] }))
    expect(both.summary).toMatchObject({ symbol: 'BTCUSDT', symbols: ['BTCUSDT', 'ETHUSDT'] })
    expect(both.summary.metrics.trades).toBe(2 * one.summary.metrics.trades)
    expect(both.summary.metrics.netPnL).toBeCloseTo(2 * one.summary.metrics.netPnL, 9)
    expect(new Set(both.detail.trades.map(({ symbol }) => symbol))).toEqual(new Set(['BTCUSDT', 'ETHUSDT']))
    expect(one.summary.symbols).toBeUndefined()
    expect(
      SavedRun.parse({ _id: '01890000-0000-7000-8000-000000000000', ...both.summary, ...both.detail }),
    ).toMatchObject({ candles: 6 })
    expect(both.detail.periods.months[0]!.holdPct).toBeCloseTo(both.summary.metrics.buyAndHoldReturnPct, 9)
  })

  it('rests the rebalances of a policy as post-only orders: half of 1000 at 100 for 2 bps, and says what that saved', async () => {
    const bot = { marketType: 'spot', parameters: { policy: 'fixed_share' } } as const
    const candles = priced([
      [100, 100],
      [100.5, 99],
      [99, 99],
    ])
    const taken = await run(candles, order({ bot }), {})
    const rested = await run(candles, order({ bot, postOnly: { makerFeeRate: 0.0002 } }), {})
    expect(taken.detail.openPosition).toMatchObject({ entryPrice: 100.5 })
    expect(rested.detail.openPosition).toMatchObject({ entryPrice: 100, quantity: 5 })
    // 5 × 100.5 and 10 bps of it, against 5 × 100 and 2 bps.
    expect(rested.detail.meta.posted!.saved).toBeCloseTo(502.5 + 0.5025 - 500 - 0.1, 9)
    expect(rested.detail.meta.posted).toMatchObject({ orders: 1, filled: 1, lost: 0 })
    expect(rested.summary.params.postOnly).toEqual({ makerFeeRate: 0.0002 })
    expect(taken.detail.meta.posted ?? taken.summary.params.postOnly).toBeUndefined()
    expect(rested.detail.meta.hashes.parameters).not.toBe(taken.detail.meta.hashes.parameters)
    expect(
      SavedRun.parse({ _id: '01890000-0000-7000-8000-000000000000', ...rested.summary, ...rested.detail }).meta.posted,
    ).toEqual(rested.detail.meta.posted)
  })

  it('replays the stored decisions of an openai bot, says how few they are, and is refused without any', async () => {
    const asked: unknown[] = []
    const replaying = (known: number) => ({
      market: marketOf(memoryVenue({ 'BTCUSDT 1h': SIX })),
      models: modelsOf({}),
      kept: NOTHING_KEPT,
      keptVotes: async (...given: unknown[]) => {
        asked.push(given.slice(0, 3))
        const signals = Int8Array.of(0, known > 0 ? DECISION.BUY : 0, 0, 0, 0, 0)
        return { signals, confidences: Float64Array.of(Number.NaN, 0.7, Number.NaN, 0, 0, 0), known }
      },
      now: () => 5,
    })
    const bot = { id: 'b', name: 'LLM', strategy: 'openai', riskLevel: 'low', positionSize: 1 } as const
    const { detail, summary } = await backtestBot(replaying(1), { ...order(), bot })
    expect(asked).toEqual([['b', 'BTCUSDT', '1h']])
    expect(detail.meta.entries).toBe(1)
    expect(detail.meta.avgConfidence).toBe(0.7)
    expect(detail.meta.caveat).toContain('Replayed from the 1 decisions')
    expect(detail.meta.caveat).toContain('at the other 5 candles it was not asked')
    expect([summary.params.mlModelVersion, detail.meta.hashes.models]).toEqual([null, []])
    await expect(backtestBot(replaying(0), { ...order(), bot })).rejects.toThrow(/cannot be backtested/)
  })

  it('asks a model once for a range of candles: not for another size or policy, but again where a candle was corrected', async () => {
    let asked = 0
    const counted: ModelPredictor = {
      ...buyThenSell,
      predict: (...given) => {
        asked++
        return buyThenSell.predict(...given)
      },
    }
    const rows = new Map<string, KeptForecasts>()
    const kept = {
      find: async (id: string, { ts, length }: Candles) => rows.get(`${id} ${ts[0]} ${length}`),
      put: async (id: string, { ts, length }: Candles, row: KeptForecasts) =>
        void rows.set(`${id} ${ts[0]} ${length}`, row),
    }
    const on = (candles: Candles, bot: Partial<PlannedBot> = {}) =>
      backtestBot(
        {
          market: marketOf(memoryVenue({ 'BTCUSDT 1h': candles })),
          models: modelsOf({ v3: counted }),
          kept,
          keptVotes,
          now: () => 5,
        },
        order({ bot }),
      )
    const first = await on(SIX)
    expect(asked).toBe(1)
    const again = await on(SIX)
    expect(again).toEqual(first)
    const larger = await on(SIX, { positionSize: 2 })
    expect(larger.summary.metrics.grossPnL).toBe(2 * first.summary.metrics.grossPnL)
    await on(SIX, { marketType: 'spot', parameters: { policy: 'model_brake' } })
    expect(asked).toBe(1)
    const corrected = sliceCandles(SIX, 0)
    await on({ ...corrected, volume: corrected.volume.map((v) => v + 1) })
    expect(asked).toBe(2)
  })

  it('reports how far it is and stops when told to', async () => {
    const candles = generateCandles({ candles: 12_000, seed: 3 })
    const deps = {
      market: marketOf(memoryVenue({ 'BTCUSDT 1h': candles })),
      models: modelsOf({ v3: buyThenSell }),
      kept: NOTHING_KEPT,
      keptVotes,
      now: () => 5,
    }
    const seen: number[][] = []
    await backtestBot(deps, order({ limit: 12_000 }), { onProgress: (...progress) => seen.push(progress) })
    expect(seen).toEqual([
      [0, 12_000],
      [5000, 12_000],
      [10_000, 12_000],
      [12_000, 12_000],
    ])
    const stop = new AbortController()
    const stopped = backtestBot(deps, order({ limit: 12_000 }), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
  })
})

describe('the hashes', () => {
  const candles = generateCandles({ candles: 7500, seed: 5 })
  const trend = stubPredictor({
    history: 20,
    signal: (c, i) => (c.close[i]! > c.close[i - 20]! ? DECISION.BUY : DECISION.SELL),
  })
  const hashes = async (changes: Parameters<typeof order>[0], market = candles) =>
    (await run(market, order({ limit: 7000, bot: { positionSize: 0.01 }, ...changes }), { v3: trend })).detail.meta
      .hashes

  it('are the same for the same run', async () => {
    expect(await hashes({})).toEqual(await hashes({}))
  })

  it('tell another parameter, another candle and another result apart', async () => {
    const first = await hashes({})
    const dearer = await hashes({ feeRate: 0.002 })
    expect([dearer.candles, dearer.models]).toEqual([first.candles, first.models])
    expect(dearer.parameters).not.toBe(first.parameters)
    expect(dearer.result).not.toBe(first.result)
    const rows = rowsFromCandles(candles)
    rows[4000]![4] *= 1.0001
    rows[4000]![2] = Math.max(rows[4000]![2], rows[4000]![4])
    const other = await hashes({}, candlesFromRows(rows))
    expect(other.parameters).toBe(first.parameters)
    expect(other.candles).not.toBe(first.candles)
  })

  it('do not depend on how much history is stored before what the model needs', async () => {
    const { result } = await hashes({ limit: 6000 })
    expect((await hashes({ limit: 6000 }, sliceCandles(candles, 1400))).result).toBe(result)
  })
})

describe('the part that a model has seen', () => {
  const candles = generateCandles({ candles: 100, seed: 2 })
  const trained = (from: number, to: number) =>
    stubPredictor({ history: 0, signal: (_, i) => (i % 7 === 0 ? 1 : 0), trained: { from: at(from), to: at(to) } })
  const parts = async (predictor: ModelPredictor) => {
    const { summary, detail } = await run(candles, order(), { v3: predictor })
    return { ratio: summary.seenRatio, ...detail.seen, whole: summary.metrics }
  }

  it('reaches from its first row to the last outcome that it was tuned on, and the rest is judged by itself', async () => {
    const { ratio, ranges, seen, unseen, whole } = await parts(trained(10, 51))
    expect(ranges).toEqual([{ version: 'v3', basis: 'trained', from: at(10), to: at(59) }])
    expect(ratio).toBe(0.5)
    expect(seen).toMatchObject({ from: at(10), to: at(59), candles: 50 })
    expect(unseen).toMatchObject({ from: at(60), to: at(99), candles: 40 })
    expect(unseen!.metrics.buyAndHoldReturnPct).toBeCloseTo(100 * (candles.close[99]! / candles.open[60]! - 1), 10)
    expect(unseen!.metrics.trades).toBeLessThanOrEqual(whole.trades)
  })

  it('is nothing where the model was trained before the range, and everything where it covers it', async () => {
    const before = await parts(trained(-500, -100))
    expect(before).toMatchObject({ ratio: 0, ranges: [], seen: null })
    expect(before.unseen).toMatchObject({ candles: 100, metrics: before.whole })
    const all = await parts(trained(-500, 500))
    expect(all).toMatchObject({ ratio: 1, unseen: null })
    expect(all.seen!.metrics).toEqual(all.whole)
  })

  it('names an upload whose author says that it was trained on other candles', async () => {
    const declared = trained(0, 0)
    declared.traits.seen = { from: at(-500), to: at(-100), basis: 'declared' }
    expect(await parts(declared)).toMatchObject({ ratio: 0, ranges: [], byAuthorsWord: ['v3'] })
    expect(await parts(trained(-500, -100))).not.toHaveProperty('byAuthorsWord')
  })

  it('is everything until its upload where nobody knows what a model was trained on, and said so', async () => {
    const unknown = trained(0, 0)
    unknown.traits.seen = { from: 0, to: at(59), basis: 'unknown' }
    const { ratio, ranges, unseen } = await parts(unknown)
    expect(ranges).toEqual([{ version: 'v3', basis: 'unknown', from: at(0), to: at(59) }])
    expect(ratio).toBe(0.6)
    expect(unseen).toMatchObject({ from: at(60), candles: 40 })
  })

  it('leaves what came before the training as unseen where nothing comes after', async () => {
    const { seen, unseen } = await parts(trained(60, 500))
    expect([seen!.candles, unseen!.candles, unseen!.from]).toEqual([40, 60, at(0)])
  })
})

describe("the caller's own candles", () => {
  it('are told apart from stored ones only where they differ', async () => {
    const rows = rowsFromCandles(SIX)
    const same = await run(SIX, order({ rows }), { v3: buyThenSell })
    expect(same.detail.meta.candlesFrom).toBe('stored')
    rows[5] = [at(5), 120, 121, 100, 100, 1]
    const changed = await run(SIX, order({ rows }), { v3: buyThenSell })
    expect(changed.detail.meta.candlesFrom).toBe('request')
    expect(changed.detail.openPosition!.unrealizedPnL).toBe(20)
    // Also where more are stored after the last of them.
    const part = await run(SIX, order({ rows: rowsFromCandles(SIX).slice(1, 4) }), { v3: buyThenSell })
    expect([part.detail.meta.candlesFrom, part.summary.candles]).toEqual(['stored', 3])
  })

  it('take the place of stored ones where there are none, and are cut to the range', async () => {
    const rows = rowsFromCandles(SIX)
    const cut = await run(priced([]), order({ rows, fromMs: at(1), toMs: at(4) }), { v3: buyThenSell })
    expect(cut.summary).toMatchObject({ startTime: at(1), endTime: at(4), candles: 4 })
    const newest = await run(priced([]), order({ rows, limit: 2 }), { v3: buyThenSell })
    expect(newest.summary).toMatchObject({ startTime: at(4), candles: 2 })
  })

  it.each([
    ['a time between two candles', (rows: CandleRow[]) => (rows[2]![0] += 60_000)],
    ['a time twice', (rows: CandleRow[]) => (rows[2]![0] = rows[1]![0])],
    ['a time that no number holds exactly', (rows: CandleRow[]) => (rows[2]![0] = HOUR_MS * 2 ** 40)],
    ['a price of zero', (rows: CandleRow[]) => (rows[2]![3] = 0)],
    ['a high below the open', (rows: CandleRow[]) => (rows[2]![2] = 1)],
    ['a high below the close only', (rows: CandleRow[]) => rows.splice(2, 1, [at(2), 100, 101, 100, 110, 1])],
    ['a low above the close only', (rows: CandleRow[]) => rows.splice(2, 1, [at(2), 110, 110, 105, 100, 1])],
    ['a negative volume', (rows: CandleRow[]) => (rows[2]![5] = -1)],
  ])('are refused with %s, naming the row', async (_name, spoil) => {
    const rows = rowsFromCandles(SIX)
    spoil(rows)
    await expect(run(SIX, order({ rows }), { v3: buyThenSell })).rejects.toMatchObject({
      code: 'bad_input',
      field: 'ohlcv.2',
    })
  })
})

describe('the range', () => {
  it.each([
    [{ limit: 2 }, 4, 5],
    [{ limit: 2, toMs: at(3) }, 2, 3],
    [{ limit: 2, fromMs: at(1) }, 4, 5],
    [{ limit: 1, fromMs: at(1), toMs: at(4) }, 1, 4],
    [{ limit: 100 }, 0, 5],
  ])('of %j is candle %i to %i', async (changes, first, last) => {
    const { summary } = await run(SIX, order(changes), { v3: buyThenSell })
    expect([indexOf(summary.startTime), indexOf(summary.endTime)]).toEqual([first, last])
  })

  it('without candles is said in the words of the page', async () => {
    await expect(run(SIX, order({ fromMs: at(50), toMs: at(60) }), { v3: buyThenSell })).rejects.toMatchObject({
      code: 'no_candles',
      message: 'No OHLCV data available for selected symbol and timeframe',
    })
  })
})

describe('an order', () => {
  const bot = { name: 'B', strategy: 'ml', tradingPairs: ['ETHUSDT', 'BTCUSDT'], parameters: null } as unknown as Bot
  const asked = (body: object): BacktestRequest => RequestSchema.parse(body)
  const BOT_ID = '01890000-0000-7000-8000-000000000000'

  it("takes the bot's first pair, and another of its pairs by name only", () => {
    expect(orderOf(asked({ botId: BOT_ID }), bot).symbol).toBe('ETHUSDT')
    expect(orderOf(asked({ botId: BOT_ID, symbol: 'btcusdt' }), bot).symbol).toBe('BTCUSDT')
    expect(() => orderOf(asked({ botId: BOT_ID, symbol: 'SOLUSDT' }), bot)).toThrow('does not trade SOLUSDT')
  })

  it("is on the bot's own timeframe unless another is named, and on hours where it has none", () => {
    const quarters = { ...bot, parameters: { timeframe: '15m' } } as Bot
    expect(orderOf(asked({ botId: BOT_ID }), quarters).timeframe).toBe('15m')
    expect(orderOf(asked({ botId: BOT_ID, timeframe: '4h' }), quarters).timeframe).toBe('4h')
    expect(orderOf(asked({ botId: BOT_ID }), bot).timeframe).toBe('1h')
  })

  it('covers all pairs of a bot unless one is named', () => {
    const two = { ...bot, tradingPairs: ['BTCUSDT', 'ETHUSDT'] }
    expect(orderOf(asked({ botId: BOT_ID }), two)).toMatchObject({ symbol: 'BTCUSDT', symbols: two.tradingPairs })
    expect(orderOf(asked({ botId: BOT_ID, symbol: 'ETHUSDT' }), two)).toMatchObject({ symbol: 'ETHUSDT' })
    expect(orderOf(asked({ botId: BOT_ID, symbol: 'ETHUSDT' }), two).symbols).toBeUndefined()
  })

  it.each([
    [{}, {}, 'hold a share'],
    [{ parameters: { policy: 'fixed_share' } }, { timeframe: '4h' }, '1h or smaller'],
    [{ parameters: { policy: 'fixed_share' }, stopLossPct: 5 }, {}, 'to be off'],
  ])('of %j with %j does not rest as post-only: %s', (changes, wanted, words) => {
    const body = asked({ botId: BOT_ID, postOnly: { makerFeeRate: 0.0001 }, ...wanted })
    expect(() => orderOf(body, { ...bot, takeProfitPct: 0, stopLossPct: 0, ...changes } as Bot)).toThrow(words)
  })

  it('refuses a maker that pays more than a taker, and post-only orders without a bot', () => {
    const refused = (body: object) => RequestSchema.safeParse(body).error?.issues.map(({ path }) => path[0])
    expect(refused({ botId: BOT_ID, postOnly: { makerFeeRate: 0.0007 } })).toEqual(['postOnly'])
    const alone = { mode: 'model', mlModelVersion: 'v3', symbol: 'BTCUSDT' }
    expect(refused({ ...alone, postOnly: { makerFeeRate: 0.0001 } })).toEqual(['postOnly'])
  })

  it('keeps the id of the bot, of a temporary one none: it is gone when somebody looks', () => {
    const idOf = (parameters: object) => orderOf(asked({ botId: BOT_ID }), { ...bot, id: BOT_ID, parameters }).bot.id
    expect(idOf({})).toBe(BOT_ID)
    expect(idOf({ temporary: true })).toBeNull()
  })

  it('has the defaults of the page for a model alone: 0.015 at leverage 30 with 100, futures', () => {
    const made = orderOf(asked({ mode: 'model', mlModelVersion: 'v3', symbol: 'BTCUSDT' }), null)
    expect(made).toMatchObject({ mode: 'model', limit: 1000, feeRate: 0.0006, slippageBps: 5, noSameBarReentry: true })
    expect(made.bot).toMatchObject({ id: null, name: 'v3', riskLevel: 'medium', positionSize: 0.015 })
    expect(made.plan).toEqual({
      versions: ['v3'],
      consensus: null,
      requireEdge: false,
      settings: {
        market: 'futures',
        initialBalance: 100,
        leverage: 30,
        sizing: { kind: 'fixed', quantity: 0.015 },
        takeProfitPct: 0,
        stopLossPct: 0,
        maxDrawdownPct: 50,
      },
    })
  })
})

describe('smaller candles that are stored', () => {
  // In at 100 at the open of candle 2, which reaches 95 and 105.
  const hours = candlesFromRows(
    [100, 100, 100, 100].map((price, i) => [
      START_MS + i * HOUR_MS,
      price,
      i === 2 ? 105 : 100,
      i === 2 ? 95 : 100,
      price,
      1,
    ]),
  )
  const buys = stubPredictor({
    history: 0,
    signal: (candles, i) => (indexOf(candles.ts[i]!) === 1 ? DECISION.BUY : DECISION.HOLD),
  })
  const minutes = (first: number, then: number) => async (fromMs: number) =>
    candlesFromRows(
      [first, then].map((price, k) => [fromMs + k * 60_000, 100, Math.max(100, price), Math.min(100, price), 100, 1]),
    )
  const of = (load: ((fromMs: number) => Promise<Candles>) | null) =>
    backtestBot(
      {
        market: marketOf(memoryVenue({ 'BTCUSDT 1h': hours })),
        models: modelsOf({ v3: buys }),
        kept: NOTHING_KEPT,
        keptVotes,
        finer: async () => (load === null ? null : { timeframe: '1m', load }),
        now: () => 5,
      },
      order({ bot: { takeProfitPct: 3, stopLossPct: 3 } }),
    )

  it('tell whether the target or the stop came first, and the run says so', async () => {
    const target = await of(minutes(104, 96))
    expect(target.detail.trades[0]).toMatchObject({ exitReason: 'take_profit' })
    expect(target.detail.meta.bothReached).toEqual({ candles: 1, told: 1, by: '1m' })
    expect((await of(minutes(96, 104))).detail.trades[0]).toMatchObject({ exitReason: 'stop_loss' })
  })

  it('change no run where none are stored, and the same ones give the same hashes', async () => {
    const none = await of(null)
    expect(none.detail.trades[0]).toMatchObject({ exitReason: 'stop_loss' })
    expect(none.detail.meta.bothReached).toEqual({ candles: 1, told: 0, by: null })
    const [stop, again, target] = [await of(minutes(96, 104)), await of(minutes(96, 104)), await of(minutes(104, 96))]
    expect(stop.detail.meta.hashes).toEqual(again.detail.meta.hashes)
    expect(stop.detail.meta.hashes.result).toBe(none.detail.meta.hashes.result)
    expect(target.detail.meta.hashes.result).not.toBe(none.detail.meta.hashes.result)
  })
})

describe('funding of a futures run', () => {
  const stored = (known: { fromMs: number; untilMs: number }[]) => ({
    ts: Float64Array.of(START_MS + 3 * HOUR_MS),
    rate: Float64Array.of(0.001),
    mark: Float64Array.of(Number.NaN),
    known,
  })
  const of = async (funding: ReturnType<typeof stored> | null) => {
    const venue = memoryVenue({ 'BTCUSDT 1h': SIX })
    const { detail } = await backtestBot(
      {
        market: marketOf(venue, async () => funding),
        models: modelsOf({ v3: buyThenSell }),
        kept: NOTHING_KEPT,
        keptVotes,
        now: () => 5,
      },
      order({ bot: { marketType: 'futures', leverage: 1 } }),
    )
    return detail
  }

  it('is a part of its trade and its metrics, and is left out where no rates are stored', async () => {
    const all = await of(stored([{ fromMs: START_MS - 1, untilMs: START_MS + 6 * HOUR_MS }]))
    const none = await of(null)
    const { quantity } = all.trades[0]!
    expect(all.trades[0]!.funding).toBeCloseTo(-0.001 * quantity * SIX.open[3]!, 10)
    expect(all.meta).toMatchObject({ fundingAssumed: 0 })
    expect(none.trades[0]!.funding).toBe(0)
    expect(none.meta).not.toHaveProperty('fundingAssumed')
    expect(all.meta.hashes.parameters).not.toBe(none.meta.hashes.parameters)
  })

  it('that was assumed for most of the time leaves the result without a verdict', async () => {
    const detail = await of(stored([{ fromMs: START_MS + 5 * HOUR_MS, untilMs: START_MS + 6 * HOUR_MS }]))
    expect(detail.meta.fundingAssumed).toBeGreaterThan(0.5)
    expect(detail.verdict === null || detail.verdict === 'funding_unknown').toBe(true)
  })
})
