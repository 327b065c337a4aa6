import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Close } from './close-job.ts'
import { createCloseNotifier } from './close-notifier.ts'
import { createCloseHandler } from './handle-close.ts'

const HOUR = TIMEFRAME_MS['1h']
const SERIES = { venue: 'replay', symbol: 'BTCUSDT', timeframe: '1h' } as const
const closeOf = (hour: number): Close => ({ ...SERIES, candleTs: hour * HOUR })

/** What is done, in order; and what the next tries to seal come to. */
let done: string[]
let results: { open: number; late: boolean }[]
beforeEach(() => {
  done = []
  results = []
})

const handlerOf = () =>
  createCloseHandler({
    venue: 'replay',
    async seal(symbol, timeframe, candleTs) {
      done.push(`seal ${symbol} ${timeframe} ${candleTs / HOUR}`)
      return results.shift() ?? { open: 0, late: false }
    },
    async decide(timeframe) {
      done.push(`decide ${timeframe}`)
    },
    log: silentLogger(),
  })

describe('at the close of a candle', () => {
  it('predictions are sealed before the bots of the timeframe decide', async () => {
    await handlerOf()(closeOf(6))
    expect(done).toEqual(['seal BTCUSDT 1h 6', 'decide 1h'])
  })

  it('an artifact that was replaced while it forecast is asked once more, and what is too late is not', async () => {
    results = [
      { open: 1, late: false },
      { open: 1, late: false },
      { open: 2, late: true },
    ]
    await handlerOf()(closeOf(6))
    await handlerOf()(closeOf(7))
    expect(done).toEqual(['seal BTCUSDT 1h 6', 'seal BTCUSDT 1h 6', 'decide 1h', 'seal BTCUSDT 1h 7', 'decide 1h'])
  })

  it('nothing is done for another venue', async () => {
    await handlerOf()({ ...closeOf(7), venue: 'binance' })
    expect(done).toEqual([])
  })
})

describe('what the feed says of closed candles', () => {
  it('is one job a candle for series in use, the shortest timeframe first, and is said again after a failure', async () => {
    const sent: [string, number][] = []
    let failures = 1
    const notifier = createCloseNotifier({
      venue: 'replay',
      queue: {
        async send(_kind, close, { key, priority } = {}) {
          if ((close as Close).symbol === 'ETHUSDT' && failures-- > 0) throw new Error('away')
          sent.push([key!, priority!])
          return 'id'
        },
      },
      isInUse: async (symbol) => symbol !== 'DOGEUSDT',
      log: silentLogger(),
      retryMs: 1,
    })
    for (const symbol of ['BTCUSDT', 'BTCUSDT', 'DOGEUSDT', 'ETHUSDT']) notifier.closed(symbol, '1h', HOUR)
    notifier.closed('BTCUSDT', '1m', HOUR)
    await eventually(() =>
      expect(sent.toSorted()).toEqual([
        ['replay BTCUSDT 1h 3600000', -4],
        ['replay BTCUSDT 1m 3600000', -0],
        ['replay ETHUSDT 1h 3600000', -4],
      ]),
    )
    notifier.stop()
  })
})
