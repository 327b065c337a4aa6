/**
 * The whole product under bodies that never end: 2,000 connections from one address (or as many as the argument says)
 * that send as much as they are let of 4 MB to the sign-in, half of them without saying how long they are. Prints the
 * server's memory, how long health takes to answer meanwhile, and when the last of the bodies was ended.
 *
 *   node bench/unfinished-bodies.ts [connections]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const [connections = 2_000] = process.argv.slice(2).map(Number)
const LENGTH = 4_000_000
const PIECE = Buffer.alloc(8_192, 'x')
const CHUNK = Buffer.concat([Buffer.from('2000\r\n'), PIECE, Buffer.from('\r\n')])
const LASTS_MS = 40_000

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

try {
  const port = await portOf(server)
  const before = residentMb()
  let open = 0
  for (let i = 0; i < connections; i++) begin(port, i % 2 === 0)
  const beganMs = performance.now()
  const health = { asked: 0, slowestMs: 0 }
  let mostMb = before
  let allEndedS: number | null = null
  while (performance.now() - beganMs < LASTS_MS) {
    const askedMs = performance.now()
    const { status } = await fetch(`http://127.0.0.1:${port}/soc/health`)
    if (status !== 200) throw new Error(`health answered ${status}`)
    health.slowestMs = Math.max(health.slowestMs, performance.now() - askedMs)
    health.asked += 1
    mostMb = Math.max(mostMb, residentMb())
    if (open > 0) allEndedS = null
    else allEndedS ??= (performance.now() - beganMs) / 1_000
    await wait(100)
  }
  console.log(`${connections} unfinished bodies from one address for ${LASTS_MS / 1_000} s`)
  console.log(`memory of the server   ${before.toFixed(0)} MB before, ${mostMb.toFixed(0)} MB at most`)
  console.log(`health                 ${health.asked} times, ${health.slowestMs.toFixed(0)} ms at most`)
  console.log(`the last body ended    ${allEndedS === null ? 'not at all' : `after ${allEndedS.toFixed(0)} s`}`)

  function begin(to: number, saysLength: boolean): void {
    const socket = connect(to, '127.0.0.1')
    open += 1
    const length = saysLength ? `content-length: ${LENGTH}` : 'transfer-encoding: chunked'
    socket.write(
      `POST /soc/api/auth/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
    )
    let sent = 0
    const send = () => {
      while (sent < LENGTH - PIECE.length && !socket.destroyed) {
        sent += PIECE.length
        if (!socket.write(saysLength ? PIECE : CHUNK)) return
      }
    }
    socket.on('drain', send)
    socket.on('connect', send)
    socket.on('error', () => {})
    socket.resume()
    socket.on('close', () => {
      open -= 1
    })
  }
} finally {
  server.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
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
