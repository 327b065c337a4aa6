import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeQuickFolder } from '../test/quick-folder.ts'

const root = resolve(import.meta.dirname, '..')
const command = join(root, 'bin/shapecast.mjs')

/** No machine takes so long to start it. */
const HANGS_AFTER_MS = 600_000

/** An installation of its own: a data folder, an address, and the program started and stopped on it. */
export interface Installation {
  readonly address: string
  start(): Promise<void>
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>
  /** Runs `shapecast …` on this installation and returns what it printed. */
  run(...words: string[]): Promise<{ stdout: string; stderr: string; code: number }>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/**
 * Below those that systems give to connections: one of theirs may take any port that is free for a moment. Processes that
 * run side by side look far apart.
 */
async function freePort(): Promise<number> {
  for (let port = 20_000 + ((process.pid * 20) % 10_000); ; port++) {
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Makes an installation in a fresh folder. `env` adds to the settings, such as MARKET. */
export async function install(env: Record<string, string> = {}): Promise<Installation> {
  const folder = makeQuickFolder('e2e')
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const settings = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    TRADING_PORT: '',
    SOCIAL_PORT: '',
    WORKERS: '1',
    LOG_LEVEL: 'warn',
    ...env,
  }
  let child: ChildProcess | null = null
  let said = ''
  let databaseLeftRunning = false

  async function ready(): Promise<void> {
    const endMs = performance.now() + HANGS_AFTER_MS
    while (performance.now() < endMs) {
      if (child?.exitCode !== null && child?.exitCode !== undefined) break
      const answers = await Promise.all(
        ['/bot/health', '/soc/health'].map((path) =>
          fetch(address + path).then(
            (reply) => reply.ok,
            () => false,
          ),
        ),
      )
      if (answers.every(Boolean)) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`the server did not become ready; it said:\n${said}`)
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const running = child
    if (running === null || running.exitCode !== null) return null
    const exited = once(running, 'exit')
    running.kill(signal)
    const [code] = (await exited) as [number | null]
    child = null
    return code
  }

  const run: Installation['run'] = (...words) =>
    promisify(execFile)(process.execPath, [command, ...words], { env: settings, maxBuffer: 1 << 26, cwd: root }).then(
      ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
      (failed: { stdout: string; stderr: string; code: number }) => failed,
    )

  async function start(): Promise<void> {
    said = ''
    child = spawn(process.execPath, [command, 'start'], { env: settings, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => {
        said = (said + data).slice(-20_000)
      })
    await ready()
    databaseLeftRunning = false
  }

  return {
    address,
    start,
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
      databaseLeftRunning = true
    },
    run,
    async remove() {
      // A killed server leaves its database running; the next start adopts it and stops it in order.
      if (databaseLeftRunning) await start()
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
