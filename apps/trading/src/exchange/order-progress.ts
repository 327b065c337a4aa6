import type { VenueFill, VenueOrder } from '@shapecast/venues/live-trading'
import { numberOf, shown, type Units, unitsOf } from '../ledger/money.ts'
import type { OrderRow } from '../ledger/tables.ts'

type Status = OrderRow['status']

const ENDED: ReadonlySet<Status> = new Set(['filled', 'cancelled', 'expired'])

/**
 * An order that the exchange does not know is given up so long after its intent. It is signed with the time of its
 * intent, and every exchange in the table of capabilities refuses what arrives more than `signedForMs` after that,
 * wherever it was held up. The rest is for clocks that differ.
 */
export const GIVE_UP_AFTER_MS = 60_000
/** A process that was held up for longer between intent and sending does not send. */
export const SEND_WITHIN_MS = 5_000
/** The sender has so long to write down the outcome before somebody else looks. */
export const FIRST_LOOK_MS = 15_000
/** What "was never placed" is looked up again for so long: an order that turns up after all must not be missed. */
const LOOKED_AFTER_MS = 24 * 3_600_000

const STATUS_OF: Readonly<Record<VenueOrder['status'], Status>> = {
  filled: 'filled',
  expired: 'expired',
  rejected: 'rejected',
  canceled: 'cancelled',
  open: 'open',
  unknown: 'open',
}

/** What an order is after the exchange has told of it. Old news change nothing: an end stays, and fills never shrink. */
export function progressOf(
  row: Pick<OrderRow, 'status' | 'filled' | 'average' | 'venueOrderId' | 'closedAtMs'>,
  said: VenueOrder,
  nowMs: number,
) {
  const told = STATUS_OF[said.status]
  const status: Status = ENDED.has(row.status) && !ENDED.has(told) ? row.status : told
  const filled = unitsOf(said.filled)
  const newer = filled >= row.filled
  const ended = ENDED.has(status) || status === 'rejected'
  const wasEnded = ENDED.has(row.status) || row.status === status
  const reason =
    status === 'expired'
      ? 'The exchange gave up what it could not fill.'
      : status === 'rejected'
        ? 'The exchange refused it.'
        : null
  return {
    status,
    statusReason: reason,
    filled: newer ? filled : row.filled,
    average: newer && said.average !== null ? said.average : row.average,
    venueOrderId: said.id === '' ? row.venueOrderId : said.id,
    closedAtMs: ended ? (wasEnded ? row.closedAtMs : nowMs) : null,
  }
}

/** When an order is to be looked up next, ms, or null if there is nothing left to learn. `looks`: those without news. */
export function nextLook(
  of: {
    status: Status
    createdAtMs: number
    /** Until when it rests, ms, where it does. */
    restsUntilMs?: number | null
    looks: number
    hasAllFills: boolean
  },
  nowMs: number,
): number | null {
  const later = (firstMs: number, doublings: number) => nowMs + firstMs * 2 ** Math.min(of.looks, doublings)
  switch (of.status) {
    case 'sending':
      return later(2_000, 4)
    case 'open': {
      const { restsUntilMs } = of
      const next = later(5_000, 2)
      return restsUntilMs != null && restsUntilMs > nowMs ? Math.min(next, restsUntilMs) : next
    }
    case 'filled':
    case 'cancelled':
    case 'expired':
      return of.hasAllFills ? null : later(2_000, 8)
    case 'not_placed':
    case 'rejected':
      return nowMs - of.createdAtMs < LOOKED_AFTER_MS ? later(GIVE_UP_AFTER_MS, 6) : null
    default:
      return of.status satisfies never
  }
}

/** What a look that brought no news leaves to be written down: how many there were, and when the next is due. */
export function withoutNews(row: Omit<Parameters<typeof nextLook>[0], 'hasAllFills'>, nowMs: number) {
  const looks = row.looks + 1
  return { looks, nextLookMs: nextLook({ ...row, looks, hasAllFills: false }, nowMs) }
}

/** Base in trades. */
export const tradedIn = (fills: readonly VenueFill[]): Units =>
  fills.reduce((sum, { quantity }) => sum + unitsOf(quantity), 0n)

/** Whether trades are of more than was ordered, beyond what rounding each of them makes. */
export const exceeds = ({ quantity }: Pick<OrderRow, 'quantity'>, fills: readonly VenueFill[]): boolean =>
  tradedIn(fills) > quantity + BigInt(fills.length)

/** That the exchange tells more of an order than was ordered, in words. */
export const excessOf = (of: Pick<OrderRow, 'clientOrderId' | 'symbol' | 'quantity' | 'filled'>): string =>
  `The exchange tells trades of ${shown(numberOf(of.filled))} for the order ${of.clientOrderId} of ${of.symbol}, which was of ${shown(numberOf(of.quantity))}. They are not booked. Look at the order at the exchange.`

/** Whether one of these orders, read before and after a look at the exchange, may have changed what was seen there. */
export const isUnderWay = (
  before: readonly Pick<OrderRow, 'filled'>[],
  after: readonly Pick<OrderRow, 'filled' | 'type' | 'status'>[],
): boolean =>
  before.length !== after.length ||
  after.some(({ filled, type, status }, k) => filled !== before[k]!.filled || type === 'market' || status === 'sending')
