import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, candlesFromRows, sliceCandles } from '@shapecast/engine/candles'
import { SYSTEM } from '@shapecast/platform/audit'
import type { Ledger } from '../../ledger/ledger.ts'
import { type AccountMarket, isFresh } from '../../ledger/market-prices.ts'
import type { OrderRow } from '../../ledger/tables.ts'
import { type FillPrice, type RestingOrder, restingFill } from './paper-fills.ts'
import type { PaperOrders } from './paper-orders.ts'
import type { WaitingOrderStore } from './waiting-order-store.ts'

/** Candles of one read. */
const CHUNK = 5_000

/** Within a candle what is bad for the account counts first, as in a backtest: stops, then sales, then purchases. */
const rank = ({ type, side }: OrderRow): number => (type === 'stop' ? 0 : side === 'sell' ? 1 : 2)
const restingOf = ({ type, side, price }: OrderRow): RestingOrder | null =>
  type !== 'market' && price !== null ? { type, side, price } : null

/** The finest candles that the market has of a symbol: of an imported history perhaps hours only. */
async function timeframeOf(market: AccountMarket, symbol: string): Promise<Timeframe | null> {
  if (market.kind !== 'replay') return '1m'
  for (const timeframe of TIMEFRAMES) if ((await market.newest(symbol, timeframe)).length > 0) return timeframe
  return null
}

/**
 * Holds the market against the orders that wait: every closed candle once and in order, those that closed while nobody
 * was looking included, then the price of the moment. It may be called again at any time, by any process, and broken
 * off anywhere: an order is filled under its account's lock, and only while it is open.
 */
export function createOrderWatch(
  deps: Ledger & { waiting: WaitingOrderStore; paper: PaperOrders },
): () => Promise<void> {
  const { db, market, accounts, orders, waiting, paper, log } = deps
  async function act(order: OrderRow, fill: FillPrice, marketMs: number): Promise<void> {
    await db.orm.transaction(async (tx) => {
      await accounts.lock(tx, order.accountId)
      const now = await orders.lock(tx, order.id)
      if (now.status !== 'open') return
      if (now.type === 'stop' || now.type === 'take_profit') await paper.makeRoom(tx, now)
      await paper.fill(tx, now, fill, marketMs)
      await orders.audit(tx, SYSTEM, 'filled', order.id)
    })
  }

  /**
   * Candle `i` against the orders that were there when it opened; those that it reaches leave `open`. One order that
   * cannot be filled keeps nobody else's from it, and waits until this candle is looked at again; the answer is whether
   * all went well.
   */
  async function meet(open: Set<OrderRow>, candles: Candles, i: number, marketMs: number): Promise<boolean> {
    let well = true
    for (const order of open) {
      const resting = restingOf(order)
      if (resting === null || order.placedMarketMs! > candles.ts[i]!) continue
      const fill = restingFill(resting, candles, i)
      if (fill === null) continue
      open.delete(order)
      try {
        await act(order, fill, marketMs)
      } catch (error) {
        well = false
        log.error({ err: error, order: order.id }, 'an order could not be filled; it will be tried again')
      }
    }
    return well
  }

  async function meetCandles(symbol: string, open: Set<OrderRow>, marketNowMs: number): Promise<void> {
    const timeframe = await timeframeOf(market, symbol)
    if (timeframe === null) return
    const step = TIMEFRAME_MS[timeframe]
    const onGrid = (ms: number) => Math.ceil(ms / step) * step
    const lastMs = Math.floor(marketNowMs / step) * step - step
    const kept = (await waiting.checkedUntil(db.orm, symbol)) ?? 0
    // A replay that was begun again has its time before it once more.
    const checkedUntil = kept > marketNowMs ? 0 : kept
    let well = true
    const placedMs = [...open].reduce((first, order) => Math.min(first, order.placedMarketMs!), marketNowMs)
    for (let fromMs = onGrid(Math.max(checkedUntil, placedMs)); fromMs <= lastMs; ) {
      const range = { fromMs, toMs: Math.min(lastMs, fromMs + (CHUNK - 1) * step) }
      const read = await market.candles(symbol, timeframe, range)
      const whole = (await market.missing(symbol, timeframe, range)) === 0
      const candles = whole ? read : unbroken(read, fromMs, step)
      for (let i = 0; i < candles.length; i++) well = (await meet(open, candles, i, candles.ts[i]! + step)) && well
      fromMs = whole ? range.toMs + step : fromMs + candles.length * step
      if (well) await waiting.saveChecked(db.orm, symbol, fromMs)
      // What the venue has not told yet comes before what follows it.
      if (!whole) return
    }
  }

  /** The price now: between two closes, and in the candle within which an order was placed. */
  async function meetTicker(symbol: string, open: Set<OrderRow>, marketNowMs: number): Promise<void> {
    const { last, timestamp } = await market.ticker(symbol)
    if (!(last > 0) || !isFresh(market.kind, timestamp, marketNowMs)) return
    const later = new Set([...open].filter((order) => order.placedMarketMs! < timestamp))
    await meet(later, candlesFromRows([[timestamp, last, last, last, last, 0]]), 0, timestamp)
  }

  return async () => {
    for (const symbol of await waiting.symbols(db.orm))
      try {
        // In this order: an order that is placed later than this moment is not due for candles that closed before it.
        const marketNowMs = await market.now()
        if (marketNowMs === null) return
        const open = new Set((await waiting.of(db.orm, symbol)).sort((a, b) => rank(a) - rank(b)))
        if (open.size === 0) continue
        await meetCandles(symbol, open, marketNowMs)
        await meetTicker(symbol, open, marketNowMs)
      } catch (error) {
        if (error instanceof AppError) log.debug({ err: error, symbol }, 'no candles or price for open orders')
        else log.error({ err: error, symbol }, 'open orders could not be held against the market')
      }
  }
}

/** The candles from `fromMs` up to the first hole. */
function unbroken(candles: Candles, fromMs: number, step: number): Candles {
  let length = 0
  while (length < candles.length && candles.ts[length] === fromMs + length * step) length++
  return sliceCandles(candles, 0, length)
}
