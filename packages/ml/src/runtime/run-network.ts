import { hash } from 'node:crypto'
import { openSession, type Session, tensorOf } from './onnx-runtime.ts'
import { checkRows, type FeatureTable, gatherWindows, type RowSelection, rowAt, rowCount } from './windows.ts'

/** Windows in one run: enough to keep the kernels busy, few enough to stay in the processor's cache. */
const BATCH = 128
/** Windows of a run that are kept for the next one: twice those of a live forecast. */
const KEPT_AT_MOST = 1024

/** A network ready to predict. `close` frees its memory, which the garbage collector does not see. */
export interface OpenNetwork {
  readonly session: Session
  /** What it said of the windows of its last run of up to KEPT_AT_MOST, by their hash. */
  kept: ReadonlyMap<string, NetworkOutput>
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
  return { session, kept: new Map(), close: () => session.release() }
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
 * Predictions for the windows that end at `rows`, in their order. Of a window that was in the last run, to the bit, it says
 * what it said then: at each close a live fan rests on one new window and 500 old ones. Throws a RangeError where a window
 * does not fit.
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
  if (count === 0 || count > KEPT_AT_MOST) return runWindows(network, table, lookback, rows)
  const { kept } = network
  const ends = Array.from({ length: count }, (_, k) => rowAt(rows, k))
  const hashes = ends.map((end) =>
    hash('sha256', features.subarray((end + 1 - lookback) * featureCount, (end + 1) * featureCount), 'base64'),
  )
  const unknown = Int32Array.from(ends.filter((_, k) => !kept.has(hashes[k]!)))
  const made = await runWindows(network, table, lookback, unknown)
  const cell = made.quantiles.length / unknown.length
  let next = 0
  const said = hashes.map((key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const at = next++
    return { quantiles: made.quantiles.slice(at * cell, (at + 1) * cell), upLogit: made.upLogit.slice(at, at + 1) }
  })
  network.kept = new Map(said.map((output, k) => [hashes[k]!, output]))
  const quantiles = new Float32Array(count * said[0]!.quantiles.length)
  said.forEach((output, k) => void quantiles.set(output.quantiles, k * output.quantiles.length))
  return { quantiles, upLogit: Float32Array.from(said, ({ upLogit }) => upLogit[0]!) }
}
