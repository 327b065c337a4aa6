import { STARTING_BALANCE } from '@shapecast/contracts/accounts'
import type { MarketKind } from '@shapecast/contracts/market'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { virtualOf } from '../../ledger/account-store.ts'
import type { Broker } from '../../ledger/broker.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { numberOf, unitsOf } from '../../ledger/money.ts'
import { requireUnsettled } from '../../ledger/order-rules.ts'
import { SLIPPAGE_BPS } from './paper-fills.ts'
import type { PaperOrders } from './paper-orders.ts'

const NOTICE: Readonly<Record<MarketKind, (venue: string) => string>> = {
  simulated: () => 'Simulated market: these prices are made up.',
  replay: () => 'Replayed history: these prices are of the past.',
  live: (venue) => `Prices of ${venue}.`,
}
const FILLED = `Virtual account: filled at the last price moved by ${SLIPPAGE_BPS} bps, no order was sent to an exchange.`

/** Orders of a person's virtual account: filled by us, in the transaction that places them or when their price comes. */
export const createPaperBroker =
  ({ db, market, accounts, orders, paper }: Ledger & { paper: PaperOrders }) =>
  (userId: string): Broker => ({
    key: virtualOf(userId),
    deposit: unitsOf(STARTING_BALANCE),
    origin: { isVirtual: true, venue: market.venue, market: market.kind },
    notice: async () => `${NOTICE[market.kind](market.venue)} ${FILLED}`,
    requireStops: async () => {},

    prepare: async (quote) => ({
      // Stops and sales may promise the same coins here: a sale makes the stops fit.
      freeCoins: async () => {},
      async sellable(tx, accountId) {
        const { held, free } = await paper.sellable(tx, accountId, quote.market.id)
        return { held: numberOf(held), free: numberOf(free), leastWorth: held === free ? 0 : quote.market.minNotional }
      },
      async place(tx, accountId, { stopPrice, targetPrice = null, ...wanted }) {
        const order = await paper.place(tx, accountId, quote, wanted)
        for (const [type, price] of [
          ['stop', stopPrice],
          ['take_profit', targetPrice],
        ] as const)
          if (price !== null)
            await paper.place(tx, accountId, quote, {
              clientOrderId: clientOrderId(wanted.clientOrderId, type),
              side: 'sell',
              type,
              quantity: numberOf(order.quantity),
              price,
              source: wanted.source,
              guardsId: order.id,
            })
        return order
      },
      carryOut: async () => {},
      end: async () => {},
    }),

    async cancel({ id, accountId }, doer) {
      await db.orm.transaction(async (tx) => {
        await accounts.lock(tx, accountId)
        const order = await orders.lock(tx, id)
        requireUnsettled(order)
        await paper.cancel(tx, order, 'Cancelled by you.')
        await orders.audit(tx, doer, 'cancelled', id)
      })
    },
  })
