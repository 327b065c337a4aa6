import { notifyAll } from '@shapecast/platform/notify'
import type { RuntimeDeps } from '../bots/bot-runtime.ts'
import { createBotStore } from '../bots/bot-store.ts'
import { createCloses } from '../bots/decide-closes.ts'
import { createBotEquity } from '../bots/equity.ts'
import { createPaperExecution } from '../bots/paper-execution.ts'
import { createRealBots } from '../bots/real-bots.ts'
import { createRuntimeStore } from '../bots/runtime-store.ts'
import { createTradingStore } from '../bots/trading-store.ts'
import { freshTicker } from '../ledger/market-prices.ts'
import type { TradingAccounts } from './accounts.ts'
import type { Forecasts } from './forecasts.ts'
import type { Ground, TradingDeps } from './ground.ts'
import type { Models } from './models.ts'

/** What is kept of bots, and what they are worth. */
export const keptBotsOf = (
  { db, venue, market }: Ground,
  { models }: Models,
  { ledger, exchange }: TradingAccounts,
) => {
  const store = createBotStore(db.orm, venue.name, ledger.bots)
  const trading = createTradingStore(db.orm, ledger.bots)
  const price = async (symbol: string) => (await venue.ticker(symbol)).last
  const equity = createBotEquity({
    db: db.orm,
    accounts: ledger.bots,
    bots: store,
    states: trading,
    price,
    futuresPrice: exchange.valuedAt,
    rules: market.rules,
    predicting: models.predicting,
  })
  return { store, trading, runtime: createRuntimeStore(db.orm, venue.name), equity, price }
}
export type KeptBots = ReturnType<typeof keptBotsOf>

/** What decides and trades for bots, on paper and at the exchange. */
export const runningBotsOf = (
  { db, venue, market, marketTime, replayNow, log, now }: Ground,
  { models }: Models,
  { forBots, openai }: Forecasts,
  { ledger, exchange }: TradingAccounts,
  kept: KeptBots,
  forming: TradingDeps['forming'],
) => {
  const deciding: RuntimeDeps = {
    db,
    store: kept.runtime,
    replayNow,
    async tell(tx, news) {
      const marketAtMs = await replayNow()
      const told = news.map((one) => ({ ...one, marketAtMs }))
      await notifyAll(tx, told, now())
    },
    log,
    now,
  }
  const botMarket = { now: marketTime, speed: venue.speed, load: market.load, rules: market.rules, price: kept.price }
  const paper = createPaperExecution({
    ...deciding,
    ledger: ledger.bots,
    market: { ...botMarket, forming: forming ?? (() => null) },
  })
  const realBots = createRealBots({
    ...deciding,
    exchange,
    bots: kept.store,
    market: { ...botMarket, price: async (symbol) => (await freshTicker(ledger.market, symbol))?.last ?? null },
  })
  const asked = { askOpenai: openai.askForDecision, currentModel: models.predictingOn }
  return {
    deciding,
    paper,
    realBots,
    closes: createCloses({
      ...asked,
      forecast: forBots,
      market: botMarket,
      store: kept.runtime,
      paper,
      exchange: realBots.execution,
      log,
    }),
  }
}
export type RunningBots = ReturnType<typeof runningBotsOf>
