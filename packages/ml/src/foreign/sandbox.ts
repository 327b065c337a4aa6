import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority, tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { AppError } from '@shapecast/contracts/errors'
import { limitProcessor, residentBytes } from './process-use.ts'

export interface SandboxLimits {
  /** Processor time until the file is loaded, and for the windows of one message. */
  openMs: number
  runMs: number
  memoryBytes: number
}

export const DEFAULT_LIMITS: Readonly<SandboxLimits> = { openMs: 15_000, runMs: 10_000, memoryBytes: 1024 ** 3 }

/** How a network is asked: its input's name and rank, the output that is read, and the one of P(up) where that is another. */
export interface NetworkPorts {
  x: string
  /** [batch, lookback × inputs] instead of [batch, lookback, inputs]. */
  isFlat: boolean
  numbers: string
  upLogit: string | null
}
const FAN_PORTS: NetworkPorts = { x: 'x', isFlat: false, numbers: 'quantiles', upLogit: 'up_logit' }

type Request =
  | { kind: 'open'; onnx: Uint8Array; ports: NetworkPorts }
  | { kind: 'run'; windows: Float32Array; shape: [batch: number, lookback: number, inputs: number] }
export type SandboxRequest = Request & { id: number }
export type SandboxReply = { id: number } & (
  | { kind: 'opened' }
  | { kind: 'ran'; quantiles: Float32Array; upLogit: Float32Array }
  | { kind: 'failed'; reason: string }
)

/** An uploaded network in a process of its own. */
export interface Sandbox {
  /** False once it was closed, has died, or was ended for what it took. */
  readonly alive: boolean
  /**
   * Row-major windows [batch × lookback × inputs], given to the network one by one → the outputs, flat; `quantiles` are the
   * numbers of its only output where `upLogit` is none. Throws `unprocessable` with the reason.
   */
  run(
    windows: Float32Array,
    shape: [batch: number, lookback: number, inputs: number],
  ): Promise<{ quantiles: Float32Array; upLogit: Float32Array }>
  /** Calls `over` with the ms once it has used so much more processor time; returns what calls that off. */
  limit(limitMs: number, over: (tookMs: number) => void): () => void
  close(): void
}

const CHILD = fileURLToPath(new URL('./sandbox-child.ts', import.meta.url))
const MEMORY_CHECK_MS = 50
const CHILD_HEAP_MB = 128

/** A limit, and what was measured when it was passed. */
export const tookText = (limitMs: number, tookMs: number): string =>
  `${limitMs / 1000} s (${tookMs.toLocaleString('en-US')} ms measured)`

const failure = (reason: string): AppError =>
  new AppError('unprocessable', `This ONNX file cannot be used: ${reason}.`, { field: 'onnx' })

/** One line of what the runtime says, without the paths and addresses that its long texts may hold. */
const firstLine = (reason: string): string =>
  (reason.split('\n')[0] ?? '').replaceAll(/(\/[\w.-]+){2,}/g, '…').slice(0, 200)

function start(): ChildProcess {
  const child = fork(CHILD, [], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${CHILD_HEAP_MB}`],
    // None of our settings and secrets.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    cwd: tmpdir(),
    // By the end of its input it knows that we are gone.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where a system does not let us, it runs at ours.
  }
  return child
}

/**
 * Loads an ONNX file in a process without our environment, at a lower priority. It is ended where it takes longer or more
 * memory than `limits` allow; callers that wait for it get the reason. `memoryOf` gives the bytes that a process holds. Throws
 * `unprocessable`.
 */
export async function openSandbox(
  onnx: Uint8Array,
  limits: SandboxLimits = DEFAULT_LIMITS,
  memoryOf = residentBytes,
  ports: NetworkPorts = FAN_PORTS,
): Promise<Sandbox> {
  const child = start()
  const waiting = new Map<number, { resolve(reply: SandboxReply): void; reject(error: Error): void }>()
  let alive = true
  let last = 0
  const end = (reason: string): void => {
    alive = false
    clearInterval(watch)
    child.kill('SIGKILL')
    for (const { reject } of waiting.values()) reject(failure(reason))
    waiting.clear()
  }
  const watch = setInterval(async () => {
    // Where nothing runs nothing grows, and to ask may cost a process.
    if (child.pid === undefined || waiting.size === 0) return
    const bytes = await memoryOf(child.pid)
    if (alive && bytes !== null && bytes > limits.memoryBytes)
      end(`it took more than ${Math.round(limits.memoryBytes / 2 ** 20)} MB of memory`)
  }, MEMORY_CHECK_MS)
  watch.unref()
  child.on('exit', (code, signal) => end(`its process ended by itself (${signal ?? code})`))
  child.on('error', (error) => end(`its process did not start (${error.message})`))
  child.on('message', (reply: SandboxReply) => {
    waiting.get(reply.id)?.resolve(reply)
    waiting.delete(reply.id)
  })

  const limit: Sandbox['limit'] = (limitMs, over) => limitProcessor(child.pid, limitMs, over)
  const ask = async (request: Request, limitMs: number): Promise<SandboxReply> => {
    if (!alive) throw failure('its process has ended')
    const id = ++last
    const calledOff = limit(limitMs, (tookMs) => end(`it took longer than ${tookText(limitMs, tookMs)}`))
    try {
      const reply = await new Promise<SandboxReply>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        child.send({ ...request, id }, (error) => {
          if (error) end('its process has ended')
        })
      })
      if (reply.kind === 'failed') throw failure(`the runtime says: ${firstLine(reply.reason)}`)
      return reply
    } finally {
      calledOff()
    }
  }
  const close = (): void => end('it was closed')

  try {
    await ask({ kind: 'open', onnx, ports }, limits.openMs)
  } catch (error) {
    close()
    throw error
  }
  return {
    get alive() {
      return alive
    },
    async run(windows, shape) {
      const reply = await ask({ kind: 'run', windows, shape }, limits.runMs)
      if (reply.kind !== 'ran') throw failure('its process answered out of turn')
      return { quantiles: reply.quantiles, upLogit: reply.upLogit }
    },
    limit,
    close,
  }
}
