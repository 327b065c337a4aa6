import { createRandom } from '@shapecast/engine/random'

/** A figure with its 95 % interval. */
export interface Pooled {
  value: number
  interval: [low: number, high: number]
}

/** Ten days: far longer than the horizons, and all coins share them. */
const BLOCK_MS = 10 * 86_400_000
const DRAWS = 4000

/**
 * A ratio of sums over all rows, and its 95 % interval by the bootstrap over calendar blocks of ten days that all coins
 * share (Künsch, Annals of Statistics 17, 1989): rows of one block, whatever their coin, are drawn together. Terms that
 * are not known are left out of both sums.
 */
export function pooledRatio<Row extends { ts: number }>(
  rows: readonly Row[],
  terms: (row: Row) => { above: number; below: number },
): Pooled {
  const blocks = new Map<number, { above: number; below: number }>()
  for (const row of rows) {
    const { above, below } = terms(row)
    if (Number.isNaN(above + below)) continue
    const key = Math.floor(row.ts / BLOCK_MS)
    const block = blocks.get(key) ?? { above: 0, below: 0 }
    blocks.set(key, { above: block.above + above, below: block.below + below })
  }
  const list = [...blocks.values()]
  const ratio = (of: readonly { above: number; below: number }[]): number => {
    let [above, below] = [0, 0]
    for (const block of of) {
      above += block.above
      below += block.below
    }
    return above / below
  }
  const random = createRandom(17)
  const draws = Float64Array.from({ length: DRAWS }, () =>
    ratio(list.map(() => list[random.below(list.length)]!)),
  ).sort()
  const at = (level: number): number => draws[Math.round(level * (DRAWS - 1))]!
  return { value: ratio(list), interval: [at(0.025), at(0.975)] }
}
