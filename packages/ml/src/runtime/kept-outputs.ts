import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Twice the windows of a live forecast: its own, and 500 before it that its fan is corrected by. */
export const KEPT_AT_MOST = 1024

/** What a network says of windows, one after the other. */
export interface NetworkOutput {
  /** Row-major [windows × horizons × quantiles]; the quantiles of a horizon rise. */
  quantiles: Float32Array
  /** [windows]. */
  upLogit: Float32Array
}

/**
 * What a network said of the windows that it was asked of last, by their bits: from one close to the next all windows of a
 * live forecast but one are the same.
 */
export class KeptOutputs {
  readonly #kept = new LRUCache<string, NetworkOutput>({ max: KEPT_AT_MOST })

  /** What is said of the windows, in their order; `run` is asked of those with these indices that were not met lately. */
  async of(
    windows: readonly Float32Array[],
    run: (unknown: readonly number[]) => Promise<NetworkOutput>,
  ): Promise<NetworkOutput> {
    const hashes = windows.map((window) => hash('sha256', window, 'base64'))
    const said = hashes.map((key) => this.#kept.get(key))
    const unknown = said.flatMap((one, k) => (one === undefined ? [k] : []))
    if (unknown.length > 0) {
      const made = await run(unknown)
      const part = (all: Float32Array, at: number) =>
        all.slice((at * all.length) / unknown.length, ((at + 1) * all.length) / unknown.length)
      for (const [at, k] of unknown.entries())
        said[k] = { quantiles: part(made.quantiles, at), upLogit: part(made.upLogit, at) }
    }
    for (const [k, key] of hashes.entries()) this.#kept.set(key, said[k]!)
    const all = (of: (one: NetworkOutput) => Float32Array) => joined(said.map((one) => of(one!)))
    return { quantiles: all(({ quantiles }) => quantiles), upLogit: all(({ upLogit }) => upLogit) }
  }
}

/** What is said of each window, one after the other. Throws a RangeError where that is not of one size. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const each = parts[0]?.length ?? 0
  const all = new Float32Array(parts.length * each)
  parts.forEach((part, k) => {
    if (part.length !== each) throw new RangeError('windows are answered with outputs of different sizes')
    all.set(part, k * each)
  })
  return all
}
