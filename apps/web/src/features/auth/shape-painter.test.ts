import { describe, expect, it } from 'vitest'
import { curveAt, fanHalfWidth, PERIOD, stepAt } from './shape-painter.ts'

describe('the line of the landing page', () => {
  it('passes through its knots', () => {
    expect(curveAt(0)).toBeCloseTo(0.841, 12)
    expect(curveAt(0.3)).toBeCloseTo(0.59, 12)
  })

  it('is the same after a period, and joins without a jump', () => {
    for (const u of [0, 0.05, 0.735, 1.99]) expect(curveAt(u + PERIOD)).toBeCloseTo(curveAt(u), 9)
    expect(Math.abs(curveAt(PERIOD - 1e-9) - curveAt(0))).toBeLessThan(1e-6)
    expect(stepAt(0.5 + PERIOD).height).toBeCloseTo(stepAt(0.5).height, 9)
  })

  it('keeps below the words above it, wherever it has drifted to', () => {
    for (let u = 0; u < PERIOD; u += 0.001) {
      expect(curveAt(u)).toBeGreaterThan(0.5)
      expect(stepAt(u).height).toBeGreaterThan(0.42)
      expect(stepAt(u).height).toBeLessThan(0.98)
    }
  })

  it('opens the fan from nothing, the further the wider', () => {
    expect(fanHalfWidth(0, 1)).toBe(0)
    expect(fanHalfWidth(0.265, 1)).toBeCloseTo(0.17, 12)
    expect(fanHalfWidth(0.265, 0.3)).toBeCloseTo(0.051, 12)
  })
})
