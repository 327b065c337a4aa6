import { createRandom } from '@shapecast/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockLength, shuffledBlocks } from './shuffled-blocks.ts'

describe('the length of a block', () => {
  it('is that of a window, or a twelfth of the rows where that is less', () => {
    expect(blockLength(429, 30)).toBe(30)
    expect(blockLength(519, 120)).toBe(43)
    expect(blockLength(5, 30)).toBe(1)
  })
})

describe('rows shuffled in blocks', () => {
  const jobs = fc.record({
    rows: fc.integer({ min: 40, max: 600 }),
    mean: fc.integer({ min: 1, max: 40 }),
    seed: fc.integer(),
  })

  it('take each value once, and from another row than their own wherever blocks are as long as they were', () =>
    fc.assert(
      fc.property(jobs, ({ rows, mean, seed }) => {
        const source = shuffledBlocks(rows, mean, createRandom(seed))
        expect(Array.from(source).sort((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, i) => i))
        if (mean === 1) expect(source.every((from, i) => from !== i)).toBe(true)
      }),
    ))

  it('keep their neighbours but where two blocks meet: at most one place in half a mean length', () =>
    fc.assert(
      fc.property(jobs, ({ rows, mean, seed }) => {
        const source = shuffledBlocks(rows, mean, createRandom(seed))
        const seams = source.filter((from, i) => i > 0 && from !== source[i - 1]! + 1).length
        expect(seams).toBeLessThanOrEqual(Math.ceil(rows / Math.ceil(mean / 2)))
      }),
    ))

  it('lose their hour of the day, though a block is a day long on average', () => {
    // By chance alone one row in 24 would keep its hour; with blocks of one day each all would.
    let kept = 0
    for (let seed = 1; seed <= 50; seed++)
      kept += shuffledBlocks(480, 24, createRandom(seed)).filter((from, i) => (from - i) % 24 === 0).length
    expect(kept / (50 * 480)).toBeLessThan(2 / 24)
  })

  it('are the same for the same seed, others for another', () => {
    const draw = (seed: number) => shuffledBlocks(429, 30, createRandom(seed))
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
  })
})
