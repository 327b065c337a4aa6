// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Torus } from './torus.tsx'
import { torusLines } from './torus-shape.ts'

vi.mock('./torus-shape.ts', { spy: true })

const FRAME_MS = 50
let calm: { matches: boolean } & EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  calm = Object.assign(new EventTarget(), { matches: false })
  vi.spyOn(window, 'matchMedia').mockReturnValue(calm as unknown as MediaQueryList)
  vi.spyOn(HTMLCanvasElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
  const context = { setTransform() {}, beginPath() {}, lineTo() {}, stroke() {} }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** How often it is drawn in so many frames. */
function drawnIn(frames: number): number {
  vi.mocked(torusLines).mockClear()
  vi.advanceTimersByTime(frames * FRAME_MS)
  return vi.mocked(torusLines).mock.calls.length
}
const setCalm = (matches: boolean) => {
  calm.matches = matches
  calm.dispatchEvent(new Event('change'))
}

it('turns while nobody does anything, stops on activity, and turns again 15 s after the last', () => {
  const { unmount } = render(<Torus />)
  expect(drawnIn(10)).toBe(10)
  window.dispatchEvent(new Event('pointermove'))
  expect(drawnIn(200)).toBe(0)
  window.dispatchEvent(new Event('keydown'))
  expect(drawnIn(299)).toBe(0)
  expect(drawnIn(11)).toBe(10)
  unmount()
  expect(drawnIn(10)).toBe(0)
})

it('never turns under reduced motion, whenever that is chosen, and not in the middle of activity where it ends', () => {
  calm.matches = true
  const { unmount } = render(<Torus />)
  expect(drawnIn(10)).toBe(0)
  setCalm(false)
  expect(drawnIn(10)).toBe(10)
  setCalm(true)
  expect(drawnIn(10)).toBe(0)
  window.dispatchEvent(new Event('wheel'))
  setCalm(false)
  expect(drawnIn(299)).toBe(0)
  expect(drawnIn(11)).toBe(10)
  unmount()
})
