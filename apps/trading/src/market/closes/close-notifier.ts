import { setTimeout as sleep } from 'node:timers/promises'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Logger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import { CLOSE, type Close, closeKey } from './close-job.ts'

const RETRY_MS = 1_000

/**
 * Makes what the feed says of closed candles into jobs, the shortest timeframe first, since it has the least time. A
 * series that nobody decides by gets none. Where the database is away it is tried again, until the next candle closes.
 */
export function createCloseNotifier(deps: {
  venue: string
  queue: Pick<Queue, 'send'>
  isInUse: (symbol: string, timeframe: Timeframe) => Promise<boolean>
  log: Logger
  retryMs?: number
}) {
  const { venue, queue, isInUse, log, retryMs = RETRY_MS } = deps
  const newest = new Map<string, number>()
  let stopped = false

  async function send(close: Close): Promise<void> {
    if (!(await isInUse(close.symbol, close.timeframe))) return
    await queue.send(CLOSE, close, { key: closeKey(close), priority: -TIMEFRAMES.indexOf(close.timeframe) })
  }

  async function tell(close: Close): Promise<void> {
    const series = `${close.symbol} ${close.timeframe}`
    for (let tries = 0; !stopped && newest.get(series) === close.candleTs; tries++)
      try {
        return await send(close)
      } catch (error) {
        if (tries === 0) log.warn({ err: error, ...close }, 'a closed candle could not be reported')
        await sleep(retryMs)
      }
  }

  return {
    /** All candles of a series up to the one that opened at `candleTs` are there. Does not wait, and never fails. */
    closed(symbol: string, timeframe: Timeframe, candleTs: number): void {
      const series = `${symbol} ${timeframe}`
      if (newest.get(series) === candleTs) return
      newest.set(series, candleTs)
      void tell({ venue, symbol, timeframe, candleTs })
    },
    stop(): void {
      stopped = true
    },
  }
}
