import { createRequire } from 'node:module'
import type { InferenceSession, Tensor } from 'onnxruntime-node'

// Newer versions of the runtime report home unless this stands before the library loads. Ours is pinned to one that
// has no such code; the variable keeps it so whatever gets installed. It is why the library is not imported above.
process.env.ORT_DISABLE_TELEMETRY = '1'
const runtime = createRequire(import.meta.url)('onnxruntime-node') as typeof import('onnxruntime-node')

/** Of the library that is loaded, such as `1.27.0`. */
export const RUNTIME_VERSION = runtime.env.versions.common

export type FloatArray = Float32Array | Float64Array
export type RuntimeTensor = Tensor
export type Session = InferenceSession

const OPTIONS: InferenceSession.SessionOptions = {
  // Two threads in one session gave nothing on networks this small; several sessions side by side use more cores.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  logSeverityLevel: 3,
}

/**
 * Compiles an ONNX file for one thread of the CPU. `release()` the session when done: its memory is not the garbage
 * collector's. A run holds up the event loop until it is done (a few milliseconds in training), and the loop turns
 * between runs. `optimise: false` runs the nodes as they are written.
 */
export function openSession(onnx: Uint8Array, options: { optimise?: boolean } = {}): Promise<Session> {
  const graphOptimizationLevel = options.optimise === false ? 'disabled' : 'all'
  return runtime.InferenceSession.create(onnx, { ...OPTIONS, graphOptimizationLevel })
}

/** A tensor over the array itself: changing the array before the next run changes what is fed. */
export function tensorOf(data: FloatArray, shape: readonly number[]): RuntimeTensor {
  return data instanceof Float32Array
    ? new runtime.Tensor('float32', data, shape)
    : new runtime.Tensor('float64', data, shape)
}
