import { AppError } from '@shapecast/contracts/errors'
import { exchangeName, exchangeOf, type RealMarket } from '@shapecast/contracts/exchanges'
import { SYSTEM } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { realOfBot } from '../ledger/account-store.ts'
import type { WantedOrder } from '../ledger/broker.ts'
import { atCost } from '../ledger/entries.ts'
import { freshTicker, isFresh, quoteOf } from '../ledger/market-prices.ts'
import { numberOf } from '../ledger/money.ts'
import type { OrderRow } from '../ledger/tables.ts'
import { endedOf, type RealLedger } from './ended-orders.ts'
import * as broker from './exchange-broker.ts'
import { requireWithinInstallation } from './installation-limits.ts'
import * as real from './real-trading-store.ts'
import * as sent from './sent-order-store.ts'
import { withdraw } from './sent-orders.ts'
import { requireWithinLimits, type Weighed } from './trading-limits.ts'
import { type ExchangeContext, pricesFor } from './venue-accounts.ts'

// Orders of bots with real money: each bot has an account of its own, which is a part of its owner's at the exchange.

/** An order that a bot wants, and what makes it the order that it is: the same of both is the same order. */
export interface BotOrder
  extends Pick<WantedOrder, 'side' | 'quantity' | 'stopPrice' | 'restOfId'>,
    Required<Pick<WantedOrder, 'exitReason' | 'stopPct' | 'targetPct'>> {
  readonly symbol: string
  readonly closes: boolean
  readonly leg: string
  /** Of a decision the candle, else how often the bot was written down. */
  readonly at: number
  /** It rests as a post-only order at this price (quote per base) for so long (ms), instead of taking at the market. */
  readonly rests?: { readonly limit: number; readonly forMs: number }
}

/** What of a bot leads its orders. */
export interface OrderingBot {
  readonly id: string
  readonly userId: string
  readonly marketType: RealMarket
  readonly leverage: number
}

/** An order of a bot on its way: made ready, written down in the bot's transaction, then sent. */
export interface PreparedOrder {
  /** Answers the id of the row. Throws why it may not be. */
  place(tx: Orm, order: BotOrder): Promise<string>
  /**
   * After the commit; an order that was not placed is nothing to send. Never throws what became of the order. Answers
   * whether all of it is known to be filled.
   */
  send(): Promise<boolean>
  /** Instead of sending it: says in the ledger why it was not. */
  withdraw(reason: string): Promise<void>
  /** To be called whatever came of it. */
  end(): Promise<void>
}

/** Whether a bot holds something of a symbol, by its ledger. */
async function holds(ctx: ExchangeContext, botId: string, symbol: string): Promise<boolean> {
  const { db, accounts } = ctx
  const accountId = await accounts.find(db.orm, realOfBot(botId, ctx.network))
  return accountId !== undefined && (await accounts.holding(db.orm, accountId, symbol)).quantity !== 0n
}

/** Opens the account of a bot for trading at the exchange with the key of its owner. Throws `conflict` for one on the other network. */
export async function enter(
  { accounts, network }: ExchangeContext,
  tx: Orm,
  { id, userId, marketType }: OrderingBot,
): Promise<void> {
  if (await accounts.makeReal(tx, id, { network, keyUserId: userId, market: marketType })) return
  throw new AppError(
    'conflict',
    `This bot has traded on the other network. TESTNET has to be set to it, or another bot created.`,
  )
}

/** The ledger as it is, under the account's lock; null where the bot has no account on the network in use. */
export async function ledger(ctx: ExchangeContext, tx: Orm, botId: string): Promise<RealLedger | null> {
  const { accounts } = ctx
  const account = await accounts.lockOf(tx, realOfBot(botId, ctx.network))
  if (account === undefined) return null
  const holdings = await accounts.holdings(tx, account.id)
  return {
    accountId: account.id,
    balance: numberOf(atCost(account.market, account.balance, holdings)),
    held: new Map(
      holdings.map(({ symbol, quantity, cost }) => [symbol, { quantity: numberOf(quantity), cost: numberOf(cost) }]),
    ),
    charges: account.market === 'spot' ? new Map() : await accounts.charges(tx, account.id),
    ...(await endedOf(ctx, tx, account)),
  }
}

/** Throws `unprocessable` where the exchange takes no stop-loss of this symbol. */
export async function requireStops(
  ctx: ExchangeContext,
  { userId, marketType }: OrderingBot,
  symbol: string,
): Promise<void> {
  await broker.requireStops(ctx, await ctx.venues.of(userId, marketType), symbol)
}

/** The rules of a symbol and its price now as an order of the bot would meet them; null where they are not known. */
export async function marketOf(
  { market, venues }: ExchangeContext,
  { userId, marketType }: OrderingBot,
  symbol: string,
) {
  try {
    const prices = pricesFor(market, await venues.of(userId, marketType))
    const rules = (await prices.markets()).find(({ id }) => id === symbol)
    return rules === undefined ? null : { rules, price: (await freshTicker(prices, symbol))?.last ?? null }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The price by which the exchange values and liquidates a position of the bot; null where it is not known now. */
export async function markPrice(
  { market, venues }: ExchangeContext,
  { userId, marketType }: OrderingBot,
  symbol: string,
): Promise<number | null> {
  const { trading } = await venues.of(userId, marketType)
  const mark = await trading.markPrice(symbol)
  if (mark === null) return null
  const { price, timestampMs } = mark
  return isFresh(market.kind, timestampMs, (await market.now()) ?? timestampMs) ? price : null
}

/**
 * Futures, before the first order: sees that the margin of each pair is isolated, with the bot's leverage. Throws what
 * has to be changed at the exchange.
 */
export async function isolate(
  { venues }: ExchangeContext,
  { userId, leverage }: OrderingBot,
  symbols: readonly string[],
): Promise<void> {
  const { trading } = await venues.of(userId, 'futures')
  for (const symbol of symbols) await trading.isolate(symbol, leverage)
}

/** Puts back the stops and targets of what a bot holds where they were taken away. */
export const guardAgain = (ctx: ExchangeContext, tx: Orm, botId: string): Promise<void> =>
  sent.guardAgain(ctx, tx, realOfBot(botId, ctx.network))

/**
 * The way of one order of a bot to the exchange. Where it closes, stops and targets are cancelled first: `end` puts back
 * those of what was not closed. Before an entry on futures those are that a position before it has left behind: they
 * would close this one. Throws what keeps it from being sent.
 */
export async function prepare(ctx: ExchangeContext, bot: OrderingBot, wanted: BotOrder): Promise<PreparedOrder> {
  const { db, market, accounts, orders, venues, network, now } = ctx
  const account = await venues.of(bot.userId, bot.marketType)
  const { symbol, leg, at } = wanted
  const isFutures = bot.marketType === 'futures'
  if (isFutures && !wanted.closes) await account.trading.isolate(symbol, bot.leverage)
  const quote = await quoteOf(pricesFor(market, account), symbol, now)
  const id = clientOrderId('bot', bot.id, market.venue, network, symbol, leg, at)
  const owner = {
    key: realOfBot(bot.id, network),
    async weigh(tx: Orm, order: Weighed) {
      const counted = await requireWithinLimits(ctx, tx, bot.userId, order)
      if (counted > 0n) await requireWithinInstallation(ctx, tx, counted)
      return counted
    },
  }
  const placing = await broker.prepare(ctx, owner, account, quote, id)
  if (wanted.closes || (isFutures && !(await holds(ctx, bot.id, symbol)))) await placing.freeCoins()
  const hasTarget = wanted.targetPct !== null && (await account.trading.takesTarget(symbol, wanted.stopPct !== null))
  let placed: OrderRow | null = null
  return {
    async place(tx, { side, closes, quantity, stopPrice, stopPct, targetPct, exitReason, rests, restOfId }) {
      const { id: accountId } = (await accounts.lockOf(tx, owner.key))!
      const most = closes ? (await placing.sellable(tx, accountId, side)).free : quantity
      placed = await placing.place(tx, accountId, {
        clientOrderId: id,
        side,
        type: rests === undefined ? 'market' : 'limit',
        quantity: Math.min(quantity, most),
        price: rests?.limit ?? null,
        restsMs: rests?.forMs,
        restOfId,
        source: 'bot',
        stopPrice,
        stopPct,
        targetPct: hasTarget ? targetPct : null,
        reduceOnly: isFutures && closes,
        exitReason,
      })
      await orders.audit(tx, SYSTEM, 'placed', placed.id)
      return placed.id
    },
    async send() {
      if (placed === null) return false
      // Nobody else sends it: what the kill switch has overtaken is never sent, and ends as not placed.
      if (!wanted.closes && (await real.read(ctx, db.orm)).killedAtMs !== null) return false
      try {
        await placing.carryOut(placed)
      } catch (error) {
        // What became of it is written down; the bot takes it in as it is.
        if (!(error instanceof AppError)) throw error
      }
      const { status, filled } = await orders.row(db.orm, placed.id)
      return status === 'filled' && (await sent.knownFilled(db.orm, placed.id)) >= filled
    },
    async withdraw(reason) {
      if (placed !== null) await withdraw(ctx, placed.id, reason)
    },
    end: () => placing.end(),
  }
}

/** Throws why a bot could not trade now: no key, no exchange, or one that does not answer. Answers the account's mark. */
export async function requireReady(
  { market, venues }: ExchangeContext,
  { userId, marketType }: OrderingBot,
): Promise<string> {
  const { trading, mark } = await venues.of(userId, marketType)
  const rights = await trading.keyRights()
  if (rights !== null && !rights[marketType])
    throw new AppError(
      'unprocessable',
      `Your API key may not trade ${marketType}. Give it these rights at ${exchangeName(market.venue)}: ${exchangeOf(market.venue)?.[marketType]?.keyRights.join(', ')}.`,
    )
  await trading.balances()
  return mark
}
