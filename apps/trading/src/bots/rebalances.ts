import type { BotRebalance, botRebalances } from '@shapecast/contracts/bot-rebalances'
import type { ReplyInputOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { planOf } from '@shapecast/engine/policies/plan'
import { type CsvColumns, csvTable, isoTime } from '@shapecast/platform/http/csv-file'
import type { Viewer } from '../ground/ownership.ts'
import type { BotsContext } from './bots-context.ts'
import { timeframeOf } from './timeframe-of.ts'

/** How a bot that holds a share of its equity was brought to its targets, from its orders and their fills. Throws `unprocessable` for another. */
export const createRebalances =
  ({ states, read, executed }: Pick<BotsContext, 'states' | 'read' | 'executed'>) =>
  async (id: string, limit: number, viewer: Viewer): Promise<ReplyInputOf<typeof botRebalances>> => {
    const bot = await read(id, viewer)
    if (planOf(bot).targets === undefined)
      throw new AppError('unprocessable', 'Only a bot whose policy holds a share of the equity is rebalanced.')
    const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
    const [daily, byHand] = await Promise.all([states.targetOrders(id), states.byHand(id)])
    const wanted = [
      ...daily.map((one) => ({ ...one, cause: 'daily' as const, at: one.candleTs + step, reason: null })),
      ...byHand.map((one) => ({ ...one, cause: 'by_hand' as const, at: one.askedMs })),
    ]
    const asked = wanted.flatMap(({ orderId, price }) => (orderId === null ? [] : { orderId, price }))
    const done = new Map((await executed(asked)).map(({ orderId, waited: _, ...order }) => [orderId, order]))
    const groups = Map.groupBy(wanted, ({ cause, at }) => `${cause} ${at}`)
    const rebalances = [...groups.values()].flatMap((all) => {
      const { cause, at } = all[0]!
      const orders = all.flatMap(({ orderId }) => done.get(orderId ?? '') ?? [])
      const left = all.flatMap(({ symbol, reason }) => (reason === null ? [] : { symbol, reason }))
      if (orders.length === 0 && left.length === 0) return []
      const costs = orders.reduce((sum, { fee, slippage }) => sum + fee + slippage, 0)
      return [{ at, cause, orders, left, costs }]
    })
    const shown = rebalances.toSorted((a, b) => b.at - a.at).slice(0, limit)
    const moments = shown.map(({ at }) => at)
    const equity = await states.equityAt(id, moments)
    const withTurnover = (one: (typeof rebalances)[number]): BotRebalance => {
      const before = equity.get(one.at) ?? 0
      const value = one.orders.reduce((sum, order) => sum + order.value, 0)
      return { ...one, turnoverPct: before > 0 ? (100 * value) / before : null }
    }
    return {
      total: rebalances.length,
      orders: rebalances.reduce((sum, { orders }) => sum + orders.length, 0),
      costs: rebalances.reduce((sum, { costs }) => sum + costs, 0),
      rebalances: shown.map(withTurnover),
    }
  }
export type ReadRebalances = ReturnType<typeof createRebalances>

const COLUMNS: CsvColumns<BotRebalance & { order: BotRebalance['orders'][number] }> = {
  time: ({ at }) => isoTime(at),
  why: ({ cause }) => cause,
  side: ({ order }) => order.side,
  pair: ({ order }) => order.symbol,
  quantity: ({ order }) => order.quantity,
  price: ({ order }) => order.price,
  value_usdt: ({ order }) => order.value,
  fee_usdt: ({ order }) => order.fee,
  slippage_usdt: ({ order }) => order.slippage,
}

/** The orders of rebalances as a file. */
export const rebalancesFile = (id: string, rebalances: readonly BotRebalance[]) =>
  csvTable(
    `rebalances-${id}.csv`,
    COLUMNS,
    rebalances.flatMap((one) => one.orders.map((order) => ({ ...one, order }))),
  )
