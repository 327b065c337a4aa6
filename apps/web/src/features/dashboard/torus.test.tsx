import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Torus } from './torus.tsx'
import { torusLines } from './torus-shape.ts'

vi.mock('./torus-shape.ts', { spy: true })

const FRAME_MS = 50
const IDLE_FRAMES = 300
let calm: { matches: boolean } & EventTarget
/** Says whether the torus is in view. */
let see: (isInView: boolean) => void

beforeEach(() => {
  vi.useFakeTimers()
  calm = Object.assign(new EventTarget(), { matches: false })
  vi.spyOn(window, 'matchMedia').mockReturnValue(calm as unknown as MediaQueryList)
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => told([{ isIntersecting }])
      }
      observe() {}
      disconnect() {}
    },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
  const context = { setTransform() {}, beginPath() {}, lineTo() {}, stroke() {} }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
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

/** A torus in view, of a page at which nobody has done anything for 15 s. */
function idleTorus() {
  const page = render(<Torus />)
  see(true)
  expect(drawnIn(IDLE_FRAMES - 1)).toBe(0)
  vi.advanceTimersByTime(FRAME_MS)
  return page
}

it('turns while nobody does anything, stops on activity, and turns again 15 s after the last', () => {
  const { unmount } = idleTorus()
  expect(drawnIn(10)).toBe(10)
  window.dispatchEvent(new Event('pointermove'))
  expect(drawnIn(200)).toBe(0)
  window.dispatchEvent(new Event('keydown'))
  expect(drawnIn(IDLE_FRAMES - 1)).toBe(0)
  expect(drawnIn(11)).toBe(10)
  unmount()
  expect(drawnIn(10)).toBe(0)
})

it('turns only where it is seen', () => {
  const { unmount } = idleTorus()
  see(false)
  expect(drawnIn(10)).toBe(0)
  see(true)
  expect(drawnIn(10)).toBe(10)
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  expect(drawnIn(10)).toBe(0)
  unmount()
})

it('never turns under reduced motion, whenever that is chosen, and not in the middle of activity where it ends', () => {
  calm.matches = true
  const { unmount } = idleTorus()
  expect(drawnIn(10)).toBe(0)
  setCalm(false)
  expect(drawnIn(10)).toBe(10)
  setCalm(true)
  expect(drawnIn(10)).toBe(0)
  window.dispatchEvent(new Event('wheel'))
  setCalm(false)
  expect(drawnIn(IDLE_FRAMES - 1)).toBe(0)
  expect(drawnIn(11)).toBe(10)
  unmount()
})
