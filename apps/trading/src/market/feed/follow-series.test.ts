import { silentLogger } from '@shapecast/platform/logging'
import type { HeardCandle, OnCandle, OnState } from '@shapecast/venues/live-venue'
import { expect, it } from 'vitest'
import { followSeries, type SeriesStore } from './follow-series.ts'

const MINUTE_MS = 60_000
const TIMING = { overdueMs: 60_000, silentMs: 60_000, retryMs: 1, retryMostMs: 1, lookMs: 5 }

/** A series whose fills are answered by hand: `againFrom` of each, and how to end it. */
function followed() {
  const fills: { againFromMs: number | undefined; end: () => void; fail: () => void }[] = []
  const written: HeardCandle[] = []
  const announced: number[] = []
  const complete: number[] = []
  let outdated: number[] = []
  let tell: OnState | undefined
  let hear: OnCandle | undefined
  let last = 1_000
  const store: SeriesStore = {
    lastTs: async () => last * MINUTE_MS,
    write: async (_symbol, _timeframe, candles) => {
      written.push(...candles)
      return { revised: [], outdated: outdated.map((minute) => minute * MINUTE_MS) }
    },
    fill: (_symbol, _timeframe, _range, { againFromMs } = {}) =>
      new Promise((resolve, reject) => {
        fills.push({ againFromMs, end: () => resolve(0), fail: () => reject(new Error('no answer')) })
      }),
    since: async () => [],
  }
  const series = followSeries(
    {
      source: {
        streams: { candles: true, ticker: false },
        clock: () => (last + 2) * MINUTE_MS,
        subscribeCandles: (_symbol, _timeframe, onCandle, onState) => {
          hear = onCandle
          tell = onState
          return () => {}
        },
      },
      store,
      announce: ({ ts }) => void announced.push(ts / MINUTE_MS),
      closed: (_symbol, _timeframe, candleTs) => void complete.push(candleTs / MINUTE_MS),
      heard: () => {},
      log: silentLogger(),
      timing: TIMING,
      nowMs: () => performance.now(),
    },
    'BTCUSDT',
    '1m',
  )
  const fill = (n: number) =>
    expect
      .poll(() => fills.length)
      .toBe(n)
      .then(() => fills[n - 1]!)
  return {
    series,
    fill,
    tell: (state: Parameters<OnState>[0]) => tell?.(state),
    /** A closed candle of this minute comes by stream. */
    hear: (minute: number, heardMs: number) =>
      hear?.({ ts: minute * MINUTE_MS, open: 1, high: 1, low: 1, close: 1, volume: 1 }, true, heardMs),
    written,
    announced,
    complete,
    /** The store has newer values of these minutes. */
    outdate: (...minutes: number[]) => {
      outdated = minutes
    },
    /** Open time of the newest stored candle, in minutes. */
    reach: (minute: number) => {
      last = minute
    },
  }
}

/** The newest 300 stored candles. */
const REREAD_FROM_MS = 700 * MINUTE_MS

it('reads again what may have been revised where the connection is lost and made again while it reads', async () => {
  const { series, fill, tell } = followed()
  tell('connected')
  const first = await fill(1)
  expect(first.againFromMs).toBe(REREAD_FROM_MS)
  tell('disconnected')
  tell('connected')
  first.end()
  const second = await fill(2)
  expect(second.againFromMs).toBe(REREAD_FROM_MS)
  second.end()
  await series.stop()
})

it('reads again what may have been revised where the venue did not answer the first time', async () => {
  const { series, fill, tell } = followed()
  tell('connected')
  ;(await fill(1)).fail()
  const second = await fill(2)
  expect(second.againFromMs).toBe(REREAD_FROM_MS)
  second.end()
  await series.stop()
})

it('stores a candle that waited over a lost connection as heard before it, and does not announce what is outdated', async () => {
  const { series, fill, tell, hear, written, announced, complete, outdate } = followed()
  tell('connected')
  const first = await fill(1)
  hear(1_001, 77)
  tell('disconnected')
  tell('connected')
  hear(1_002, 99)
  outdate(1_001)
  first.end()
  ;(await fill(2)).end()
  await expect
    .poll(() => written.map(({ candle, heardMs }) => [candle.ts / MINUTE_MS, heardMs]))
    .toEqual([
      [1_001, 77],
      [1_002, 99],
    ])
  await expect.poll(() => announced).toEqual([1_002])
  // What was stored before counts too: nobody may have told of it.
  expect(complete).toEqual([1_000, 1_002])
  await series.stop()
})

it('reads again all that came while nobody listened, and the candles before it', async () => {
  const { series, fill, tell, reach } = followed()
  const rest = () => new Promise((resolve) => setTimeout(resolve, 20))
  ;(await fill(1)).end()
  await rest()
  tell('connected')
  ;(await fill(2)).end()
  await rest()
  tell('disconnected')
  reach(3_000)
  tell('connected')
  const afterLongLoss = await fill(3)
  expect(afterLongLoss.againFromMs).toBe(REREAD_FROM_MS)
  afterLongLoss.end()
  await rest()
  tell('disconnected')
  tell('connected')
  const afterShortLoss = await fill(4)
  expect(afterShortLoss.againFromMs).toBe(2_700 * MINUTE_MS)
  afterShortLoss.end()
  await series.stop()
})
