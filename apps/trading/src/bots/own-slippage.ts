import type { ownSlippage } from '@shapecast/contracts/own-slippage'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { estimateSlippage, loadBefore, type SlippedFill } from '@shapecast/engine/models/slippage-estimate'
import type { z } from 'zod'
import type { BotsContext } from './bots-context.ts'
import type { DecidedOrder } from './trading-store.ts'

const HOUR = TIMEFRAME_MS['1h']
const DAY_MS = 24 * HOUR

export type SlippageContext = Pick<BotsContext, 'states' | 'executed' | 'candles' | 'marketNow'>

/**
 * What an order is expected to slip, from the user's own fills: each against the close of its decision, by the hours of the
 * day before it. Fills without stored hours are left out.
 */
export async function readSlippage(
  { states, executed, candles, marketNow }: SlippageContext,
  userId: string,
  { symbol, notional }: z.output<typeof ownSlippage.query>,
): Promise<z.output<typeof ownSlippage.reply>> {
  const orders = await states.decidedOrders(userId)
  // What has waited at a limit tells nothing of what taking costs.
  const took = (await executed(orders)).filter(({ waited }) => !waited)
  const fills = new Map(took.map((fill) => [fill.orderId, fill]))
  const slipped: SlippedFill[] = []
  for (const [of, own] of Map.groupBy(orders, (order) => order.symbol)) {
    const moments = own.map(decidedAt)
    const hours = await candles(of, '1h', {
      fromMs: Math.min(...moments) - DAY_MS - HOUR,
      toMs: Math.max(...moments),
    })
    for (const [k, { orderId, price }] of own.entries()) {
      const fill = fills.get(orderId)
      const load = fill === undefined ? null : loadAt(hours, moments[k]!, fill.quantity)
      if (fill === undefined || load === null) continue
      const side = fill.side === 'buy' ? 1 : -1
      slipped.push({ ...load, slippageBps: 10_000 * side * (fill.price / price - 1) })
    }
  }
  const now = (await marketNow()) ?? 0
  const recent = await candles(symbol, '1h', { fromMs: now - DAY_MS - 2 * HOUR, toMs: now })
  const last = recent.close[recent.length - 1]
  const order = last === undefined ? null : loadAt(recent, recent.ts[recent.length - 1]! + HOUR, notional / last)
  const found = order === null ? null : estimateSlippage(slipped, order)
  if (found === null) return { fills: slipped.length, estimate: null }
  const { expectedBps, intervalBps, isBeyondSeen } = found
  return { fills: slipped.length, estimate: { expectedBps, intervalBps: [...intervalBps], isBeyondSeen } }
}

const decidedAt = ({ candleTs, timeframe }: DecidedOrder<number>): number => candleTs + TIMEFRAME_MS[timeframe]

/** By the 24 hours that closed last before a moment; null where one of them is missing. */
function loadAt(hours: Candles, atMs: number, quantity: number) {
  const end = indexAtOrAfter(hours, atMs - HOUR + 1)
  return end > 0 && atMs - hours.ts[end - 1]! < 2 * HOUR ? loadBefore(hours, end, quantity) : null
}
