import { silentLogger } from '@shapecast/platform/logging'
import { notifyAll } from '@shapecast/platform/notify'
import { createBotControl } from '../../src/bots/bot-control.ts'
import { createBotReads } from '../../src/bots/bot-reads.ts'
import { createBotService } from '../../src/bots/bot-service.ts'
import { type BotStore, createBotStore } from '../../src/bots/bot-store.ts'
import { createBotTrading } from '../../src/bots/bot-trading.ts'
import { createCloses } from '../../src/bots/decide-closes.ts'
import type { ForecastSource } from '../../src/bots/decision-answers.ts'
import type { BotMarket } from '../../src/bots/decision-round.ts'
import { createBotEquity } from '../../src/bots/equity.ts'
import { obstacleToDelete } from '../../src/bots/exchange-entry.ts'
import { createRealBots } from '../../src/bots/real-bots.ts'
import { createRebalancing } from '../../src/bots/rebalancing.ts'
import { createRuntimeStore } from '../../src/bots/runtime-store.ts'
import { createTradingStore, type TradingStore } from '../../src/bots/trading-store.ts'
import { createKeyedReplies } from '../../src/ledger/keyed-replies.ts'
import { inventedModel } from './bots-bench.ts'
import type { OpenAccounts } from './open-accounts.ts'

type RoomsDeps = Parameters<typeof createRealBots>[0]

/** One process with the rooms of bots and accounts. */
export interface RealBotsProcess {
  readonly room: OpenAccounts
  readonly rooms: ReturnType<typeof createRealBots> & {
    betweenCloses(): Promise<void>
    advance(): Promise<void>
  }
  readonly control: ReturnType<typeof createBotControl>
  readonly bots: ReturnType<typeof createBotService>
  readonly reads: ReturnType<typeof createBotReads>
  /** What parity reads of the bots. */
  readonly stores: { readonly bots: BotStore; readonly trading: TradingStore }
}

/** The rooms of bots with real money, over an accounts room and a market of a test. */
export function assembleRealBots({
  db,
  venue,
  room,
  market,
  forecast,
  now,
  beforeSend,
}: Pick<RoomsDeps, 'db' | 'now'> & {
  forecast: ForecastSource
  venue: string
  room: OpenAccounts
  market: RoomsDeps['market'] & Pick<BotMarket, 'load'> & { price(symbol: string): Promise<number> }
  /** Runs after an order is written down and before it is sent. */
  beforeSend?: (() => Promise<void>) | undefined
}): RealBotsProcess {
  const store = createBotStore(db.orm, venue, room.bots)
  const trading = createTradingStore(db.orm, room.bots)
  const runtimeStore = createRuntimeStore(db.orm, venue)
  const equity = createBotEquity({
    db: db.orm,
    accounts: room.bots,
    bots: store,
    states: trading,
    price: market.price,
    futuresPrice: room.valuedAt,
    rules: market.rules,
  })
  const shared = {
    db,
    bots: store,
    states: trading,
    runtime: runtimeStore,
    equity,
    replies: createKeyedReplies(venue),
    rules: market.rules,
    marketNow: market.now,
    replayNow: async () => null,
    unknownVersions: async () => [],
    now,
  }
  const bots = createBotService({
    ...shared,
    requireAble: async () => undefined,
    rules: async () => null,
    obstacleToDelete: (botId) => obstacleToDelete(botId, { orm: db.orm, orders: room.realBots, states: trading }),
  })
  const realBots = createRealBots({
    db,
    exchange: {
      ...room,
      botOrders: {
        ...room.botOrders,
        async prepare(...asked) {
          const way = await room.botOrders.prepare(...asked)
          return beforeSend === undefined ? way : { ...way, send: () => beforeSend().then(way.send) }
        },
      },
    },
    bots: store,
    store: runtimeStore,
    market,
    tell: (tx, news) => notifyAll(tx, news, now()),
    replayNow: async () => null,
    log: silentLogger(),
    now,
  })
  const closes = createCloses({
    market,
    store: runtimeStore,
    forecast,
    currentModel: inventedModel,
    askOpenai: () => Promise.reject(new Error('not of these tests')),
    paper: { decide: async () => 0 },
    exchange: realBots.execution,
    log: silentLogger(),
  })
  const rooms = {
    ...realBots,
    betweenCloses: realBots.execution.between,
    /** What a worker does within a second or so: between closes, and at those that nobody has told of. */
    async advance(): Promise<void> {
      await realBots.execution.between()
      await closes.catchUp()
      await closes.idle()
    },
  }
  const rebalancing = createRebalancing({
    ...shared,
    async ticker(symbol) {
      const last = await market.price(symbol)
      return last === null ? null : { last, timestamp: now() }
    },
    real: rooms.entry,
  })
  const control = createBotControl({
    ...shared,
    requireSymbol: async () => undefined,
    currentModel: inventedModel,
    predicting: async () => () => undefined,
    openaiReady: false,
    real: rooms.entry,
    trading: createBotTrading(shared),
    planRebalance: rebalancing.plan,
  })
  const reads = createBotReads({
    ...shared,
    read: bots.read,
    candles: () => Promise.reject(new Error('not of these tests')),
    orders: (botId, limit) => room.ledger.orders.ofBot(db.orm, botId, limit),
    executed: (wanted) => room.ledger.orders.executed(db.orm, wanted),
  })
  return { room, rooms, control, bots, reads, stores: { bots: store, trading } }
}
