import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsFromCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { createStoredCandles } from '@shapecast/trading/market/stored-candles'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { type LocalExchange, startLocalExchange } from '@shapecast/venues/testing/local-exchange/local-exchange'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { errorText } from '../server/error-text.ts'
import { MIGRATIONS } from '../server/installation.ts'
import { addDownload } from './download.ts'

const MINUTE_MS = 60_000
const DAY = '2024-01-01'
const START_MS = Date.parse(DAY)
/** The exchange's clock stands in the 1,500th minute of its year: 25 hours. */
const NOW_MS = START_MS + 1500 * MINUTE_MS + 5_000
const series = {
  BTCUSDT: randomCandles(1600, START_MS, '1m', 1),
  ETHUSDT: randomCandles(1600, START_MS, '1m', 2),
}

describe('shapecast download', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-download-'))
  let db: Database
  let exchange: LocalExchange
  beforeAll(async () => {
    db = await createTestDatabase(MIGRATIONS.slice(1))
    exchange = await startLocalExchange({ series, startMs: NOW_MS })
  })
  afterAll(async () => {
    await exchange.close()
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const settings = () => ({
    DATABASE_URL: db.url,
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: 'k'.repeat(40),
    MARKET: 'binance',
    MARKET_URLS: JSON.stringify(exchange.urls),
  })
  /** What it says in this process, and what it is refused with. */
  async function run(args: readonly string[], env: Record<string, string> = {}) {
    for (const [name, value] of Object.entries({ ...settings(), ...env })) vi.stubEnv(name, value)
    const streams = [process.stdout, process.stderr].map((one) => vi.spyOn(one, 'write').mockReturnValue(true))
    const command = new Command()
    addDownload(command)
    const error = await command.parseAsync(args, { from: 'user' }).then(() => null, errorText)
    const [out, notes] = streams.map((one) => one.mock.calls.map(([text]) => String(text)).join(''))
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    return { error, out, notes }
  }
  const refusal = async (args: readonly string[], env?: Record<string, string>) => (await run(args, env)).error
  /** The command as a person starts it; `interruptAt` is what it has to say before Ctrl-C. */
  async function download(args: readonly string[], interruptAt?: string) {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../cli.ts'), 'download', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...settings() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let notes = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data
    })
    child.stderr.on('data', (data: Buffer) => {
      const before = interruptAt !== undefined && notes.includes(interruptAt)
      notes += data
      // Once: a second Ctrl-C ends the command at once.
      if (interruptAt !== undefined && !before && notes.includes(interruptAt)) child.kill('SIGINT')
    })
    const [code] = await once(child, 'close')
    return { code, out, notes }
  }
  const stored = async (symbol: string) =>
    rowsFromCandles(await createStoredCandles(db).candles('binance', symbol, '1m', {}))

  it('says that the exchange does not answer', async () => {
    const nowhere = JSON.stringify(exchange.urls).replaceAll(exchange.address, '127.0.0.1:9')
    const text = await refusal(['BTCUSDT', '--from', DAY], { MARKET_URLS: nowhere })
    expect(text).toBe('binance does not answer. Try again in a moment.')
  })

  it('fetches every closed candle of two markets, to the digit, and the second time nothing', async () => {
    const { code, out } = await download(['btcusdt', 'ETHUSDT', '--timeframe', '1m', '--from', DAY])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^BTCUSDT 1m of binance +2024-01-01 00:00 UTC to 2024-01-02 00:59 UTC\ncandles fetched +1,500\n/,
    )
    expect(out).toContain('ETHUSDT 1m of binance')
    expect(await stored('BTCUSDT')).toEqual(rowsFromCandles(series.BTCUSDT).slice(0, 1500))
    expect(await stored('ETHUSDT')).toEqual(rowsFromCandles(series.ETHUSDT).slice(0, 1500))
    const asked = exchange.requests.length
    const again = await run(['BTCUSDT', '--timeframe', '1m', '--from', DAY])
    expect([again.error, again.notes]).toEqual([null, 'BTCUSDT: goes on at 2024-01-02 01:00 UTC\n'])
    expect(again.out).toMatch(/candles fetched +0\n/)
    expect(exchange.requests.slice(asked).filter(({ name }) => name.endsWith('/klines'))).toEqual([])
  })

  it('finds a market that does not exist before it fetches anything', async () => {
    const asked = exchange.requests.length
    const text = await refusal(['BTCUSDT', 'BTCEUR', '--timeframe', '5m', '--from', DAY])
    expect(text).toBe('binance has no market BTCEUR. It has BTCUSDT.')
    expect(exchange.requests.slice(asked).filter(({ name }) => name.endsWith('/klines'))).toEqual([])
  })

  it('ends with exit code 2 and a way to help where it is called wrongly', async () => {
    const { code, notes } = await download(['BTC-USDT', '--from', DAY])
    expect(code).toBe(2)
    expect(notes).toContain('(--help says more)')
  })

  it.each([
    ['a symbol with a dash', ['BTC-USDT', '--from', DAY], 'A symbol must be letters and digits, such as BTCUSDT'],
    ['no such date', ['BTCUSDT', '--from', '2024-02-31'], 'It has to be a date, such as 2024-01-31 (UTC).'],
    ['no date at all', ['BTCUSDT', '--from', 'yesterday'], 'It has to be a date, such as 2024-01-31 (UTC).'],
    ['no such timeframe', ['BTCUSDT', '--from', DAY, '--timeframe', '3m'], 'Allowed choices are 1m, 5m, 15m, 30m, 1h'],
    ['no start', ['BTCUSDT'], "required option '--from <time>' not specified"],
    ['no symbol', ['--from', DAY], "missing required argument 'symbol'"],
  ])('refuses %s with a text that says what is possible', async (_name, args, text) => {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
    addDownload(command)
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toThrow(text)
  })

  it('says where the market’s candles end, and that a market that is no exchange has none to fetch', async () => {
    expect(await refusal(['BTCUSDT', '--from', '2024-01-03'])).toBe(
      'No 1h candle has closed since then: the last one opened at 2024-01-02 00:00 UTC. Begin earlier.',
    )
    expect(await refusal(['BTCUSDT', '--from', DAY], { MARKET: 'simulated' })).toContain(
      'Set MARKET to an exchange, such as binance, or import files.',
    )
  })

  it('says why it waits, and on Ctrl-C that what was fetched is kept', async () => {
    exchange.faults.rest({ at: /klines/, times: 100, fault: { kind: 'status', status: 502 } })
    const args = ['BTCUSDT', '--timeframe', '15m', '--from', DAY]
    const { code, notes } = await download(args, 'Trying again in')
    exchange.faults.clear()
    expect(code).toBe(1)
    expect(notes).toMatch(/^binance does not answer\. Trying again in \d s\.\n/)
    expect(notes).toContain('BTCUSDT 15m: what was fetched is kept. The same command goes on where this one stopped.\n')
    const { out } = await run(args)
    expect(out).toMatch(/candles fetched +100\n/)
  })
})
