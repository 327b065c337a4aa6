import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { afterAll, expect, it } from 'vitest'
import { startLocalExchange } from '../testing/local-exchange/local-exchange.ts'
import { MINUTE_MS, SERIES_START_MS, until, weekOfMinutes } from '../testing/open-local-venue.ts'

const folder = mkdtempSync(join(tmpdir(), 'download-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = fileURLToPath(new URL('../testing/download-process.ts', import.meta.url))

it('a download that is killed goes on where it was, and is exact at the end', async () => {
  const series = weekOfMinutes()
  const startMs = SERIES_START_MS + 10_000 * MINUTE_MS
  const exchange = await startLocalExchange({ series, startMs })
  const file = join(folder, 'candles')
  const last = SERIES_START_MS + 8999 * MINUTE_MS
  const query = JSON.stringify({ symbol: 'BTCUSDT', timeframe: '1m', fromMs: SERIES_START_MS, toMs: last })
  const run = () => spawn(process.execPath, [program, JSON.stringify(exchange.urls), query, file], { stdio: 'inherit' })
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [])
  const pages = () => exchange.requests.filter((r) => r.name.includes('klines')).length
  try {
    // After the first five pages the exchange says nothing more to it.
    exchange.faults.rest({ at: /klines/, times: 5, fault: { kind: 'slow', ms: 20 } })
    exchange.faults.rest({ at: /klines/, times: 100, fault: { kind: 'held', until: () => new Promise(() => {}) } })
    const first = run()
    await until(() => lines().length >= 3, 'three chunks')
    first.kill('SIGKILL')
    await once(first, 'exit')
    exchange.faults.clear()
    const kept = lines().length
    expect(kept).toBeLessThan(9)
    const before = pages()
    const second = run()
    const [code] = await once(second, 'exit')
    expect(code).toBe(0)
    // Only what was missing is fetched, besides what the killed one had under way.
    expect(pages() - before).toBeLessThanOrEqual(9 - kept + 4)
    const rows = lines().flatMap((line) => (JSON.parse(line) as { rows: number[][] }).rows)
    expect(rows).toEqual(rowsFromCandles(sliceCandles(series.BTCUSDT!, 0, 9000)))
  } finally {
    await exchange.close()
  }
})
