import { createRandom } from '@shapecast/engine/random'

/** Everything random in one epoch, from the seed and the epoch alone, so that a resumed run draws the same. */
export interface EpochPlan {
  /** The rows to train on, shuffled. */
  rows: Int32Array
  /** Fills dropout factors: 0 for a dropped unit, 1 / (1 − dropout) for a kept one. */
  fillMasks(into: Float32Array): void
}

/** The plan of one epoch, counted from 1. Rows are shuffled by Fisher and Yates (Knuth, TAOCP 3.4.2, algorithm P). */
export function planEpoch(trainRows: Int32Array, seed: number, epoch: number, dropout: number): EpochPlan {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + epoch)
  const rows = trainRows.slice()
  for (let i = rows.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const row = rows[i]!
    rows[i] = rows[j]!
    rows[j] = row
  }
  // One draw of 32 bits decides over four units, eight bits each: the rate is exact to 1/256.
  const threshold = Math.round(dropout * 256)
  const kept = 256 / (256 - threshold)
  return {
    rows,
    fillMasks(into) {
      for (let i = 0; i < into.length; i += 4) {
        let bits = Math.floor(random.next() * 4_294_967_296)
        for (let k = i; k < i + 4 && k < into.length; k++) {
          into[k] = (bits & 255) < threshold ? 0 : kept
          bits >>>= 8
        }
      }
    },
  }
}
