import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import { fitLogistic, predictLogistic, sigmoid } from './logistic-regression.ts'

const rowsUpTo = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i)

describe('fitLogistic', () => {
  it('without features gives the share of ups: 3 of 4', () => {
    const model = fitLogistic(new Float32Array(0), 0, rowsUpTo(4), Float32Array.of(1, 1, 0, 1), 1)
    expect(sigmoid(model.intercept)).toBeCloseTo(0.75, 8)
  })

  it('stands where w = C Σ (y − p) x and Σ (y − p) = 0', () => {
    const random = createRandom(5)
    const x = Float32Array.from({ length: 200 }, () => random.normal())
    const y = Float32Array.from(x, (v) => (random.next() < sigmoid(v) ? 1 : 0))
    const c = 0.3
    const model = fitLogistic(x, 1, rowsUpTo(200), y, c)
    const p = predictLogistic(model, x, 0, 200)
    let [pull, residual] = [0, 0]
    for (let i = 0; i < 200; i++) {
      pull += (y[i]! - p[i]!) * x[i]!
      residual += y[i]! - p[i]!
    }
    expect(model.weights[0]).toBeCloseTo(c * pull, 8)
    expect(residual).toBeCloseTo(0, 8)
    expect(model.weights[0]).toBeGreaterThan(0.5)
  })

  it('stays finite where all outcomes are the same', () => {
    const model = fitLogistic(Float32Array.of(1, -1, 2), 1, rowsUpTo(3), Float32Array.of(1, 1, 1), 0.01)
    expect(Number.isFinite(model.intercept)).toBe(true)
    expect(sigmoid(model.intercept)).toBeGreaterThan(0.99)
  })

  it('counts a flat outcome as half up', () => {
    const model = fitLogistic(new Float32Array(0), 0, rowsUpTo(2), Float32Array.of(0.5, 0.5), 1)
    expect(model.intercept).toBeCloseTo(0, 12)
  })
})
