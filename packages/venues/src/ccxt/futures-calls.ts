import { AppError } from '@shapecast/contracts/errors'
import { exchangeName } from '@shapecast/contracts/exchanges'
import type { LiveTrading } from '../live-trading.ts'
import type { AccountConnection } from './account-connection.ts'
import { venuePositionOf } from './account-replies.ts'
import { dialectOf } from './dialects/dialects.ts'

type FuturesCalls = Pick<LiveTrading, 'markPrice' | 'positions' | 'isolate' | 'payments' | 'forcedCloses'>

/** The positions of an account, how they are margined, and what has changed them other than our orders. */
export function futuresCalls({
  exchange,
  marketType,
  markets,
  ask,
  prepare,
  nameOf,
  ourSymbol,
  now,
}: AccountConnection): FuturesCalls {
  const venue = exchangeName(exchange.id)
  const { forcedOrders, payments } = dialectOf(exchange.id)
  let isOneWay = false

  /** Seen once: in another mode the exchange refuses our orders, and does not change it while a position is open. */
  async function requireOneWay(name: string): Promise<void> {
    isOneWay ||= (await ask(() => exchange.fetchPositionMode(name))).hedged === false
    if (isOneWay) return
    throw new AppError(
      'unprocessable',
      `The futures account at ${venue} is in hedge mode, which holds a long and a short position at once. Set its position mode to one-way there. Nothing was sent.`,
    )
  }

  /** Sets something that may be set again at will; whether it is set is read afterwards. Answers why it was refused. */
  async function tried(setting: () => Promise<unknown>): Promise<AppError | null> {
    try {
      await ask(setting, 'ordering')
      return null
    } catch (error) {
      if (error instanceof AppError && (error.code === 'order_rejected' || error.code === 'order_ambiguous'))
        return error
      throw error
    }
  }

  return {
    async markPrice(symbol) {
      if (marketType === 'spot' || exchange.has.fetchMarkPrice !== true) return null
      const name = await nameOf(symbol)
      const { markPrice: price = 0, timestamp } = await ask(() => exchange.fetchMarkPrice(name))
      return price > 0 ? { price, timestampMs: timestamp ?? now() } : null
    },

    async positions(symbols) {
      if (marketType === 'spot') return []
      await prepare()
      const names = symbols === undefined ? undefined : await Promise.all(symbols.map(nameOf))
      const all = await ask(() => exchange.fetchPositions(names))
      const open = all.filter((p) => (p.contracts ?? 0) !== 0)
      // Some venues keep the leverage apart from the position.
      const unsaid = open.flatMap((p) => (p.leverage === undefined && p.symbol !== undefined ? [p.symbol] : []))
      const leverages =
        unsaid.length > 0 && exchange.has.fetchLeverages === true
          ? await ask(() => exchange.fetchLeverages(unsaid))
          : {}
      return open.flatMap((p) => {
        const name = p.symbol ?? ''
        return venuePositionOf(p, ourSymbol(name), leverages[name]?.longLeverage) ?? []
      })
    },

    async isolate(symbol, leverage) {
      if (marketType === 'spot') throw new AppError('order_rejected', 'Leverage and margin mode are for futures.')
      const name = await nameOf(symbol)
      await requireOneWay(name)
      const held = async () => (await ask(() => exchange.fetchLeverages([name])))[name]
      let is = await held()
      let refusal: AppError | null = null
      if (is?.marginMode !== 'isolated')
        refusal = await tried(() => exchange.setMarginMode('isolated', name, { leverage }))
      if (is?.longLeverage !== leverage) refusal = (await tried(() => exchange.setLeverage(leverage, name))) ?? refusal
      if (is?.marginMode !== 'isolated' || is.longLeverage !== leverage) is = await held()
      if (is?.marginMode === 'isolated' && is.longLeverage === leverage) return
      if (refusal?.code === 'order_rejected') throw refusal
      throw new AppError(
        'venue_unreachable',
        `${venue} did not set isolated margin and a leverage of ${leverage} for ${symbol}. Nothing was ordered; try again.`,
      )
    },

    async payments(symbol, sinceMs) {
      if (marketType === 'spot' || payments === undefined) return []
      const market = await markets.of(symbol)
      const made = await ask(() => payments(exchange, market, sinceMs))
      return made.map((payment) => ({ ...payment, symbol })).sort((a, b) => a.timestampMs - b.timestampMs)
    },

    async forcedCloses(symbol, sinceMs) {
      if (marketType === 'spot' || forcedOrders === undefined) return []
      const market = await markets.of(symbol)
      const orders = await ask(() => forcedOrders(exchange, market, sinceMs))
      return orders.map(({ id, ...rest }) => ({ venueOrderId: id, symbol, ...rest }))
    },
  }
}
