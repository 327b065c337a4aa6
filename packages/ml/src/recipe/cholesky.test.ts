import { describe, expect, it } from 'vitest'
import { solveSymmetric } from './cholesky.ts'

describe('solveSymmetric', () => {
  it('solves 4x + 2y = 10, 2x + 3y = 9 and a second right-hand side', () => {
    const a = Float64Array.of(4, 2, 2, 3)
    const [x, y] = solveSymmetric(a, 2, [Float64Array.of(10, 9), Float64Array.of(4, 2)])
    expect(Array.from(x!)).toEqual([1.5, 2].map((v) => expect.closeTo(v, 12)))
    expect(Array.from(y!)).toEqual([1, 0].map((v) => expect.closeTo(v, 12)))
  })

  it('solves 3 × 3 from what lies on the diagonal and below it', () => {
    // L = [2, 0, 0; 1, 3, 0; −1, 2, 1]: A = L Lᵀ, and A (1, 2, 3) = L (1, 12, 3).
    const a = Float64Array.of(4, 99, 99, 2, 10, 99, -2, 5, 6)
    const [x] = solveSymmetric(a, 3, [Float64Array.of(2, 37, 26)])
    expect(Array.from(x!)).toEqual([1, 2, 3].map((v) => expect.closeTo(v, 12)))
  })

  it('refuses a matrix that is not positive definite', () => {
    expect(() => solveSymmetric(Float64Array.of(1, 2, 2, 1), 2, [new Float64Array(2)])).toThrow(RangeError)
  })
})
