import type { Random } from '@shapecast/engine/random'

/** Fewer blocks than these leave too little to draw by lot. */
const FEWEST_BLOCKS = 12

/** Length of a block for windows of `lookback` rows: as long as a window, but so that there are a dozen blocks. */
export const blockLength = (rows: number, lookback: number): number =>
  Math.max(1, Math.min(lookback, Math.floor(rows / FEWEST_BLOCKS)))

/** Lengths of neighbouring blocks that fill `rows`: each drawn from half the mean to one and a half of it. */
function drawLengths(rows: number, mean: number, random: Random): number[] {
  const lengths: number[] = []
  const [shortest, longest] = [Math.max(1, Math.ceil(mean / 2)), Math.max(1, Math.floor((3 * mean) / 2))]
  for (let left = rows; left > 0; ) {
    const length = Math.min(left, shortest + random.below(longest - shortest + 1))
    lengths.push(length)
    left -= length
  }
  return lengths
}

/**
 * Where each row takes its value from, when neighbouring rows are moved together in blocks and no block keeps its place
 * (Sattolo, Information Processing Letters 22, 1986). Moving blocks keeps what a series is like from row to row, which a
 * model's windows see, and breaks only which candle it belongs to; rows moved one by one would show the model windows of
 * noise that no market makes (the argument of the block bootstrap, Künsch, Annals of Statistics 17, 1989). Lengths are drawn
 * by lot, as those of Politis and Romano (JASA 89, 1994) are: with equal ones a shift by a whole number of days would leave
 * the hour of the day in its place.
 */
export function shuffledBlocks(rows: number, mean: number, random: Random): Int32Array {
  const lengths = drawLengths(rows, mean, random)
  const starts: number[] = []
  lengths.reduce((start, length) => {
    starts.push(start)
    return start + length
  }, 0)
  const order = lengths.map((_, k) => k)
  for (let k = order.length - 1; k > 0; k--) {
    const other = random.below(k)
    const kept = order[k]!
    order[k] = order[other]!
    order[other] = kept
  }
  const source = new Int32Array(rows)
  let at = 0
  for (const block of order) for (let i = 0; i < lengths[block]!; i++) source[at++] = starts[block]! + i
  return source
}
