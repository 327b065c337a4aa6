/**
 * The whole product under bodies that never end: 2,000 connections from one address (or as many as the argument says)
 * that send as much as they are let to the sign-in: of 4 MB, of 4 MB without saying so, of the 16 KB that it takes. Prints
 * the server's memory, how long health takes to answer before and meanwhile, and when the last of the bodies was ended.
 *
 *   node bench/unfinished-bodies.ts [connections]
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const [connections = 2_000] = process.argv.slice(2).map(Number)
const ALONE_MS = 15_000
const LASTS_MS = 60_000

const folder = mkdtempSync(join(tmpdir(), 'shapecast-bodies-'))
const server = spawn(process.execPath, [join(import.meta.dirname, '../apps/shapecast/src/main.ts')], {
  cwd: folder,
  env: {
    ...{ PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), MARKET: 'simulated', ROLE: 'api', LOG_LEVEL: 'warn' },
    ...{ PORT: '0', TRADING_PORT: '', SOCIAL_PORT: '' },
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
let flood: ChildProcess | undefined

try {
  const port = await portOf(server)
  const alone = await askHealth(port, ALONE_MS)
  const before = residentMb()
  flood = fork(join(import.meta.dirname, 'lib/body-flood.ts'), [String(port), String(connections)])
  let open = connections
  flood.on('message', (left) => {
    open = Number(left)
  })
  const seen: { mostMb: number; allEndedS: number | null } = { mostMb: before, allEndedS: null }
  const beganMs = performance.now()
  const meanwhile = await askHealth(port, LASTS_MS, () => {
    seen.mostMb = Math.max(seen.mostMb, residentMb())
    if (open > 0) seen.allEndedS = null
    else seen.allEndedS ??= (performance.now() - beganMs) / 1_000
  })
  console.log(`${connections} unfinished bodies from one address for ${LASTS_MS / 1_000} s`)
  console.log(`memory of the server   ${before.toFixed(0)} MB before, ${seen.mostMb.toFixed(0)} MB at most`)
  console.log(`health, at most        ${alone.toFixed(0)} ms before, ${meanwhile.toFixed(0)} ms meanwhile`)
  console.log(
    `the last body ended    ${seen.allEndedS === null ? 'not at all' : `after ${seen.allEndedS.toFixed(0)} s`}`,
  )
} finally {
  flood?.kill()
  server.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

/** Asks again and again for so long, and returns the longest answer in ms. */
async function askHealth(port: number, forMs: number, each = () => {}): Promise<number> {
  let slowestMs = 0
  const beganMs = performance.now()
  while (performance.now() - beganMs < forMs) {
    const askedMs = performance.now()
    const { status } = await fetch(`http://127.0.0.1:${port}/soc/health`)
    if (status !== 200) throw new Error(`health answered ${status}`)
    slowestMs = Math.max(slowestMs, performance.now() - askedMs)
    each()
    await wait(100)
  }
  return slowestMs
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  let said = ''
  for await (const data of stdout!) {
    said += data
    const ready = /is ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
    if (ready !== null) return Number(ready[1])
  }
  throw new Error(`it did not start: ${said}`)
}

function residentMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024
}
