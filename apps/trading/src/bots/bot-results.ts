import type { BotMonth, BotResults } from '@shapecast/contracts/bot-results'
import type { BotRecord } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Portfolio } from '@shapecast/engine/portfolio'
import { postedOf } from '@shapecast/engine/post-only'
import { periodsOf } from '@shapecast/engine/run-periods'
import { type HeldSpell, heldTimeOf, tradeResultsOf } from '@shapecast/engine/trade-results'
import type { Viewer } from '../ground/ownership.ts'
import type { BotsContext } from './bots-context.ts'
import { heldWorth } from './held-worth.ts'
import { timeframeOf } from './timeframe-of.ts'
import type { ClosedTrade, TradingStore } from './trading-store.ts'

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

export type ResultsContext = Pick<BotsContext, 'states' | 'read' | 'candles' | 'executed'>

async function monthsOf(
  { candles }: ResultsContext,
  bot: BotRecord,
  points: Awaited<ReturnType<TradingStore['equity']>>,
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

/** What fills cost against the prices at which their orders were decided, quote; null before the first. */
async function slippageOf({ states, executed }: ResultsContext, id: string): Promise<BotResults['slippage']> {
  const decided = await states.decidedPrices(id)
  const prices = new Map(decided.map(({ orderId, price }) => [orderId, price]))
  const done = await executed(decided)
  const paid = done.reduce((sum, { orderId, side, price, quantity }) => {
    const above = price - prices.get(orderId)!
    return sum + (side === 'buy' ? above : -above) * quantity
  }, 0)
  return done.length === 0 ? null : { paid, orders: done.length }
}

/** What a bot has made so far, from all of its trades, decisions and closes; only the figures leave the service. */
export async function readResults(ctx: ResultsContext, id: string, viewer: Viewer): Promise<BotResults> {
  const { states } = ctx
  const bot = await ctx.read(id, viewer)
  const [state, trades, points, decisions, slippage] = await Promise.all([
    states.state(id),
    states.closedTrades(id),
    states.equity(id, undefined),
    states.countDecisions(id),
    slippageOf(ctx, id),
  ])
  const months = await monthsOf(ctx, bot, points, trades)
  const held = heldTimeOf([...trades, ...openSpells(state?.portfolio)], {
    atMs: points.map(({ atMs }) => atMs),
    equity: points.map(({ equity }) => equity),
  })
  return {
    ...tradeResultsOf(trades),
    timeInMarketPct: held?.timeInMarketPct ?? null,
    exposurePct: held?.exposurePct ?? null,
    slippage,
    ...postedOf((state?.portfolio.pairs ?? []).map(({ account }) => account)),
    months,
    years: [...new Set(trades.map(({ exitTime }) => new Date(exitTime).getUTCFullYear()))].reverse(),
    decisions,
  }
}
