/**
 * Runs a stranger's ONNX file in a process of its own, so that what it takes in time and memory can be taken away with
 * the process. Speaks with `sandbox.ts` alone.
 */
import { Worker } from 'node:worker_threads'
import { openSession, type Session, tensorOf } from '../runtime/onnx-runtime.ts'
import type { SandboxReply, SandboxRequest } from './sandbox.ts'

/** In one output: a batch of 256 windows has 10,240. Of more, whoever asked would have to hold a copy. */
const MOST_NUMBERS = 1_000_000

let session: Session | null = null

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  if (request.kind === 'open') {
    session = await openSession(request.onnx)
    return { id: request.id, kind: 'opened' }
  }
  const { quantiles, up_logit: up } = await session!.run({ x: tensorOf(request.windows, request.shape) })
  const numbers = (values: unknown): Float32Array => {
    if (!(values instanceof Float32Array)) throw new TypeError('an output is not float32')
    if (values.length > MOST_NUMBERS) throw new RangeError(`an output has ${values.length} numbers`)
    return values
  }
  return { id: request.id, kind: 'ran', quantiles: numbers(quantiles?.data), upLogit: numbers(up?.data) }
}

process.on('message', (request: SandboxRequest) => {
  answer(request)
    .catch((error: unknown): SandboxReply => ({ id: request.id, kind: 'failed', reason: String(error) }))
    .then((reply) => process.send?.(reply))
})
new Worker(new URL('./end-with-parent.ts', import.meta.url))
