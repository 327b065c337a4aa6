import type { BotMonth, BotResults } from '@shapecast/contracts/bot-results'
import type { BotRecord } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Portfolio } from '@shapecast/engine/portfolio'
import { postedOf } from '@shapecast/engine/post-only'
import { periodsOf } from '@shapecast/engine/run-periods'
import { type HeldSpell, heldTimeOf, tradeResultsOf } from '@shapecast/engine/trade-results'
import type { Viewer } from '../ground/ownership.ts'
import { heldWorth, type LoadCandles } from './held-worth.ts'
import { timeframeOf } from './timeframe-of.ts'
import type { ClosedTrade, TradingStore } from './trading-store.ts'

export interface BotResultsDeps {
  store: Pick<TradingStore, 'state' | 'closedTrades' | 'equity' | 'countDecisions' | 'decidedPrices'>
  /** Throws `not_found` where the viewer may not see the bot. */
  read(id: string, viewer: Viewer): Promise<BotRecord>
  candles: LoadCandles
  /** What fills of orders cost against the prices (quote per base) at which they were decided, quote. */
  slippage(
    decided: readonly { readonly orderId: string; readonly price: number }[],
  ): Promise<{ paid: number; orders: number }>
}

interface EquityPoint {
  readonly atMs: number
  readonly equity: number
}

/** What is held now, as it stands in the bot's own account. */
const openSpells = (portfolio: Portfolio | undefined): HeldSpell[] =>
  (portfolio?.pairs ?? [])
    .filter(({ account }) => account.side !== 0)
    .map(({ account: { entryTime, entryPrice, size } }) => ({
      entryTime,
      exitTime: Number.POSITIVE_INFINITY,
      entryPrice,
      quantity: Math.abs(size),
    }))

/** What a bot has made so far, from all of its trades, decisions and closes; only the figures leave the service. */
export const createBotResults = ({ store, read, candles, slippage }: BotResultsDeps) => {
  async function monthsOf(
    bot: BotRecord,
    points: readonly EquityPoint[],
    trades: readonly ClosedTrade[],
  ): Promise<BotMonth[]> {
    const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
    const curve = {
      initialBalance: bot.initialBalance,
      length: points.length,
      ts: Float64Array.from(points, ({ atMs }) => atMs - step),
      equity: Float64Array.from(points, ({ equity }) => equity),
    }
    const periods = periodsOf(curve, trades, { seen: null, unseen: null }, null, 'months')
    if (periods.length === 0) return []
    const held = await heldWorth(candles, bot, 1, [points[0]!.atMs, ...periods.map(({ to }) => to + step)])
    let equity = bot.initialBalance
    return periods.map(({ from, to, returnPct, maxDrawdownPct, trades: entered }, i) => {
      const before = equity
      equity *= 1 + returnPct / 100
      return {
        from,
        to,
        pnl: equity - before,
        returnPct,
        holdPct: held === null ? null : 100 * (held[i + 1]! / held[i]! - 1),
        maxDrawdownPct,
        trades: entered,
      }
    })
  }

  return async (id: string, viewer: Viewer): Promise<BotResults> => {
    const bot = await read(id, viewer)
    const [state, trades, points, decisions, decided] = await Promise.all([
      store.state(id),
      store.closedTrades(id),
      store.equity(id, undefined),
      store.countDecisions(id),
      store.decidedPrices(id),
    ])
    const [months, slipped] = await Promise.all([monthsOf(bot, points, trades), slippage(decided)])
    const held = heldTimeOf([...trades, ...openSpells(state?.portfolio)], {
      atMs: points.map(({ atMs }) => atMs),
      equity: points.map(({ equity }) => equity),
    })
    return {
      ...tradeResultsOf(trades),
      timeInMarketPct: held?.timeInMarketPct ?? null,
      exposurePct: held?.exposurePct ?? null,
      slippage: slipped.orders === 0 ? null : slipped,
      ...postedOf((state?.portfolio.pairs ?? []).map(({ account }) => account)),
      months,
      years: [...new Set(trades.map(({ exitTime }) => new Date(exitTime).getUTCFullYear()))].reverse(),
      decisions,
    }
  }
}
export type ReadBotResults = ReturnType<typeof createBotResults>
