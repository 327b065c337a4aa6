import { openSession, type Session, tensorOf } from './onnx-runtime.ts'
import { checkRows, gatherWindows, type RowSelection, rowCount } from './windows.ts'

/** Windows in one run: enough to keep the kernels busy, few enough to stay in the processor's cache. */
const BATCH = 128

/** A network ready to predict. `close` frees its memory, which the garbage collector does not see. */
export interface OpenNetwork {
  readonly session: Session
  close(): Promise<void>
}

export interface NetworkOutput {
  /** Row-major [rows × horizons × quantiles]; the quantiles of a horizon rise. */
  quantiles: Float32Array
  /** [rows]. */
  upLogit: Float32Array
}

/** Opens an inference file of `trainNetwork`, or any with its inputs and outputs. Throws where it has others. */
export async function openNetwork(onnx: Uint8Array): Promise<OpenNetwork> {
  const session = await openSession(onnx)
  const fits =
    session.inputNames.join() === 'x' && ['quantiles', 'up_logit'].every((name) => session.outputNames.includes(name))
  if (!fits) {
    await session.release()
    throw new TypeError(
      `A network maps x to quantiles and up_logit; this one maps ${session.inputNames} to ${session.outputNames}.`,
    )
  }
  return { session, close: () => session.release() }
}

/** Opened networks by name, in the order of their names: what is summed over them has the same bits everywhere. */
export type OpenNetworks = Readonly<Record<string, OpenNetwork>>

/** Opens inference files by name. */
export async function openNetworks(
  files: readonly (readonly [name: string, onnx: Uint8Array])[],
): Promise<OpenNetworks> {
  const opened: Record<string, OpenNetwork> = {}
  for (const [name, onnx] of files.toSorted(([a], [b]) => (a < b ? -1 : 1))) opened[name] = await openNetwork(onnx)
  return opened
}

export async function closeNetworks(networks: OpenNetworks): Promise<void> {
  await Promise.all(Object.values(networks).map((network) => network.close()))
}

/**
 * Predictions for the windows that end at `rows`, in their order; gathers and runs them batch by batch, so that memory
 * does not grow with the windows but only with what is predicted. Throws a RangeError where a window does not fit.
 */
export async function runNetwork(
  network: OpenNetwork,
  features: Float32Array,
  featureCount: number,
  lookback: number,
  rows: RowSelection,
): Promise<NetworkOutput> {
  const table = { features, featureCount }
  checkRows(table, lookback, rows)
  const count = rowCount(rows)
  const windows = new Float32Array(Math.min(BATCH, count) * lookback * featureCount)
  const upLogit = new Float32Array(count)
  let quantiles = new Float32Array(0)
  for (let from = 0; from < count; from += BATCH) {
    const batch = gatherWindows(table, lookback, rows, from, windows)
    const x = tensorOf(windows.subarray(0, batch * lookback * featureCount), [batch, lookback, featureCount])
    const outputs = await network.session.run({ x })
    const fan = outputs.quantiles!.data as Float32Array
    if (from === 0) quantiles = new Float32Array(count * (fan.length / batch))
    quantiles.set(fan, from * (fan.length / batch))
    upLogit.set(outputs.up_logit!.data as Float32Array, from)
  }
  return { quantiles, upLogit }
}
