/**
 * Runs an uploaded ONNX file in a process of its own, so that what it takes in time and memory can be taken away with
 * the process. Speaks with `sandbox.ts` alone.
 */
import { Worker } from 'node:worker_threads'
import { joined } from '../runtime/kept-outputs.ts'
import { openSession, type Session, tensorOf } from '../runtime/onnx-runtime.ts'
import type { NetworkPorts, SandboxReply, SandboxRequest } from './sandbox.ts'

/** In what is said of one window: a fan has 40. Of more, the caller would have to hold a copy. */
const MOST_NUMBERS = 1000

let opened: { session: Session; ports: NetworkPorts } | null = null

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  if (request.kind === 'open') {
    opened = { session: await openSession(request.onnx), ports: request.ports }
    return { id: request.id, kind: 'opened' }
  }
  const { windows, shape } = request
  const [count, lookback, inputs] = shape
  const size = lookback * inputs
  const { session, ports } = opened!
  const one = ports.isFlat ? [1, size] : [1, lookback, inputs]
  const wanted = ports.upLogit === null ? [ports.numbers] : [ports.numbers, ports.upLogit]
  const said: { quantiles: Float32Array[]; upLogit: Float32Array[] } = { quantiles: [], upLogit: [] }
  // One by one: a network that is given a single window cannot look at a later one.
  for (let k = 0; k < count; k++) {
    const window = windows.slice(k * size, (k + 1) * size)
    const made = await session.run({ [ports.x]: tensorOf(window, one) }, wanted)
    said.quantiles.push(numbers(made[ports.numbers]?.data))
    if (ports.upLogit !== null) said.upLogit.push(numbers(made[ports.upLogit]?.data))
  }
  return { id: request.id, kind: 'ran', quantiles: joined(said.quantiles), upLogit: joined(said.upLogit) }
}

function numbers(values: unknown): Float32Array {
  if (!(values instanceof Float32Array)) throw new TypeError('an output is not float32')
  if (values.length > MOST_NUMBERS) throw new RangeError(`an output has ${values.length} numbers for a window`)
  return values
}

process.on('message', (request: SandboxRequest) => {
  answer(request)
    .catch((error: unknown): SandboxReply => ({ id: request.id, kind: 'failed', reason: String(error) }))
    .then((reply) => process.send?.(reply))
})
new Worker(new URL('./end-with-parent.ts', import.meta.url))
