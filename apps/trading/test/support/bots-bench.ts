import type { BotDraft } from '@shapecast/contracts/bots'
import { BotDraft as Draft } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import type { Database } from '@shapecast/platform/database/database'
import { type Logger, silentLogger } from '@shapecast/platform/logging'
import { notifyAll } from '@shapecast/platform/notify'
import { createBotControl } from '../../src/bots/bot-control.ts'
import type { BotControlDeps } from '../../src/bots/bot-lock.ts'
import { type BotReadsDeps, createBotReads } from '../../src/bots/bot-reads.ts'
import { createBotService } from '../../src/bots/bot-service.ts'
import { createBotStore } from '../../src/bots/bot-store.ts'
import { createBotTrading } from '../../src/bots/bot-trading.ts'
import { createCloses } from '../../src/bots/decide-closes.ts'
import type { CurrentModel } from '../../src/bots/decision-answers.ts'
import type { BotMarket } from '../../src/bots/decision-round.ts'
import { createBotEquity } from '../../src/bots/equity.ts'
import { createPaperExecution } from '../../src/bots/paper-execution.ts'
import { createParityCheck } from '../../src/bots/parity.ts'
import { createRebalances } from '../../src/bots/rebalances.ts'
import { createRebalancing } from '../../src/bots/rebalancing.ts'
import { createRuntimeStore } from '../../src/bots/runtime-store.ts'
import { createTradingStore } from '../../src/bots/trading-store.ts'
import type { Said } from '../../src/deciders/decider.ts'
import { createKeyedReplies } from '../../src/ledger/keyed-replies.ts'
import { createOrderStore } from '../../src/ledger/order-store.ts'
import { botAccountsOn } from './bot-accounts.ts'

/** A market whose clock the test turns: candles that have closed by it, and the one that forms as the test says. */
export interface ScriptedMarket extends BotMarket {
  nowMs: number
  speed?: number
  readonly formingRows: Map<string, CandleRow>
}

export function scriptedMarket(series: ReadonlyMap<string, Candles>, timeframe: '1h' | '1m' = '1h'): ScriptedMarket {
  const step = TIMEFRAME_MS[timeframe]
  const market: ScriptedMarket = {
    nowMs: 0,
    formingRows: new Map(),
    now: async () => market.nowMs,
    async load(symbol, _timeframe, { toMs, limit }) {
      const candles = series.get(symbol)
      if (candles === undefined) throw new AppError('unknown_symbol', `There is no market ${symbol}.`)
      const end = indexAtOrAfter(candles, Math.min(toMs, market.nowMs - step) + 1)
      return sliceCandles(candles, Math.max(0, end - limit), end)
    },
    rules: async () => ({ lotSize: 0.001, minNotional: 5 }),
    forming: (symbol) => market.formingRows.get(symbol) ?? null,
    async price(symbol) {
      const closed = await market.load(symbol, timeframe, { toMs: market.nowMs, limit: 1 })
      const last = rowsFromCandles(closed).at(-1)
      if (last === undefined) throw new AppError('no_candles', 'There is no price yet.')
      return last[4]
    },
  }
  return market
}

/** What a made-up model says at a candle: a pure function of its name, the symbol and the time. */
export function invented(version: string, symbol: string, candleTs: number): Said {
  const text = `${version} ${symbol} ${candleTs}`
  let seed = 7
  for (const letter of text) seed = (seed * 31 + letter.charCodeAt(0)) | 0
  const random = createRandom(seed)
  const signal = (['SELL', 'HOLD', 'BUY'] as const)[random.below(3)]!
  const confidence = 0.5 + 0.2 * random.next()
  const edgeBps = 30 * random.normal()
  return {
    forecast: {
      version,
      signal,
      confidence,
      pUp: 0.5,
      edgeBps,
      costBps: 22,
      volatility: 0.3 + random.next(),
      reasoning: null,
    },
    prediction: {
      timestamp: candleTs,
      aligned_ts: candleTs + 3_600_000,
      signal,
      confidence,
      current_price: 1,
      lstm_prediction: 1,
      transformer_prediction: 1,
      stopLoss: 1,
      reasoning: 'invented',
      edgeBps,
      verdict: null,
      version,
      hash: 'x',
    },
  }
}

/** What made-up models are pinned as: one artifact a version. */
export const inventedModel = (async (version: string | null, _symbol?: string, _timeframe?: string) => ({
  artifactId: artifactIdOf(version ?? 'current'),
  version: version ?? 'current',
  hash: 'x',
})) satisfies CurrentModel
const artifactIdOf = (version: string) =>
  `01890000-0000-7000-8000-${Buffer.from(version).toString('hex').padStart(12, '0').slice(-12)}`

/** The bots room over a scripted market, with made-up models that know every pair. */
/** Where no bot trades real money. */
export const NO_EXCHANGE: BotControlDeps['real'] = {
  requireProof: async () => undefined,
  requireConfirmed: async () => undefined,
  requireAllowed: async () => undefined,
  orderObstacle: async () => null,
  enter: async () => undefined,
  look: () => Promise.reject(new Error('There is no exchange here.')),
}

export function createBotsBench(
  db: Database,
  market: ScriptedMarket,
  options: {
    log?: Logger
    batch?: number
    forecast?: (version: string, symbol: string, ts: number) => Said
    currentModel?: CurrentModel
  } = {},
) {
  const { log = silentLogger(), batch, forecast = invented } = options
  const now = () => market.nowMs
  const currentModel = options.currentModel ?? inventedModel
  const accounts = botAccountsOn('replay')
  const store = createBotStore(db.orm, 'replay', accounts)
  const trading = createTradingStore(db.orm, accounts)
  const runtimeStore = createRuntimeStore(db.orm, 'replay')
  const equity = createBotEquity({
    db: db.orm,
    accounts,
    bots: store,
    states: trading,
    price: market.price,
    futuresPrice: () => Promise.reject(new Error('not of these tests')),
    rules: async () => null,
  })
  const shared = {
    db,
    bots: store,
    states: trading,
    runtime: runtimeStore,
    equity,
    replies: createKeyedReplies('replay'),
    rules: market.rules,
    marketNow: market.now,
    replayNow: market.now,
    unknownVersions: async () => [],
    now,
  }
  const service = createBotService({
    ...shared,
    requireAble: async () => undefined,
    rules: async () => null,
    obstacleToDelete: async () => null,
  })
  const rebalancing = createRebalancing({
    ...shared,
    async ticker(symbol) {
      const row = market.formingRows.get(symbol)
      return { last: row?.[4] ?? (await market.price(symbol)), timestamp: market.nowMs }
    },
    real: NO_EXCHANGE,
  })
  const control = createBotControl({
    ...shared,
    requireSymbol: async () => undefined,
    currentModel,
    predicting: async () => () => undefined,
    openaiReady: true,
    real: NO_EXCHANGE,
    trading: createBotTrading(shared),
    planRebalance: rebalancing.plan,
  })
  const paper = createPaperExecution({
    replayNow: async () => market.nowMs,
    db,
    store: runtimeStore,
    ledger: accounts,
    market,
    tell: (tx, news) => notifyAll(tx, news, now()),
    log,
    now,
    batch,
  })
  const closes = createCloses({
    market,
    store: runtimeStore,
    currentModel,
    forecast: async ({ version }, symbol, _timeframe, ts) => forecast(version, symbol, ts),
    askOpenai: async ({ symbol, candles, i }) => {
      const { signal, confidence } = invented('openai', symbol, candles.ts[i]!).forecast
      return { signal, confidence, reasoning: 'Invented.', failure: null }
    },
    paper,
    exchange: { decide: async () => 0 },
    log,
    batch,
  })
  const runtime = {
    ...paper,
    /** Decides all that has closed, by quick deciders and slow ones. */
    async catchUp(): Promise<void> {
      await closes.catchUp()
      await closes.idle()
    },
  }
  const reading: Omit<BotReadsDeps, 'equity'> & typeof shared = {
    ...shared,
    read: service.read,
    candles: async (symbol, timeframe, { toMs }) => market.load(symbol, timeframe, { toMs, limit: 10_000 }),
    orders: async () => [],
    executed: (wanted) => createOrderStore({ venue: 'replay', kind: 'replay' }).executed(db.orm, wanted),
  }
  const reads = createBotReads(reading)
  let made = 0
  const owner = { userId: '01890000-0000-7000-8000-0000000000aa', role: 'admin' as const, sid: '', address: 'here' }
  const parity = createParityCheck({
    ...shared,
    async decisions(_bot, plan, symbol, { fromMs, toMs }) {
      const all = await market.load(symbol, '1h', { toMs, limit: 10_000 })
      const candles = sliceCandles(all, indexAtOrAfter(all, fromMs), all.length)
      const { length } = candles
      const decisions = plan.targets === undefined ? new Int8Array(length) : new Float64Array(length).fill(Number.NaN)
      return { candles, decisions, basis: all }
    },
  })
  return {
    service,
    control,
    runtime,
    reads,
    rebalancing,
    rebalances: createRebalances(reading),
    trading,
    store,
    equity,
    owner,
    /** Live against a backtest for which the models of today decide nothing. */
    parityOf: (id: string) => parity(id, owner),
    /** A bot of these choices, started. */
    async started(draft: Partial<BotDraft>): Promise<string> {
      const id = await service.create(Draft.parse({ name: `B ${++made}`, ...draft }), owner)
      await control.start(id, owner)
      return id
    },
  }
}
export type BotsBench = ReturnType<typeof createBotsBench>
