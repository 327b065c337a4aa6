import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Candles, rowsFromCandles } from '@shapecast/engine/candles'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binanceCsv, cryptoDataDownloadCsv, randomCandles, shapecastCsv } from '../testing/candle-files.ts'
import { sharedFile } from '../testing/shared-data.ts'
import { zipOf } from '../testing/zip.ts'
import type { CandleFileSpec } from './candle-collector.ts'
import { readCandleFile } from './read-candle-file.ts'
import type { CandleFileSummary } from './summary.ts'

const NOW = Date.UTC(2026, 0, 1)
const START = Date.UTC(2024, 0, 1)
const HOUR = 3_600_000
let folder = ''
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candle-files-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Row = [number, number, number, number, number, number]

async function readPath(
  path: string,
  spec: Partial<CandleFileSpec> = {},
): Promise<CandleFileSummary & { rows: Row[] }> {
  const rows: Row[] = []
  const summary = await readCandleFile(
    path,
    { symbol: 'BTCUSDT', timeframe: '1h', nowMs: NOW, skipBadRows: false, ...spec },
    (candles) => {
      rows.push(...rowsFromCandles(candles))
    },
  )
  return { ...summary, rows }
}

function read(content: string | Buffer, spec: Partial<CandleFileSpec> = {}) {
  const path = join(folder, `${++files}.bin`)
  writeFileSync(path, content)
  return readPath(path, spec)
}

const sorted = (rows: Row[]): Row[] => rows.toSorted((a, b) => a[0] - b[0])
const candles = randomCandles(100, START, '1h')
const good = shapecastCsv(candles).trim().split('\n')

/** The good file with line `line` (1 is the header) replaced. */
const withLine = (line: number, text: string): string => good.with(line - 1, text).join('\n')
const at = (hour: number, rest = '10,11,9,10,1'): string => `${START + hour * HOUR},${rest}`

describe('every dialect', () => {
  const dialects: [string, string | Buffer, string, string][] = [
    ['our CSV', shapecastCsv(candles), 'shapecast', 'ms'],
    ['our CSV without its header', shapecastCsv(candles).split('\n').slice(1).join('\n'), 'shapecast', 'ms'],
    [
      'our CSV with CRLF, a byte order mark, quotes and spaces',
      `\uFEFF${good
        .map((l) =>
          l
            .split(',')
            .map((f) => `"${f}" `)
            .join(','),
        )
        .join('\r\n')}`,
      'shapecast',
      'ms',
    ],
    ['our CSV between thousands of blank lines', good.join('\n'.repeat(3000)), 'shapecast', 'ms'],
    ['our CSV, gzipped', gzipSync(shapecastCsv(candles)), 'shapecast', 'ms'],
    ['Binance klines with a header', binanceCsv(candles, '1h', { header: true }), 'binance', 'ms'],
    ['Binance klines without a header', binanceCsv(candles, '1h'), 'binance', 'ms'],
    ['Binance klines in microseconds', binanceCsv(candles, '1h', { unit: 'us' }), 'binance', 'us'],
    [
      'Binance klines zipped as published',
      zipOf({ 'BTCUSDT-1h-2024-01.csv': binanceCsv(candles, '1h') }),
      'binance',
      'ms',
    ],
    ['CryptoDataDownload', cryptoDataDownloadCsv(candles, 'BTC', 'USDT'), 'cryptodatadownload', 'ms'],
    ['CryptoDataDownload in seconds', cryptoDataDownloadCsv(candles, 'BTC', 'USDT', 's'), 'cryptodatadownload', 's'],
  ]
  it.each(dialects)('reads %s', async (_, content, dialect, timeUnit) => {
    const found = await read(content)
    expect(found).toMatchObject({ dialect, timeUnit, rowsRead: 100, candles: 100, problems: [], refused: [] })
    expect(found).toMatchObject({ acceptable: true, first: START, last: START + 99 * HOUR, gapCount: 0 })
    expect(sorted(found.rows)).toEqual(rowsFromCandles(candles))
  })

  it('reads any candles the same from any dialect, in any order of rows', async () => {
    const price = fc.double({ min: 1e-8, max: 1e6, noNaN: true })
    const row = fc
      .tuple(
        fc.integer({ min: 0, max: 17_000 }),
        price,
        price,
        price,
        price,
        fc.double({ min: 0, max: 1e9, noNaN: true }),
      )
      .map(([hour, a, b, c, d, volume]): Row => {
        const [low, x, y, high] = [a, b, c, d].sort((p, q) => p - q) as [number, number, number, number]
        return [START + hour * HOUR, x, high, low, y, volume]
      })
    const someRows = fc.uniqueArray(row, { minLength: 1, maxLength: 40, selector: (r) => r[0] })
    await fc.assert(
      fc.asyncProperty(someRows, async (rows) => {
        fc.pre(rows.length < 3 || stepOf(rows) === 1)
        const c = columns(rows)
        const texts = [
          shapecastCsv(c),
          binanceCsv(c, '1h', { unit: 'us' }),
          cryptoDataDownloadCsv(c, 'BTC', 'USDT', 's'),
        ]
        for (const text of [...texts, gzipSync(texts[0]!), zipOf({ 'a.csv': texts[1]! })]) {
          const found = await read(text)
          expect(found.problems).toEqual([])
          expect(sorted(found.rows)).toEqual(sorted(rows))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('takes several files of one zip as one, each in its own unit', async () => {
    const [a, b] = [randomCandles(50, START, '1h', 1), randomCandles(50, START + 50 * HOUR, '1h', 2)]
    const found = await read(
      zipOf({ 'b.csv': binanceCsv(b, '1h', { unit: 'us' }), 'a.csv': shapecastCsv(a), 'read.me': 'x' }),
    )
    expect(found).toMatchObject({ dialect: 'mixed', timeUnit: 'mixed', candles: 100, gapCount: 0, acceptable: true })
    expect(found.rows).toEqual([...rowsFromCandles(a), ...rowsFromCandles(b)])
  })
})

const stepOf = (rows: Row[]): number => {
  const hours = sorted(rows).map((r) => r[0] / HOUR)
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  return hours.slice(1).reduce((g, h, i) => divisor(g, h - hours[i]!), 0)
}
const columns = (rows: Row[]): Candles => {
  const column = (c: number) => Float64Array.from(rows, (r) => r[c]!)
  return {
    length: rows.length,
    ts: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  }
}

describe('a row that is no candle', () => {
  const faults: [string, string, RegExp][] = [
    ['a torn line', `${START + 40 * HOUR},20000.1,2000`, /torn line: it has 3 columns instead of 6/],
    ['a NULL', at(40, '10,11,NULL,10,1'), /low is NULL/],
    ['an empty field', at(40, '10,11,9,10,'), /volume is empty/],
    ['a NaN', at(40, 'NaN,11,9,10,1'), /open is NaN/],
    ['an Infinity', at(40, '10,Infinity,9,10,1'), /high is Infinity/],
    ['a word', at(40, '10,11,9,ten,1'), /close is not a number \(ten\)/],
    ['a time that a spreadsheet rounded', '1.63875E+12,10,11,9,10,1', /timestamp was rounded by a spreadsheet/],
    ['a price of zero', at(40, '10,11,0,10,1'), /low is 0: a price is above zero/],
    ['a negative price', at(40, '10,11,-9,10,1'), /low is -9/],
    ['a negative volume', at(40, '10,11,9,10,-1'), /volume is -1/],
    ['a high below the low', at(40, '10,8,9,10,1'), /high 8 is below low 9/],
    ['a high below the close', at(40, '10,11,9,12,1'), /high 11 is below close 12/],
    ['a low above the open', at(40, '8,11,9,10,1'), /low 9 is above open 8/],
    ['a time between two hours', `${START + 40 * HOUR + 1},10,11,9,10,1`, /between two candles/],
    ['a time to come', `${NOW + HOUR},10,11,9,10,1`, /in the future/],
    ['a candle that has not closed', `${NOW},10,11,9,10,1`, /has not closed yet/],
    ['a time before any coin', '1000000000000,10,11,9,10,1', /before any coin existed/],
    ['a number that is no time', '42,10,11,9,10,1', /no time in seconds, milliseconds or microseconds/],
  ]
  it.each(faults)('%s is refused with its line, and nothing of the file is taken', async (_, row, reason) => {
    const found = await read(withLine(42, row))
    expect(found).toMatchObject({ acceptable: false, refusedCount: 1, rowsRead: 100, candles: 99 })
    expect(found.refused[0]).toMatchObject({ line: 42, text: row, reason: expect.stringMatching(reason) })
    expect(found.problems).toEqual([])
  })

  it('is left out where bad rows are to be skipped', async () => {
    const found = await read(withLine(42, at(40, '10,11,NULL,10,1')), { skipBadRows: true })
    expect(found).toMatchObject({ acceptable: true, refusedCount: 1, candles: 99, gapCount: 1, missingCandles: 1 })
    expect(found.rows).toHaveLength(99)
  })

  it('is quoted a hundred times at most, and counted always', async () => {
    const found = await read([...good, ...Array.from({ length: 500 }, () => 'x,y')].join('\n'))
    expect(found.refusedCount).toBe(500)
    expect(found.refused).toHaveLength(100)
    expect(found.refused[0]!.line).toBe(102)
  })

  it('names the file within an archive', async () => {
    const found = await read(zipOf({ 'a.csv': good.join('\n'), 'b.csv': withLine(2, at(200)).replace(/\n.*/s, '\nx') }))
    expect(found.refused).toEqual([expect.objectContaining({ entry: 'b.csv', line: 2 })])
  })
})

describe('a file that contradicts itself', () => {
  it.each([false, true])(
    'is refused with both lines where two rows of a time differ (skipBadRows %s)',
    async (skipBadRows) => {
      const found = await read([...good, at(40)].join('\n'), { skipBadRows })
      expect(found.acceptable).toBe(false)
      expect(found.problems).toEqual([
        'The file contradicts itself: line 42 and line 102 give different values for 2024-01-02T16:00:00.000Z.',
      ])
    },
  )

  it.each([false, true])(
    'is refused with both lines where seconds follow milliseconds (skipBadRows %s)',
    async (skipBadRows) => {
      const found = await read(withLine(42, `${(START + 40 * HOUR) / 1000},10,11,9,10,1`), { skipBadRows })
      expect(found.acceptable).toBe(false)
      expect(found.problems).toEqual([
        'The file contradicts itself: line 2 writes its time in milliseconds, line 42 in seconds.',
      ])
    },
  )

  it.each([false, true])(
    'is refused with the line where a row is of another symbol (skipBadRows %s)',
    async (skipBadRows) => {
      const text = cryptoDataDownloadCsv(candles, 'BTC', 'USDT').split('\n')
      const found = await read(text.with(9, text[9]!.replace('BTC/USDT', 'ETH/USDT')).join('\n'), { skipBadRows })
      expect(found).toMatchObject({ acceptable: false, problems: ['Line 10 is of ETH/USDT, not of BTCUSDT.'] })
    },
  )

  it('is refused at its first row where all of it is of another symbol', async () => {
    const found = await read(cryptoDataDownloadCsv(candles, 'ADA', 'USDT'))
    expect(found.problems).toEqual(['Line 3 is of ADA/USDT, not of BTCUSDT.'])
  })

  it('is refused where the published name in a zip is of another symbol or timeframe', async () => {
    for (const name of ['ETHUSDT-1h-2024-01.csv', 'BTCUSDT-4h-2024-01.csv']) {
      const found = await read(zipOf({ [name]: binanceCsv(candles, '1h') }))
      expect(found.problems[0]).toContain(`The archive holds ${name}`)
      expect(found.rows).toEqual([])
    }
  })

  it('is refused where its candles are of a smaller or a larger timeframe', async () => {
    const minutes = await read(shapecastCsv(randomCandles(600, START, '1m')), { skipBadRows: true })
    expect(minutes.problems[0]).toBe(
      '590 of 600 rows do not open at a multiple of 1h: is it the file of another timeframe?',
    )
    const hours = await read(good.join('\n'), { timeframe: '5m' })
    expect(hours.problems[0]).toContain('multiples of 12 × 5m apart')
  })
})

it('counts a row that repeats an earlier one to the digit, and takes it once', async () => {
  const found = await read([...good, good[5], good[5], good[9]].join('\n'))
  expect(found).toMatchObject({ acceptable: true, rowsRead: 103, candles: 100, duplicates: 3 })
  expect(found.rows).toHaveLength(100)
})

it('lists the gaps', async () => {
  const found = await read(good.filter((_, i) => i !== 11 && (i < 20 || i > 24)).join('\n'))
  expect(found.gaps).toEqual([
    { from: START + 10 * HOUR, to: START + 10 * HOUR, missing: 1 },
    { from: START + 19 * HOUR, to: START + 23 * HOUR, missing: 5 },
  ])
  expect(found).toMatchObject({ gapCount: 2, missingCandles: 6, acceptable: true })
})

describe('a file that is no file of candles', () => {
  const files: [string, string | Buffer, RegExp][] = [
    ['zero bytes', '', /empty: it has zero bytes/],
    ['blank lines only', '\n\r\n  \n', /no rows/],
    ['a header only', 'timestamp,open,high,low,close,volume\n', /no rows/],
    [
      'garbage',
      Buffer.from(Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)),
      /no file of candles|longer than/,
    ],
    ['a web page', '<!doctype html>\n<html><body>Not found</body></html>', /names no timestamp/],
    ['five columns', '1704067200000,1,2,1,2\n', /5 columns and there is no header/],
    ['one endless line', 'x'.repeat(100_000), /Line 1 is longer than 8192 bytes/],
    ['UTF-16', Buffer.from('\uFEFFtimestamp,open', 'utf16le'), /UTF-16/],
    ['a gzip cut short', gzipSync(shapecastCsv(candles)).subarray(0, 1500), /The gzip is damaged/],
    ['a zip cut short', zipOf({ 'a.csv': shapecastCsv(candles) }).subarray(0, 900), /The zip is damaged/],
    ['a zip without a CSV', zipOf({ 'a.png': 'x' }), /no CSV file in the zip/],
  ]
  it.each(files)('%s gives its reason', async (_, content, reason) => {
    const found = await read(content)
    expect(found.acceptable).toBe(false)
    expect(found.problems[0]).toMatch(reason)
    expect(found.rows).toEqual([])
  })

  it('stops where ten thousand rows have no candle among them', async () => {
    const found = await read(`timestamp,open,high,low,close,volume\n${'0,0,0,0,0,0\n'.repeat(50_000)}`)
    expect(found.rowsRead).toBe(10_000)
    expect(found.problems[0]).toContain('None of the first 10,000 rows is a candle')
  })

  it('notices a zip whose content was changed', async () => {
    const zip = zipOf({ 'a.csv': shapecastCsv(candles) })
    zip[zip.length - 100] = zip[zip.length - 100]! ^ 0xff
    expect((await read(zip)).acceptable).toBe(false)
  })
})

describe('files as their publishers made them', () => {
  const originals: [string, string, '1h' | '1m', object][] = [
    ['BTCUSDT-1m-2023-03-17.zip', 'BTCUSDT', '1m', { dialect: 'binance', timeUnit: 'ms', candles: 1440, gapCount: 0 }],
    [
      'BTCUSDT-1m-2023-03-24.zip',
      'BTCUSDT',
      '1m',
      {
        candles: 1360,
        gaps: [{ from: Date.UTC(2023, 2, 24, 12, 40), to: Date.UTC(2023, 2, 24, 13, 59), missing: 80 }],
      },
    ],
    [
      'binance-klines_spot_BTCUSDT-1h-2023-01_HEADER.csv',
      'BTCUSDT',
      '1h',
      { dialect: 'binance', candles: 744, first: Date.UTC(2023, 0, 1), last: Date.UTC(2023, 0, 31, 23) },
    ],
    [
      'binance-klines_spot_BTCUSDT-1h-2025-01_NOHEADER_microseconds.csv',
      'BTCUSDT',
      '1h',
      { timeUnit: 'us', candles: 744, first: Date.UTC(2025, 0, 1), last: Date.UTC(2025, 0, 31, 23) },
    ],
    [
      'cryptodatadownload_ADAUSDT_1h_URLLINE_descending.csv',
      'ADAUSDT',
      '1h',
      {
        dialect: 'cryptodatadownload',
        order: 'descending',
        candles: 16_319,
        first: Date.UTC(2020, 7, 2, 2),
        last: Date.UTC(2022, 5, 13),
        gapCount: 0,
      },
    ],
  ]
  for (const [name, symbol, timeframe, expected] of originals) {
    const { path, missing } = sharedFile(`original/${name}`)
    it.skipIf(missing)(name, async () => {
      const found = await readPath(path, { symbol, timeframe })
      expect(found).toMatchObject({ ...expected, acceptable: true, refusedCount: 0, duplicates: 0 })
    })
  }

  const btc = sharedFile('BTCUSDT-1h-2017-2024.csv')
  it.skipIf(btc.missing)('BTCUSDT-1h-2017-2024.csv has 58,419 candles, 28 gaps and 128 missing candles', async () => {
    const found = await readPath(btc.path)
    expect(found).toMatchObject({ candles: 58_419, gapCount: 28, missingCandles: 128, acceptable: true })
    expect(found).toMatchObject({ first: Date.UTC(2017, 7, 17, 4), last: Date.UTC(2024, 3, 21, 14) })
  })
})
