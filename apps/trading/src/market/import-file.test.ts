import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Candles, rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { binanceCsv, cryptoDataDownloadCsv, randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { sharedFile } from '@shapecast/venues/testing/shared-data'
import { afterAll, describe, expect, it } from 'vitest'
import { TRADING_MIGRATIONS } from '../../test/support/trading-migrations.ts'
import { type ImportRequest, importFile } from './import-file.ts'
import { readCandles } from './read-candles.ts'
import { seriesOfSymbol, shownSeries } from './series-store.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
let folder = ''
let files = 0
folder = mkdtempSync(join(tmpdir(), 'imports-'))
const db = await createTestDatabase([TRADING_MIGRATIONS])
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true, force: true })
})

const fileOf = (content: string): string => {
  const path = join(folder, `${++files}.csv`)
  writeFileSync(path, content)
  return path
}
const symbols = () => `T${++files}USDT`
const importText = (content: string, request: Partial<ImportRequest> & { symbol: string }) =>
  importFile({ db }, { path: fileOf(content), timeframe: '1h', ...request })

async function stored(symbol: string, venue = 'replay') {
  const [series] = await seriesOfSymbol(db.orm, venue, symbol)
  if (!series) return null
  return {
    ...shownSeries(series),
    revision: series.revision,
    rows: rowsFromCandles(await readCandles(db.pool, series.id, {})),
  }
}
const without = (candles: Candles, ...hours: number[]) =>
  shapecastCsv(candles)
    .split('\n')
    .filter((_, line) => !hours.includes(line - 1))
    .join('\n')

describe('an import', () => {
  const candles = randomCandles(200, START, '1h')

  it('stores every value to the bit and reports what it took', async () => {
    const symbol = symbols()
    const report = await importText(binanceCsv(candles, '1h', { unit: 'us' }), { symbol })
    expect(report).toMatchObject({
      accepted: true,
      taken: 200,
      alreadyStored: 0,
      differing: 0,
      problems: [],
      venue: 'replay',
    })
    const found = await stored(symbol)
    expect(found!.rows).toEqual(rowsFromCandles(candles))
    expect(found).toMatchObject({
      candles: 200,
      first: START,
      last: START + 199 * HOUR,
      gapCount: 0,
      missingCandles: 0,
    })
  })

  it('changes nothing when the same file is imported twice', async () => {
    const symbol = symbols()
    await importText(shapecastCsv(candles), { symbol })
    const before = await stored(symbol)
    const again = await importText(shapecastCsv(candles), { symbol })
    expect(again).toMatchObject({ accepted: true, taken: 0, alreadyStored: 200, differing: 0 })
    expect(await stored(symbol)).toEqual(before)
  })

  it('stores a file that runs backwards in order', async () => {
    await importText(cryptoDataDownloadCsv(candles, 'TST', 'USDT'), { symbol: 'TSTUSDT' })
    expect((await stored('TSTUSDT'))!.rows).toEqual(rowsFromCandles(candles))
  })

  it('keeps the gaps counted over several files: two of one candle, then one of them filled', async () => {
    const symbol = symbols()
    const first = await importText(without(candles, 10, 50), { symbol })
    expect(first).toMatchObject({ gapCount: 2, missingCandles: 2 })
    expect(await stored(symbol)).toMatchObject({ candles: 198, gapCount: 2, missingCandles: 2 })
    const second = await importText(shapecastCsv(sliceCandles(candles, 5, 15)), { symbol })
    expect(second).toMatchObject({ taken: 1, alreadyStored: 9 })
    expect(await stored(symbol)).toMatchObject({ candles: 199, gapCount: 1, missingCandles: 1 })
    await importText(shapecastCsv(randomCandles(3, START + 300 * HOUR, '1h')), { symbol })
    expect(await stored(symbol)).toMatchObject({ candles: 202, gapCount: 2, missingCandles: 101 })
    await importText(shapecastCsv(randomCandles(3, START - 20 * HOUR, '1h')), { symbol })
    expect(await stored(symbol)).toMatchObject({ candles: 205, gapCount: 3, first: START - 20 * HOUR })
  })

  it('raises the revision only where the past changes', async () => {
    const symbol = symbols()
    const revision = async () => (await stored(symbol))!.revision
    await importText(shapecastCsv(sliceCandles(candles, 50, 100)), { symbol })
    const start = await revision()
    await importText(shapecastCsv(sliceCandles(candles, 90, 120)), { symbol })
    const appended = await revision()
    await importText(shapecastCsv(sliceCandles(candles, 0, 50)), { symbol })
    expect([appended - start, (await revision()) - start]).toEqual([1, 2])
    await importText(shapecastCsv(sliceCandles(candles, 120, 150)), { symbol })
    expect((await revision()) - start).toBe(2)
  })

  it('refuses candles that differ from the stored ones, and overwrites only when asked to', async () => {
    const symbol = symbols()
    await importText(shapecastCsv(candles), { symbol })
    const before = await stored(symbol)
    const other = { ...candles, volume: candles.volume.map((v, i) => (i === 7 ? v + 1 : v)) }
    const more = `${shapecastCsv(other)}${START + 200 * HOUR},10,11,9,10,1\n`
    const refused = await importText(more, { symbol })
    expect(refused).toMatchObject({ accepted: false, taken: 0, differing: 1, alreadyStored: 199 })
    expect(refused.problems[0]).toMatch(/1 stored candle differs from the file, the first at 2024-01-01T07:00:00.000Z/)
    expect(await stored(symbol)).toEqual(before)
    const replaced = await importText(more, { symbol, replace: true })
    expect(replaced).toMatchObject({ accepted: true, taken: 1, differing: 1, problems: [] })
    expect((await stored(symbol))!.rows.slice(0, 200)).toEqual(rowsFromCandles(other))
    expect(await stored(symbol)).toMatchObject({ candles: 201, revision: before!.revision + 1 })
  })

  it('stores nothing of a file with a bad row, or the good rows when bad ones are skipped', async () => {
    const symbol = symbols()
    const text = shapecastCsv(candles).replace(/\n(\d+),[^,]+/, '\n$1,NULL')
    const refused = await importText(text, { symbol })
    expect(refused).toMatchObject({ accepted: false, taken: 0, refusedCount: 1 })
    expect(refused.problems).toEqual([
      '1 row was refused, so nothing was imported. Mend the file, or import it with bad rows skipped.',
    ])
    expect(await stored(symbol)).toBeNull()
    expect(await importText(text, { symbol, skipBadRows: true })).toMatchObject({ accepted: true, taken: 199 })
  })

  it('keeps nothing when a fault comes late in the file', async () => {
    const symbol = symbols()
    const many = shapecastCsv(randomCandles(60_000, Date.UTC(2018, 0, 1), '1h'))
    const report = await importText(`${many}torn`, { symbol, skipBadRows: false })
    expect(report).toMatchObject({ accepted: false, rowsRead: 60_001, taken: 0 })
    expect(await stored(symbol)).toBeNull()
    const { rows } = await db.pool.query("select 1 from pg_class where relname = 'incoming'")
    expect(rows).toEqual([])
  })

  it('stores nothing of an import that its caller breaks off, and keeps the connection usable', async () => {
    const symbol = symbols()
    const path = fileOf(shapecastCsv(randomCandles(60_000, Date.UTC(2018, 0, 1), '1h')))
    for (let i = 0; i < 8; i++) {
      const broken = importFile({ db }, { path, symbol, timeframe: '1h' }, ({ rowsRead }) => {
        if (rowsRead > 30_000) throw new Error('broken off')
      })
      await expect(broken).rejects.toThrow('broken off')
    }
    expect(await stored(symbol)).toBeNull()
    expect(await importFile({ db }, { path, symbol, timeframe: '1h' })).toMatchObject({ taken: 60_000 })
  })

  it('belongs to its venue alone', async () => {
    const symbol = symbols()
    await importText(shapecastCsv(candles), { symbol, venue: 'kraken' })
    expect([(await stored(symbol, 'kraken'))!.candles, await stored(symbol)]).toEqual([200, null])
  })

  it('is written to the audit with who did it, who is told, once', async () => {
    const symbol = symbols()
    const by = { userId: '01890a5d-ac96-774b-bcce-b302099a8057', address: '10.0.0.7' }
    for (let i = 0; i < 2; i++) await importText(shapecastCsv(candles), { symbol, by })
    const { rows } = await db.pool.query(
      'select actor_id, address, action, after from platform.audit where subject_id = $1',
      [`replay/${symbol}/1h`],
    )
    expect(rows).toEqual([
      {
        actor_id: by.userId,
        address: by.address,
        action: 'candles.imported',
        after: expect.objectContaining({ taken: 200 }),
      },
    ])
    const told = await db.pool.query('select user_id, kind, text from platform.notifications where title = $1', [
      `${symbol} 1h is imported`,
    ])
    expect(told.rows).toEqual([
      { user_id: by.userId, kind: 'job', text: expect.stringMatching(/^200 candles of \S+\.$/) },
    ])
  })

  it('stores two files of one series sent at once as if one came after the other', async () => {
    const symbol = symbols()
    const parts = [sliceCandles(candles, 0, 120), sliceCandles(candles, 80, 200)]
    const reports = await Promise.all(parts.map((part) => importText(shapecastCsv(part), { symbol })))
    expect(reports.map((r) => r.accepted)).toEqual([true, true])
    expect(reports.reduce((sum, r) => sum + r.taken, 0)).toBe(200)
    expect(await stored(symbol)).toMatchObject({ candles: 200, gapCount: 0, rows: rowsFromCandles(candles) })
  })

  it('stores nothing of an import whose process is killed, and can run again', async () => {
    const symbol = symbols()
    const path = fileOf(shapecastCsv(randomCandles(150_000, Date.UTC(2022, 0, 1), '1m')))
    const script = join(import.meta.dirname, 'testing/import-process.ts')
    const child = spawn(process.execPath, [script, db.url, path, symbol], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    // It says so once it has handed the first candles to the database.
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    expect((await exited)[1]).toBe('SIGKILL')
    expect(await stored(symbol)).toBeNull()
    await eventually(async () => {
      const { rows } = await db.pool.query("select 1 from pg_class where relname = 'incoming'")
      expect(rows).toEqual([])
    })
    const report = await importFile({ db }, { path, symbol, timeframe: '1m' })
    expect(report).toMatchObject({ accepted: true, taken: 150_000 })
  })

  const btc = sharedFile('BTCUSDT-1h-2017-2024.csv')
  it.skipIf(btc.missing)(
    'of seven years of BTCUSDT finds 58,419 candles and 28 gaps, and nothing new the second time',
    async () => {
      const request = { path: btc.path, symbol: 'BTCUSDT', timeframe: '1h' } as const
      const counts = { accepted: true, gapCount: 28, missingCandles: 128 }
      expect(await importFile({ db }, request)).toMatchObject({ ...counts, taken: 58_419 })
      expect(await importFile({ db }, request)).toMatchObject({ ...counts, taken: 0, alreadyStored: 58_419 })
      expect(await stored('BTCUSDT')).toMatchObject({ candles: 58_419, gapCount: 28, missingCandles: 128 })
    },
  )

  const originals: [string, string, '1m' | '1h', number, number][] = [
    ['BTCUSDT-1m-2023-03-17.zip', 'BTCUSDT', '1m', 1440, 0],
    ['BTCUSDT-1m-2023-03-24.zip', 'BTCUSDT', '1m', 1360, 80],
    ['binance-klines_spot_BTCUSDT-1h-2023-01_HEADER.csv', 'BTCUSDT', '1h', 744, 0],
    ['binance-klines_spot_BTCUSDT-1h-2025-01_NOHEADER_microseconds.csv', 'BTCUSDT', '1h', 744, 0],
    ['cryptodatadownload_ADAUSDT_1h_URLLINE_descending.csv', 'ADAUSDT', '1h', 16_319, 0],
  ]
  for (const [name, symbol, timeframe, count, missing] of originals) {
    const { path, missing: absent } = sharedFile(`original/${name}`)
    it.skipIf(absent)(`of ${name} takes ${count} candles, and none the second time`, async () => {
      const venue = `original_${++files}`
      const request = { path, symbol, timeframe, venue }
      expect(await importFile({ db }, request)).toMatchObject({ accepted: true, taken: count, missingCandles: missing })
      const once = await stored(symbol, venue)
      expect(await importFile({ db }, request)).toMatchObject({ accepted: true, taken: 0, alreadyStored: count })
      expect(await stored(symbol, venue)).toEqual(once)
      expect(once).toMatchObject({ candles: count, missingCandles: missing })
    })
  }
})
