import { KEPT_AT_MOST, KeptOutputs, type NetworkOutput } from './kept-outputs.ts'
import { openSession, type Session, tensorOf } from './onnx-runtime.ts'
import { checkRows, type FeatureTable, gatherWindows, type RowSelection, rowAt, rowCount } from './windows.ts'

/** Windows in one run: enough to keep the kernels busy, few enough to stay in the processor's cache. */
const BATCH = 128

/** A network ready to predict. `close` frees its memory, which the garbage collector does not see. */
export interface OpenNetwork {
  readonly session: Session
  readonly kept: KeptOutputs
  close(): Promise<void>
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
  return { session, kept: new KeptOutputs(), close: () => session.release() }
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

/** Gathers and runs windows batch by batch, so that memory does not grow with them but only with what is predicted. */
async function runWindows(
  network: OpenNetwork,
  table: FeatureTable,
  lookback: number,
  rows: RowSelection,
): Promise<NetworkOutput> {
  const count = rowCount(rows)
  const size = lookback * table.featureCount
  const windows = new Float32Array(Math.max(2, Math.min(BATCH, count)) * size)
  const upLogit = new Float32Array(count)
  let quantiles = new Float32Array(0)
  for (let from = 0; from < count; from += BATCH) {
    const batch = gatherWindows(table, lookback, rows, from, windows)
    // One window alone is multiplied by another kernel, whose last bits differ: it is run twice.
    if (batch === 1) windows.copyWithin(size, 0, size)
    const run = Math.max(2, batch)
    const x = tensorOf(windows.subarray(0, run * size), [run, lookback, table.featureCount])
    const outputs = await network.session.run({ x })
    const fan = outputs.quantiles!.data as Float32Array
    const cell = fan.length / run
    if (from === 0) quantiles = new Float32Array(count * cell)
    quantiles.set(fan.subarray(0, batch * cell), from * cell)
    upLogit.set((outputs.up_logit!.data as Float32Array).subarray(0, batch), from)
  }
  return { quantiles, upLogit }
}

/**
 * Predictions for the windows that end at `rows`, in their order; those that it was asked of lately are not run again.
 * Throws a RangeError where a window does not fit.
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
  if (rowCount(rows) > KEPT_AT_MOST) return runWindows(network, table, lookback, rows)
  const ends = Int32Array.from({ length: rowCount(rows) }, (_, k) => rowAt(rows, k))
  const windows = Array.from(ends, (end) =>
    features.subarray((end + 1 - lookback) * featureCount, (end + 1) * featureCount),
  )
  const run = (unknown: readonly number[]) =>
    runWindows(
      network,
      table,
      lookback,
      Int32Array.from(unknown, (k) => ends[k]!),
    )
  return network.kept.of(windows, run)
}
