/**
 * The built product in a real browser, with as much as a user of years has: what it takes to open the page of a bot with
 * 10,000 decisions and 2,000 trades, from the press until its figures, chart and rows are there (time, processor time of
 * browser and services, bytes of the replies); and the longest tasks of the page of 200 bots while it is scrolled, as cards
 * and as a table, by the clock and by the processor. Times by the clock hold on a machine with nothing else to do. Build
 * first: npm run build.
 *
 *   node bench/cockpit.ts [rounds]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { profile, register } from '@shapecast/contracts/auth'
import { createClient } from '@shapecast/contracts/client'
import { health } from '@shapecast/contracts/market'
import { connect, type Database } from '@shapecast/platform/database/database'
import { acquireServer } from '@shapecast/platform/database/embedded'
import { readRecord } from '@shapecast/platform/database/server-folder'
import { silentLogger } from '@shapecast/platform/logging'
import { launchOptions } from '../e2e/chromium.ts'
import { install } from '../e2e/server.ts'

const HOUR_MS = 3_600_000
const [DECISIONS, TRADES, BOTS] = [10_000, 2_000, 200]
const NAME = 'Bot 001'
const rounds = Number(process.argv[2] ?? 5)

/** Stopped bots of a user; the first one has traded for as many hours as it has decisions. */
async function seed(db: Database, userId: string, nowMs: number): Promise<void> {
  const lastMs = nowMs - (nowMs % HOUR_MS) - HOUR_MS
  const run = (text: string, values: unknown[]) => db.pool.query(text, values)
  await run(
    `insert into trading.bots (id, user_id, venue, name, description, strategy, status, visibility, is_virtual,
      trading_pairs, position_size, max_drawdown, risk_level, market_type, leverage, take_profit_pct, stop_loss_pct,
      initial_balance, total_trades, winning_trades, temporary, created_at_ms)
     select gen_random_uuid(), $1, 'simulated', 'Bot ' || lpad(i::text, 3, '0'), 'Number ' || i, 'ml', 'stopped', 'private',
      true, '{BTCUSDT}', 0.01, 20, 'medium', 'spot', 1, 6, 3, 1000, case when i = 1 then $2::int else 0 end, 900, false, $3
     from generate_series(1, $4::int) i`,
    [userId, TRADES, lastMs - DECISIONS * HOUR_MS, BOTS],
  )
  const { rows } = await run('select id from trading.bots where name = $1', [NAME])
  const botId: string = rows[0].id
  const each = `generate_series(0, ${DECISIONS - 1}) i`
  const at = `$2::bigint - i::bigint * ${HOUR_MS}`
  await run(
    `insert into trading.bot_decisions (id, bot_id, symbol, candle_ts, votes, rule, signal, action, reason, candle, decided_at_ms)
     select gen_random_uuid(), $1, 'BTCUSDT', ${at}, '[{"version":"v3","signal":"BUY","confidence":0.55,"pUp":0.55,"edgeBps":-4}]',
      case when i % 5 = 0 then 'signal' else 'below_cost' end, 'BUY', case when i % 5 = 0 then 'opened_long' else 'no_order' end,
      'Expected edge 4 bps, below the cost of 22 bps.', '{1,1,1,1}', ${at} + ${HOUR_MS} from ${each}`,
    [botId, lastMs],
  )
  await run(
    `insert into trading.bot_equity (bot_id, at_ms, equity)
     select $1, ${at} + ${HOUR_MS}, 1000 + 100 * sin(i / 300.0) from ${each}`,
    [botId, lastMs],
  )
  await run(
    `insert into trading.bot_trades (id, bot_id, symbol, side, entry_time_ms, exit_time_ms, entry_price, exit_price, quantity,
      net_pnl, fees, funding, exit_reason)
     select gen_random_uuid(), $1, 'BTCUSDT', 'long', $2::bigint - (5 * i + 3)::bigint * ${HOUR_MS}, $2::bigint - (5 * i)::bigint * ${HOUR_MS}, 50000,
      50000 + 100 * sin(i), 0.01, sin(i) - 0.6, 0.6, 0, 'signal' from generate_series(0, ${TRADES - 1}) i`,
    [botId, lastMs],
  )
}

/** Ms of processor that browsers and all else of this process and its database have spent. */
function spentMs(): { browser: number; services: number } {
  const sum = { browser: 0, services: 0 }
  const postgres = Number(readFileSync(join(dataFolder(), 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const all = readdirSync('/proc').flatMap((pid) => {
    try {
      const [, id, name, rest] = /^(\d+) \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      if (id === undefined) return []
      const fields = rest!.split(' ')
      return [
        { id: Number(id), name: name!, parent: Number(fields[1]), ms: 10 * (Number(fields[11]) + Number(fields[12])) },
      ]
    } catch {
      return []
    }
  })
  const parentOf = new Map(all.map(({ id, parent }) => [id, parent]))
  const isOurs = (id: number | undefined): boolean =>
    id !== undefined && (id === process.pid || id === postgres || isOurs(parentOf.get(id)))
  for (const { id, name, ms } of all)
    if (id !== process.pid && isOurs(id)) sum[/chrom|headless/.test(name) ? 'browser' : 'services'] += ms
  return sum
}

interface Opened {
  readonly ms: number
  readonly browserMs: number
  readonly servicesMs: number
  readonly kB: number
}

/** From the press until all that the page shows first is there. */
async function openPage(page: Page, address: string): Promise<Opened> {
  await page.goto(`${address}/trading?q=${encodeURIComponent(NAME)}`)
  await page.getByRole('button', { name: `Open ${NAME}` }).click()
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open page' })
  await link.waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  let bytes = 0
  page.on('requestfinished', async (request) => {
    if (request.url().includes('/api/')) bytes += (await request.sizes()).responseBodySize
  })
  const before = spentMs()
  // By the page's own clock, looked at in each frame: Playwright's own waiting looks every 500 ms in the end.
  await page.evaluate("addEventListener('click', () => performance.mark('press'), { once: true, capture: true })")
  await link.click()
  const ended = await page.waitForFunction<number>(
    `(() => {
      const words = document.querySelector('main')?.textContent ?? ''
      const parts = ['[aria-label^="Backtest chart"]', 'table[aria-label="Trades"]']
      const isThere = parts.every((part) => document.querySelector(part)) && /Average win/.test(words) && /limit 20%/.test(words)
      return isThere && performance.now() - performance.getEntriesByName('press').at(-1).startTime
    })()`,
    undefined,
    { polling: 'raf' },
  )
  const [ms, after] = [await ended.jsonValue(), spentMs()]
  return {
    ms,
    browserMs: after.browser - before.browser,
    servicesMs: after.services - before.services,
    kB: bytes / 1000,
  }
}

interface Task {
  readonly clockMs: number
  readonly processorMs: number
}

/** The tasks of the page's main thread while it is scrolled to its end by the wheel, the longest by the processor first. */
async function scroll(browser: Browser, page: Page): Promise<Task[]> {
  await page.mouse.move(720, 600)
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  for (let i = 0; i < 120; i++) {
    await page.mouse.wheel(0, 240)
    await page.waitForTimeout(16)
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; pid: number; tid: number; dur?: number; tdur?: number; args: { name?: string } }[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return traceEvents
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && mains.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ clockMs: dur / 1000, processorMs: tdur / 1000 }))
    .toSorted((one, other) => other.processorMs - one.processorMs)
}

const list = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ')

const folder = mkdtempSync(join(tmpdir(), 'shapecast-bench-'))
const dataFolder = (): string => readRecord(folder)!.folder
const server = await acquireServer({ dataDir: folder, log: silentLogger() })
const home = await install({ MARKET: 'simulated', DATABASE_URL: server.url })
const browser = await chromium.launch(launchOptions)
try {
  await home.start()
  let token = ''
  const { call } = createClient({ origin: home.address, token: () => token || null })
  const person = { username: 'mira', email: 'mira@example.org', password: 'correct horse' }
  token = (await call(register, { body: person })).accessToken
  const db = await connect(server.url, silentLogger())
  const nowMs = (await call(health, {})).marketTime ?? Date.now()
  await seed(db, (await call(profile, {})).user.id, nowMs)
  await db.close()
  // What is waited for is looked at by a string of code.
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1440, height: 900 } })
  await context.addInitScript(`localStorage.setItem('authToken', '${token}')`)
  const opened: Opened[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await context.newPage()
    opened.push(await openPage(page, home.address))
    await page.close()
  }
  console.log(`Page of a bot with ${DECISIONS} decisions and ${TRADES} trades, the first time with all to load:
  by the clock ${list(opened.map(({ ms }) => ms))} ms
  processor: browser ${list(opened.map(({ browserMs }) => browserMs))} ms, services ${list(opened.map(({ servicesMs }) => servicesMs))} ms
  replies ${opened.at(-1)!.kB.toFixed(0)} kB`)
  for (const look of ['Cards', 'Table']) {
    const page = await context.newPage()
    await page.goto(`${home.address}/trading`)
    await page.getByRole('button', { name: look, exact: true }).click()
    await page.getByText('Bot 200').waitFor()
    await page.waitForTimeout(3000)
    const tasks = await scroll(browser, page)
    const longest = tasks.slice(0, 5)
    console.log(`${BOTS} bots as ${look.toLowerCase()}, ${tasks.length} tasks while they are scrolled, the longest:
  processor ${list(longest.map(({ processorMs }) => processorMs))} ms, by the clock ${list(longest.map(({ clockMs }) => clockMs))} ms`)
    await page.close()
  }
} finally {
  await browser.close()
  await home.remove()
  await server.release()
  const record = readRecord(folder)
  if (record !== null) rmSync(record.folder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
