import { mkdtempSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FundingRecord, joinStretches, stretchesOf } from './funding.ts'
import { readFundingFile } from './import/read-funding-file.ts'

const HOUR = 3_600_000
const at = (hour: number, intervalMs: number | null = null): FundingRecord => ({
  timeMs: hour * HOUR,
  rate: hour / 1e6,
  mark: Number.NaN,
  intervalMs,
})
const ranges = (records: FundingRecord[]) =>
  stretchesOf(records).map(({ fromMs, untilMs }) => [fromMs / HOUR, untilMs / HOUR])

describe('gaps of funding', () => {
  it('lie where a settlement is missing between its neighbours', () =>
    expect(ranges([8, 16, 24, 40, 48, 56].map((hour) => at(hour)))).toEqual([
      [0, 24],
      [32, 56],
    ]))
  it('are none where a contract changes from 8 hours to 4, or to 1', () => {
    expect(ranges([8, 16, 24, 32, 36, 40, 44, 48].map((hour) => at(hour)))).toEqual([[0, 48]])
    expect(ranges([8, 16, 24, 25, 26, 27, 28].map((hour) => at(hour)))).toEqual([[0, 28]])
  })
  it('follow the interval that the record names', () =>
    expect(ranges([at(4, 4 * HOUR), at(12, 4 * HOUR), at(16, 4 * HOUR)])).toEqual([
      [0, 4],
      [8, 16],
    ]))
  it('are closed by what comes later, whatever the order in which files come', () =>
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        const parts = order.map((part) => stretchesOf([1, 2, 3].map((k) => at(8 * (3 * part + k)))))
        const [only, ...more] = joinStretches(parts.flat())
        expect(more).toEqual([])
        expect(only).toMatchObject({
          fromMs: 0,
          untilMs: 96 * HOUR,
          ts: Array.from({ length: 12 }, (_, k) => 8 * (k + 1) * HOUR),
        })
      }),
    ))
})

describe('a file of funding rates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'funding-'))
  const NOW = Date.UTC(2025, 0, 1)
  const read = async (text: string) => {
    const path = join(folder, 'rates.csv')
    await writeFile(path, text)
    return readFundingFile(path, NOW)
  }
  const JANUARY = 1_704_067_200_000

  it("of Binance's archive is read with and without its header, to the minute", async () => {
    const rows = `${JANUARY + 3},8,0.00037409\n${JANUARY + 8 * HOUR},8,-0.0001\n`
    const expected = [
      { timeMs: JANUARY, rate: 0.00037409, mark: Number.NaN, intervalMs: 8 * HOUR },
      { timeMs: JANUARY + 8 * HOUR, rate: -0.0001, mark: Number.NaN, intervalMs: 8 * HOUR },
    ]
    expect(await read(`calc_time,funding_interval_hours,last_funding_rate\n${rows}`)).toEqual(expected)
    expect(await read(rows)).toEqual(expected)
  })
  it('of time and rate is read, in seconds too, with a mark price where there is one', async () => {
    expect(await read('1704067200,0.0001')).toMatchObject([{ timeMs: JANUARY, rate: 0.0001, intervalMs: null }])
    expect(await read('time,rate,mark\n1704067200,0.0001,42000\n1704096000,0.0002,\n')).toMatchObject([
      { mark: 42_000 },
      { mark: Number.NaN },
    ])
  })
  it.each([
    ['1704067200,0.0001\n1704096000,oops', 'Line 2 cannot be read: its rate is not a number (oops)'],
    ['1704067200,0.0001\n1704067200,0.0002', 'Line 2 has another rate than an earlier line of the same time (0.0001)'],
    ['1704067200,0.0001\n1893456000,0.0001', 'Line 2 is of 2030-01-01'],
    ['1704067200,1', 'must be a ratio, such as 0.0001 for 0.01%'],
    ['open,close\n1,2', 'must name a time and a rate'],
    ['time,rate\n', 'The file has no rates'],
  ])('refuses all of %j', async (text, why) => {
    await expect(read(text)).rejects.toThrow(why)
  })
})
