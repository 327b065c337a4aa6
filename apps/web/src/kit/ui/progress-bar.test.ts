import { describe, expect, it } from 'vitest'
import { progressPct } from './progress-bar.tsx'

describe('progress', () => {
  it.each([
    [446, 720, 62],
    [0, 0, 0],
    [5, 0, 0],
    [900, 720, 100],
  ])('%d of %d is %d percent', (current, total, pct) => expect(progressPct(current, total)).toBe(pct))
})
