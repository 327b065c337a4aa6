import type { OpenBotPosition } from '@shapecast/contracts/bot-trading'
import type { Bot, BotPosition, BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { BotLedger, HeldCoins } from '../ledger/bot-ledger.ts'
import type { BotStore } from './bot-store.ts'
import { isDust } from './move-orders.ts'
import { modelsOf, type PredictsNow } from './pinned-models.ts'
import type { RunningBot } from './running-bots.ts'
import { knownOf, NOT_KNOWN, type TradingStore } from './trading-store.ts'

/** What a position is valued at. */
export type MarkedAt = Pick<OpenBotPosition, 'markPrice' | 'markedBy'>

export type HeldPosition = Omit<BotPosition, 'closing' | 'takeProfitPrice' | 'stopLossPrice'> &
  Pick<OpenBotPosition, 'markedBy'>

/** What a bot's money is worth, quote. */
export interface BotMoney {
  readonly accountId: string | null
  readonly accountCreatedAtMs: number
  /** Its money with open positions at what they cost. */
  readonly balance: number
  readonly fees: number
  /** Balance with open positions at their prices. */
  readonly equity: number
  readonly closedPnL: number
  readonly openPnL: number
  readonly positions: readonly HeldPosition[]
}

/**
 * The one equity of a bot: money plus open positions at `markOf` their symbols. `closedPnL` is the sum of its closed
 * trades; with nothing held all is closed. initial balance + closed + open = equity.
 */
export function equityOf(
  ledger: {
    readonly initialBalance: number
    readonly balance: number
    readonly closedPnL: number
    readonly held: readonly HeldCoins[]
  },
  markOf: (coins: HeldCoins) => MarkedAt,
): Pick<BotMoney, 'equity' | 'closedPnL' | 'openPnL' | 'positions'> {
  const { initialBalance, balance, held } = ledger
  const positions = held.map((coins): HeldPosition => {
    const { symbol, quantity: size, cost, openedAtMs: entryTime } = coins
    const quantity = Math.abs(size)
    const entryPrice = cost / quantity
    const { markPrice, markedBy } = markOf(coins)
    const worth = quantity * markPrice
    const unrealizedPnL = size > 0 ? worth - cost : cost - worth
    const side = size > 0 ? 'long' : 'short'
    return { symbol, side, quantity, entryPrice, markPrice, markedBy, worth, unrealizedPnL, entryTime }
  })
  const equity = balance + positions.reduce((sum, { unrealizedPnL }) => sum + unrealizedPnL, 0)
  const closedPnL = positions.length === 0 ? equity - initialBalance : ledger.closedPnL
  return { equity, closedPnL, openPnL: equity - initialBalance - closedPnL, positions }
}

const lastPriceOf = (state: RunningBot['state'] | undefined, symbol: string): number | undefined =>
  state?.portfolio.pairs.find((pair) => pair.symbol === symbol)?.lastPrice

const NO_ACCOUNT = { id: null, createdAt: 0, balance: 0, fees: 0, held: [] }
const isRealSpot = ({ isVirtual, marketType }: BotRecord): boolean => !isVirtual && marketType === 'spot'
const isRealFutures = ({ isVirtual, marketType }: BotRecord): boolean => !isVirtual && marketType === 'futures'

export interface BotEquityDeps {
  db: NodePgDatabase
  accounts: Pick<BotLedger, 'of'>
  bots: Pick<BotStore, 'closedPnLs'>
  states: Pick<TradingStore, 'statesOf'>
  /** The newest price of a symbol on the installation's market, on which virtual futures are traded too. */
  price(symbol: string): Promise<number>
  /** As the exchange values it, for a bot that trades futures with real money. */
  futuresPrice(bot: BotRecord, symbol: string): Promise<MarkedAt>
  /** What the market takes of a symbol; null where it is not known. */
  rules(symbol: string): Promise<{ readonly lotSize: number; readonly minNotional: number } | null>
  /** What predicts now, for all series at once; left out, no bot is offered a newer model. */
  predicting?(): Promise<PredictsNow>
}

/** Says what bots are worth: each symbol is priced once, and all ledgers are read at one moment. */
export const createBotEquity = (deps: BotEquityDeps) => {
  const { db, accounts, bots, states, price, futuresPrice, rules } = deps
  const predicting = deps.predicting ?? (async () => () => undefined)

  /** Null if there is no price now. */
  const mark = async (bot: BotRecord, symbol: string): Promise<MarkedAt | null> => {
    try {
      return isRealFutures(bot) ? await futuresPrice(bot, symbol) : { markPrice: await price(symbol), markedBy: 'last' }
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  const rulesOf = async (held: readonly HeldCoins[]) =>
    new Map(
      await Promise.all(
        [...new Set(held.map(({ symbol }) => symbol))].map(async (symbol) => [symbol, await rules(symbol)] as const),
      ),
    )

  /** By bot, in their order. A price that cannot be had now is the last one that the bot saw. */
  async function moneyOf(records: readonly BotRecord[]): Promise<BotMoney[]> {
    if (records.length === 0) return []
    const ids = records.map(({ id }) => id)
    const [closed, ledger] = await db.transaction(
      async (tx) => [await bots.closedPnLs(tx, ids), await accounts.of(tx, records)] as const,
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    const keyOf = (bot: BotRecord, symbol: string) => (isRealFutures(bot) ? `${bot.userId} ${symbol}` : symbol)
    const asked = new Map<string, Promise<MarkedAt | null>>()
    for (const bot of records)
      for (const { symbol } of ledger.get(bot.id)?.held ?? []) {
        const key = keyOf(bot, symbol)
        if (!asked.has(key)) asked.set(key, mark(bot, symbol))
      }
    const marks = new Map(
      await Promise.all([...asked].map(async ([key, made]): Promise<[string, MarkedAt | null]> => [key, await made])),
    )
    const isUnpriced = (bot: BotRecord) =>
      (ledger.get(bot.id)?.held ?? []).some(({ symbol }) => marks.get(keyOf(bot, symbol)) === null)
    const last = await states.statesOf(records.filter(isUnpriced).map(({ id }) => id))
    const least = await rulesOf(records.filter(isRealSpot).flatMap((bot) => ledger.get(bot.id)?.held ?? []))
    return records.map((bot) => {
      const { id: accountId, createdAt, balance, fees, held } = ledger.get(bot.id) ?? NO_ACCOUNT
      const markOf = ({ symbol, quantity, cost }: HeldCoins): MarkedAt =>
        marks.get(keyOf(bot, symbol)) ?? {
          markPrice: lastPriceOf(last.get(bot.id), symbol) || cost / Math.abs(quantity),
          markedBy: 'last',
        }
      // Less than a lot is no position: it stays at what it cost.
      const traded = held.filter((coins) => {
        const rule = isRealSpot(bot) ? least.get(coins.symbol) : null
        return !rule || !isDust(coins.quantity, rule)
      })
      const { initialBalance } = bot
      const worth = equityOf({ initialBalance, balance, closedPnL: closed.get(bot.id) ?? 0, held: traded }, markOf)
      return { accountId, accountCreatedAtMs: createdAt, balance, fees, ...worth }
    })
  }

  return {
    moneyOf,
    one: async (bot: BotRecord): Promise<BotMoney> => (await moneyOf([bot]))[0]!,

    /** Bots as the API shows them. */
    async shown(records: readonly BotRecord[]): Promise<Bot[]> {
      const money = await moneyOf(records)
      const ids = records.map(({ id }) => id)
      const models = await modelsOf(db, ids, predicting)
      const known = await states.statesOf(records.filter((_, i) => money[i]!.positions.length > 0).map(({ id }) => id))
      return records.map((bot, i): Bot => {
        const { equity, closedPnL, openPnL, positions } = money[i]!
        return {
          ...bot,
          currentBalance: equity,
          totalPnL: equity - bot.initialBalance,
          closedPnL,
          openPnL,
          models: models.get(bot.id) ?? [],
          positions: positions.map(({ markedBy: _by, ...position }) => {
            const {
              takeProfitPrice,
              stopLossPrice,
              closing,
              entryTime = position.entryTime,
            } = knownOf(known.get(bot.id), position.symbol) ?? { ...NOT_KNOWN, entryTime: undefined }
            return { ...position, entryTime, takeProfitPrice, stopLossPrice, closing }
          }),
        }
      })
    },
  }
}
export type BotEquity = ReturnType<typeof createBotEquity>
