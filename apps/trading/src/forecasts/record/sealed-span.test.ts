import { AppError } from '@shapecast/contracts/errors'
import { candlesFromRows } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { createSpanCounter, lastUnsealable, spanOfAll } from './sealed-span.ts'

const HOUR = 3_600_000
const record = { version: 'v3', symbol: 'BTCUSDT', timeframe: '1h', sealed: 2 } as const

describe('candles that were not sealed', () => {
  it('are counted once where they lie in two pieces of 10,000, and read again after a minute', async () => {
    const read: number[] = []
    let now = 1
    const load = async (_symbol: string, _timeframe: string, range: { fromMs: number; toMs: number }) => {
      read.push(range.fromMs / HOUR)
      const hours: number[] = []
      for (let hour = Math.ceil(range.fromMs / HOUR); hour * HOUR <= range.toMs; hour++) hours.push(hour)
      return candlesFromRows(hours.map((hour) => [hour * HOUR, 1, 1, 1, 1, 1]))
    }
    const count = createSpanCounter({ load, now: () => now })
    // Sealed are the candles of hours 9,998 and 10,003: 9,999 … 10,002 lie between, 10,004 and 10,005 after them.
    const gaps = [[9998 * HOUR, 10_003 * HOUR]] as const
    const span = () => count({ ...record, newest: 10_003 * HOUR, gaps }, 10_005 * HOUR)
    expect(await span()).toEqual({ candles: 8, missed: 6 })
    expect(read).toEqual([0, 10_000])
    now = 60_000
    await span()
    expect(read).toEqual([0, 10_000])
    now = 60_002
    await span()
    expect(read).toEqual([0, 10_000, 0, 10_000])
  })

  it('are not known where the market does not answer, and looked for again the next time', async () => {
    const answers = [
      () => Promise.reject(new AppError('unknown_symbol', 'There is no market BTCUSDT.')),
      () => Promise.reject(new TypeError('an error of the program')),
      async () => candlesFromRows([[2 * HOUR, 1, 1, 1, 1, 1]]),
    ]
    const count = createSpanCounter({ load: () => answers.shift()!(), now: () => 0 })
    const span = () => count({ ...record, newest: 3 * HOUR, gaps: [[HOUR, 3 * HOUR]] }, null)
    expect(await span()).toBeNull()
    await expect(span()).rejects.toThrow('an error of the program')
    expect(await span()).toEqual({ candles: 3, missed: 1 })
    expect(await span()).toEqual({ candles: 3, missed: 1 })
  })

  it('are added up over several series where all are known', () => {
    const [one, two] = [
      { candles: 10, missed: 2 },
      { candles: 5, missed: 1 },
    ]
    expect(spanOfAll([one, two])).toEqual({ candles: 15, missed: 3 })
    expect(spanOfAll([one, null, two])).toBeNull()
    expect(spanOfAll([])).toEqual({ candles: 0, missed: 0 })
  })

  it('are those whose time is over: five minutes after the close of an hour', () => {
    const closed = 10 * HOUR
    expect(lastUnsealable('1h', closed + 5 * 60_000 - 1)).toBe(8 * HOUR)
    expect(lastUnsealable('1h', closed + 5 * 60_000)).toBe(9 * HOUR)
  })
})
