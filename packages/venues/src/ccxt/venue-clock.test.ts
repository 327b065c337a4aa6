import { rowsFromCandles } from '@shapecast/engine/candles'
import { afterEach, describe, expect, it } from 'vitest'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS } from '../testing/open-local-venue.ts'

/** The exchange's clock stands ten seconds into the 3,000th minute. */
const VENUE_MS = SERIES_START_MS + 3000 * MINUTE_MS + 10_000

let close = async () => {}
afterEach(() => close())

/** A machine whose clock is `skewMs` behind the exchange's (ahead of it where that is negative). */
async function open(skewMs: number) {
  const opened = await openLocalVenue({}, { now: () => VENUE_MS - skewMs })
  close = opened.close
  return opened
}

describe('the clock of an exchange', () => {
  it.each([90_000, -90_000, 0])('is read to be %i ms from ours, and stands for ours from then on', async (skewMs) => {
    const { venue } = await open(skewMs)
    expect([venue.clockReading(), venue.clock()]).toEqual([null, VENUE_MS - skewMs])
    // Our clock stands, so that the round trip takes no time and the skew is exact.
    expect(await venue.measureClock()).toEqual({ skewMs, uncertaintyMs: 0, measuredAtMs: VENUE_MS - skewMs })
    expect([venue.clock(), await venue.now()]).toEqual([VENUE_MS, VENUE_MS])
  })

  it('goes on as it was where ours is set a minute ahead, so that the forming candle is not closed', async () => {
    let set = 0
    const { exchange, venue } = await openLocalVenue({}, { now: () => VENUE_MS + set, steadyMs: () => 0 })
    close = async () => {
      await venue.close()
      await exchange.close()
    }
    await venue.measureClock()
    set = MINUTE_MS
    exchange.faults.rest({ at: /time$/, times: 9, fault: { kind: 'drop' } })
    const newest = rowsFromCandles(await venue.candles('BTCUSDT', '1m', { limit: 2 }))
    expect(newest.map(([ts]) => (ts! - SERIES_START_MS) / MINUTE_MS)).toEqual([2998, 2999])
    expect(venue.clock()).toBe(VENUE_MS)
  })

  it('is read again where ours was set, or the machine slept', async () => {
    let slept = 0
    const { exchange, venue } = await openLocalVenue({}, { now: () => VENUE_MS + slept, steadyMs: () => 0 })
    close = async () => {
      await venue.close()
      await exchange.close()
    }
    await venue.measureClock()
    slept = 5 * MINUTE_MS
    exchange.clock.advance(slept)
    expect(await venue.now()).toBe(VENUE_MS + slept)
  })

  it('is known to half of the round trip', async () => {
    const { exchange, venue } = await openLocalVenue({}, { now: () => VENUE_MS - 90_000 + performance.now() })
    close = async () => {
      await venue.close()
      await exchange.close()
    }
    exchange.faults.rest({ at: /time$/, fault: { kind: 'slow', ms: 120 } })
    const { uncertaintyMs } = await venue.measureClock()
    expect(uncertaintyMs).toBeGreaterThan(59)
  })

  it.each([
    ['behind', 90_000],
    ['ahead', -90_000],
  ])('says which candle has closed, also where ours is 90 s %s', async (_name, skewMs) => {
    const { venue } = await open(skewMs)
    const newest = rowsFromCandles(await venue.candles('BTCUSDT', '1m', { limit: 2 }))
    expect(newest.map(([ts]) => (ts! - SERIES_START_MS) / MINUTE_MS)).toEqual([2998, 2999])
  })

  it('is followed where it is set right, and kept where the exchange does not answer', async () => {
    const { exchange, venue } = await open(0)
    await venue.measureClock()
    exchange.skewMs = 7_000
    expect(exchange.faults.log.at(-1)?.what).toBe('the clock is 7000 ms off')
    expect(venue.clock()).toBe(VENUE_MS)
    await venue.measureClock()
    expect(venue.clock()).toBe(VENUE_MS + 7_000)
    exchange.faults.rest({ at: /time$/, times: 9, fault: { kind: 'drop' } })
    await expect(venue.measureClock()).rejects.toMatchObject({ code: 'venue_unreachable' })
    expect(venue.clockReading()?.skewMs).toBe(7_000)
  })
})
