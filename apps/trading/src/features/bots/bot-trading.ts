import { createPortfolio } from '@shapecast/engine/portfolio'
import type { Orm } from '@shapecast/platform/database/database'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { BotRow } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'
import type { TradingStore } from './trading-store.ts'

export interface BotTradingDeps {
  store: TradingStore
  /** The market's clock, ms; null where it has none. */
  marketNow(): Promise<number | null>
  now(): number
}

/** A bot's trading begins, ends and is put back; give each the transaction that holds the bot's lock. */
export const createBotTrading = ({ store, marketNow, now }: BotTradingDeps) => ({
  /**
   * Makes a bot ready to decide at the next close. One that was stopped has missed nothing; one that was paused or broken
   * goes on where it was. Either measures its drawdown anew from what it has now.
   */
  async begin(tx: Orm, bot: BotRow): Promise<void> {
    const state = await store.state(bot.id, tx)
    const decidedTs = lastClosedOpen(timeframeOf(bot.parameters), (await marketNow()) ?? now())
    const portfolio = state?.portfolio ?? createPortfolio(bot.initialBalance, bot.tradingPairs)
    portfolio.peak = portfolio.equity
    portfolio.haltedAt = -1
    await store.saveState(tx, {
      botId: bot.id,
      decidedTs: state === undefined || bot.status === 'stopped' ? decidedTs : state.decidedTs,
      portfolio,
      worstDrawdownPct: state?.worstDrawdownPct ?? 0,
    })
  },

  /** Puts the balance back to the initial one, and deletes trades, decisions and the equity curve. */
  reset: (tx: Orm, bot: BotRow): Promise<void> => store.reset(tx, bot, now()),
})
