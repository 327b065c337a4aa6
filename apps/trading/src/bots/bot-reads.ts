import type { Order } from '@shapecast/contracts/accounts'
import type { Trade } from '@shapecast/contracts/backtest-results'
import type { BotDecision, DecisionLog, DoneDecision } from '@shapecast/contracts/bot-decisions'
import type { BotBalance, BotEquity, BotTrade, OpenBotPosition, SubAccount } from '@shapecast/contracts/bot-trading'
import type { BotRecord } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { drawdownPct } from '@shapecast/engine/indicators/drawdown'
import { planOf } from '@shapecast/engine/policies/plan'
import type { Portfolio } from '@shapecast/engine/portfolio'
import { thinPoints } from '@shapecast/engine/thin-points'
import { wilsonInterval } from '@shapecast/ml/evaluate/intervals'
import { csvFile } from '@shapecast/platform/http/csv-file'
import { deciderOf } from '../deciders/deciders.ts'
import type { Asker, Viewer } from '../ground/ownership.ts'
import { decisionColumns, TRADE_COLUMNS } from './bot-csv.ts'
import { requireChange } from './bot-rights.ts'
import type { BotsContext } from './bots-context.ts'
import { summaryOf } from './decision-summary.ts'
import type { BotMoney } from './equity.ts'
import { heldWorth } from './held-worth.ts'
import { nextCloseAfter, timeframeOf } from './timeframe-of.ts'
import { knownOf, NOT_KNOWN, type Page, type TradingStore } from './trading-store.ts'

/** Decisions that the sentence on top of the log looks at. */
const SUMMED_UP = 72
const DAY_MS = 86_400_000
/** Exits that a decision asked for, at the open after it. */
const BY_DECISION: readonly Trade['exitReason'][] = ['signal', 'reversal', 'time', 'rebalance']

/** What a bot is worth, quote. */
export type BotWorth = Pick<BotMoney, 'balance' | 'equity' | 'closedPnL' | 'openPnL' | 'positions'> &
  Pick<BotRecord, 'isVirtual' | 'initialBalance'> & { readonly botId: string }

export type BotReadsDeps = Pick<
  BotsContext,
  'states' | 'bots' | 'equity' | 'read' | 'candles' | 'orders' | 'executed' | 'marketNow'
>

/** The next close at which a bot decides, ms: of a policy that holds a share, that of the next day once it has decided. */
export function nextDecisionAfter(bot: BotRecord, portfolio: Portfolio | undefined, nowMs: number): number {
  const timeframe = timeframeOf(bot.parameters)
  const step = TIMEFRAME_MS[timeframe]
  const plan = planOf(bot)
  const decider = deciderOf(bot, plan)
  const next = nextCloseAfter(timeframe, nowMs)
  for (let close = next; close < next + DAY_MS; close += step)
    if (portfolio === undefined || decider.isDue(plan, portfolio, close - step, timeframe)) return close
  return next
}

/** What a bot decided, and why. */
const decisionsOf = ({ states, executed, read, marketNow }: BotReadsDeps) => {
  /** With the price of each order, and what the trades made that closed at the open after the decision, by it. */
  async function done(bot: BotRecord, decisions: readonly BotDecision[]): Promise<DoneDecision[]> {
    const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
    const [filled, trades] = await Promise.all([
      executed(decisions.flatMap(({ orderId }) => (orderId === null ? [] : { orderId, price: null }))),
      states.tradesClosed(
        bot.id,
        decisions.map(({ candleTs }) => candleTs + step),
      ),
    ])
    const prices = new Map(filled.map(({ orderId, price }) => [orderId, price]))
    return decisions.map((decision) => {
      const closed = trades.filter(
        ({ symbol, exitTime, exitReason }) =>
          symbol === decision.symbol && exitTime === decision.candleTs + step && BY_DECISION.includes(exitReason),
      )
      return {
        ...decision,
        price: prices.get(decision.orderId ?? '') ?? null,
        netPnL: closed.length === 0 ? null : closed.reduce((sum, { netPnL }) => sum + netPnL, 0),
      }
    })
  }
  return {
    async decisions(
      id: string,
      query: Page & { show: 'all' | 'orders' | 'not_traded' },
      viewer: Viewer,
    ): Promise<DecisionLog> {
      const bot = await read(id, viewer)
      const [decisions, newest, state, nowMs] = await Promise.all([
        states.decisions(id, query),
        states.decisions(id, { limit: SUMMED_UP, show: 'all' }),
        states.state(id),
        bot.status === 'active' ? marketNow() : null,
      ])
      return {
        summary: summaryOf(newest),
        nextAt: nowMs === null ? null : nextDecisionAfter(bot, state?.portfolio, nowMs),
        decisions: await done(bot, decisions),
      }
    },

    /** All decisions as CSV, the oldest first, read in parts. */
    async exportDecisions(id: string, viewer: Viewer) {
      const step = TIMEFRAME_MS[timeframeOf((await read(id, viewer)).parameters)]
      return csvFile(`decisions-${id}.csv`, decisionColumns(step), (after) => states.decisionsAfter(id, after, 1000))
    },
  }
}

/** What people see of a bot's trading: account, trades, decisions, equity. */
export const createBotReads = (deps: BotReadsDeps) => {
  const { states, bots, equity: valued, read, orders, candles } = deps

  return {
    ...decisionsOf(deps),

    async balance(id: string, viewer: Viewer): Promise<BotBalance> {
      const bot = await read(id, viewer)
      const [state, money] = await Promise.all([states.state(id), valued.one(bot)])
      const { balance, fees, equity, closedPnL, openPnL } = money
      const positions = money.positions.map((held): OpenBotPosition => {
        const known = knownOf(state, held.symbol)
        return { ...held, ...(known ?? NOT_KNOWN), margin: bot.marketType === 'spot' ? 0 : (known?.margin ?? 0) }
      })
      const peak = Math.max(state?.portfolio.peak ?? bot.initialBalance, equity)
      const drawdown = drawdownPct(equity, peak)
      return {
        botId: id,
        venue: bot.venue,
        isVirtual: bot.isVirtual,
        currency: 'USDT',
        initialBalance: bot.initialBalance,
        balance,
        equity,
        closedPnL,
        openPnL,
        realizedPnL: balance - bot.initialBalance,
        unrealizedPnL: equity - balance,
        fees,
        drawdownPct: drawdown,
        worstDrawdownPct: Math.max(state?.worstDrawdownPct ?? 0, drawdown),
        winInterval:
          bot.totalTrades === 0 ? null : wilsonInterval(bot.winningTrades / bot.totalTrades, bot.totalTrades),
        positions,
      }
    },

    async trades(id: string, page: Parameters<TradingStore['trades']>[1], viewer: Viewer): Promise<BotTrade[]> {
      await read(id, viewer)
      return states.trades(id, page)
    },

    /** Closed trades as CSV, all or those that closed in a calendar year, UTC; the newest first, read in parts. */
    async exportTrades(id: string, year: number | undefined, viewer: Viewer) {
      await read(id, viewer)
      const closed = year === undefined ? {} : { since: Date.UTC(year, 0), before: Date.UTC(year + 1, 0) }
      const name = ['trades', year, `${id}.csv`].filter((part) => part !== undefined).join('-')
      return csvFile(name, TRADE_COLUMNS, (after) => states.tradesAfter(id, after, { ...closed, limit: 1000 }))
    },

    async orders(id: string, limit: number, member: Asker): Promise<Order[]> {
      requireChange(await read(id, member), member)
      return orders(id, limit)
    },

    async equity(
      id: string,
      { since, limit }: { since?: number | undefined; limit: number },
      viewer: Viewer,
    ): Promise<BotEquity> {
      const bot = await read(id, viewer)
      const rows = await states.equity(id, since)
      const kept = thinPoints(
        Float64Array.from(rows, (row) => row.equity),
        limit,
      )
      const points = kept.map((i) => ({ t: rows[i]!.atMs, equity: rows[i]!.equity }))
      const { initialBalance } = bot
      // The same money in equal shares in each pair, bought at the first point's price; empty where a price is unknown.
      const times = points.map(({ t }) => t)
      const held = (await heldWorth(candles, bot, initialBalance, times)) ?? []
      return { initialBalance, points, hold: Array.from(held, (equity, i) => ({ t: times[i]!, equity })) }
    },

    /** What the bots of a user are worth, as their file has it: the figures of the list, quote. */
    async worthOf(userId: string): Promise<BotWorth[]> {
      const own = await bots.ownOf(userId)
      const money = await valued.moneyOf(own)
      return own.map(({ id, initialBalance, isVirtual }, i) => {
        const { balance, equity, closedPnL, openPnL, positions } = money[i]!
        return { botId: id, isVirtual, initialBalance, balance, equity, closedPnL, openPnL, positions }
      })
    },

    async subAccounts(member: Asker): Promise<SubAccount[]> {
      const own = await bots.ownOf(member.userId)
      const money = await valued.moneyOf(own)
      return own.flatMap(({ id: botId, name: botName, venue, isVirtual }, i) => {
        const { accountId: id, accountCreatedAtMs: createdAt, balance, equity } = money[i]!
        return id === null
          ? []
          : [{ id, botId, botName, venue, isVirtual, currency: 'USDT', balance, equity, createdAt }]
      })
    },
  }
}

export type BotReads = ReturnType<typeof createBotReads>
