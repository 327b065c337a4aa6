import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { paintShape } from './shape-painter.ts'
import { ShapeScene } from './shape-scene.tsx'

vi.mock('./shape-painter.ts', () => ({ paintShape: vi.fn() }))
const calm = Object.assign(new EventTarget(), { matches: false })

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(window, 'matchMedia').mockReturnValue(calm as unknown as MediaQueryList)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ setTransform() {} } as never)
})
afterEach(() => {
  calm.matches = false
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Frames that the browser is asked for, and that are painted, in so many ms. */
function framesIn(ms: number): { asked: number; painted: number } {
  const asked = vi.spyOn(window, 'requestAnimationFrame')
  asked.mockClear()
  vi.mocked(paintShape).mockClear()
  vi.advanceTimersByTime(ms)
  return { asked: asked.mock.calls.length, painted: vi.mocked(paintShape).mock.calls.length }
}

it('asks for every frame of its drawing, and for few of its drift', () => {
  const { unmount } = render(<ShapeScene />)
  expect(framesIn(2_000).painted).toBeGreaterThan(100)
  vi.advanceTimersByTime(1_000)
  const drift = framesIn(1_000)
  expect(drift.painted).toBeGreaterThan(10)
  expect(drift.painted).toBeLessThan(25)
  expect(drift.asked).toBeLessThan(25)
  unmount()
  expect(framesIn(1_000)).toEqual({ asked: 0, painted: 0 })
})

it('asks for none under reduced motion', () => {
  calm.matches = true
  render(<ShapeScene />)
  expect(framesIn(3_000)).toEqual({ asked: 0, painted: 0 })
})
