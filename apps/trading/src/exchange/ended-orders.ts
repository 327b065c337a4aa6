import type { Orm } from '@shapecast/platform/database/database'
import { numberOf, type Units } from '../ledger/money.ts'
import { averagePrice, UNSETTLED } from '../ledger/order-store.ts'
import type { AccountRow, OrderRow } from '../ledger/tables.ts'
import { STANDING_MS } from './guard-plan.ts'
import { closes, isConditional } from './protective-legs.ts'
import type { ExchangeContext } from './venue-accounts.ts'

/** What the ledger says of a bot with real money. Amounts in quote, quantities in base. */
export interface RealLedger {
  readonly accountId: string
  /** With all that is held at its cost. */
  readonly balance: number
  /** The quantity of a short is negative. */
  readonly held: ReadonlyMap<string, { readonly quantity: number; readonly cost: number }>
  /** By symbol, all that was ever booked beside trades: funding (positive was received) and what liquidations cost. */
  readonly charges: ReadonlyMap<string, { readonly funding: number; readonly fees: number }>
  /** Symbols with an unsettled order, stops and targets aside. */
  readonly busy: ReadonlySet<string>
  /** By symbol, of these those that rest as post-only orders. */
  readonly resting: ReadonlyMap<string, RestingRow>
  /** Symbols whose take profit waits at the exchange. */
  readonly targets: ReadonlySet<string>
  /** Orders that have ended and that the bot has not applied, in the order of their making. */
  readonly ended: readonly EndedOrder[]
  /** Why the exchange refuses a stop or take profit of what is held, also at the second look, so that no stop-loss stands; else null. */
  readonly refusedLeg: string | null
}

/** A post-only order that has not ended. */
export interface RestingRow {
  readonly id: string
  /** What its purchase may still cost before fees, quote; of a sale 0. */
  readonly cost: number
  /** Whether it is about to be cancelled. */
  readonly isEnding: boolean
}

export interface EndedOrder extends Pick<OrderRow, 'id' | 'symbol' | 'side' | 'type' | 'exitReason'> {
  /** Whether it made what is held smaller. */
  readonly closes: boolean
  readonly filled: number
  /** False where the exchange never had it. */
  readonly wasPlaced: boolean
  /** Average of its trades; 0 where there was none. */
  readonly average: number
  /** Of all of its trades, quote. */
  readonly fee: number
  /** Of one that closes: what it earned, before fees. */
  readonly pnl: number
  /** In words, where nothing was filled. */
  readonly reason: string | null
  /** When it was filled by the exchange's clock, or else ended by ours, ms. */
  readonly atMs: number
}

/**
 * Whether it is a stop or take profit that the exchange has refused, as at an earlier look since one stood last, and that
 * leaves what it is for without a stop-loss that stands. A target beside a stop-loss is watched, and none.
 */
async function isRefusedAgain({ orders }: ExchangeContext, orm: Orm, leg: OrderRow): Promise<boolean> {
  if (leg.status !== 'rejected' || leg.guardsId === null || !isConditional(leg)) return false
  const legs = await orders.stopsOf(orm, leg.guardsId)
  const isBeside = leg.type === 'take_profit'
  if (legs.some(({ type, status }) => type === 'stop' && (isBeside || UNSETTLED.includes(status)))) return false
  const newestFirst = legs.filter(({ type }) => type === leg.type)
  const stood = newestFirst.findIndex(({ status }) => status !== 'rejected' && status !== 'not_placed')
  const beforeMs = leg.createdAtMs - STANDING_MS
  return newestFirst
    .slice(0, stood < 0 ? newestFirst.length : stood)
    .some(({ status, createdAtMs }) => status === 'rejected' && createdAtMs <= beforeMs)
}

/** What became of the orders of a bot's account, of those that the bot has to apply. */
export async function endedOf(
  ctx: ExchangeContext,
  orm: Orm,
  { id: accountId, market }: AccountRow,
): Promise<Pick<RealLedger, 'ended' | 'busy' | 'resting' | 'targets' | 'refusedLeg'>> {
  const { orders, now } = ctx
  const rows = await orders.toSettle(orm, accountId)
  const ids = rows.map(({ id }) => id)
  const fills = await orders.fillsOf(orm, ids)
  const ended: EndedOrder[] = []
  const busy = new Set<string>()
  const resting = new Map<string, RestingRow>()
  const targets = new Set<string>()
  let refusedLeg: string | null = null
  for (const row of rows) {
    const of = fills.get(row.id) ?? []
    const known = of.reduce((sum, { quantity }) => sum + quantity, 0n)
    const isOpen = UNSETTLED.includes(row.status)
    if (isOpen && row.type === 'take_profit') targets.add(row.symbol)
    if (isOpen && isConditional(row)) continue
    if (isOpen || known < row.filled) {
      busy.add(row.symbol)
      if (isOpen && row.restsUntilMs !== null) resting.set(row.symbol, restingOf(row, known, now()))
      continue
    }
    if (await isRefusedAgain(ctx, orm, row)) refusedLeg = row.statusReason
    const times = of.flatMap(({ marketMs }) => marketMs ?? [])
    ended.push({
      ...row,
      closes: closes(row, market),
      filled: numberOf(known),
      wasPlaced: row.status !== 'not_placed',
      average: averagePrice(of),
      fee: numberOf(of.reduce((sum, { fee }) => sum + fee, 0n)),
      pnl: numberOf(of.reduce((sum, { pnl }) => sum + (pnl ?? 0n), 0n)),
      reason: known > 0n ? null : (row.statusReason ?? `It was ${row.status}.`),
      atMs: times.length > 0 ? Math.max(...times) : (row.closedAtMs ?? now()),
    })
  }
  return { ended, busy, resting, targets, refusedLeg }
}

const restingOf = ({ id, side, quantity, price, restsUntilMs }: OrderRow, known: Units, nowMs: number): RestingRow => ({
  id,
  cost: side === 'buy' ? numberOf(quantity - known) * price! : 0,
  isEnding: restsUntilMs! <= nowMs,
})
