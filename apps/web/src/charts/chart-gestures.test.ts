// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { attachChartGestures } from './chart-gestures.ts'

const at = (x: number, y: number) => ({ clientX: x, clientY: y, pointerId: 1, button: 0 })

it('the wheel zooms around the pointer, dragging pans in time and price, a double click resets', () => {
  const view = {
    spanCandles: 100,
    candlesOfPx: (px: number) => px / 10,
    zoomAtPx: vi.fn(),
    zoomAtMiddle: vi.fn(),
    pan: vi.fn(),
    panPrice: vi.fn(),
    reset: vi.fn(),
    apply: vi.fn(),
  }
  const element = document.createElement('div')
  const detach = attachChartGestures(element, view)
  element.dispatchEvent(Object.assign(new Event('wheel'), { deltaX: 0, deltaY: -100, deltaMode: 0, clientX: 250 }))
  expect(view.zoomAtPx.mock.calls).toEqual([[250, 1]])
  element.dispatchEvent(new PointerEvent('pointerdown', at(300, 50)))
  window.dispatchEvent(new PointerEvent('pointermove', at(350, 55)))
  expect(view.pan.mock.calls).toEqual([[-5]])
  expect(view.panPrice).not.toHaveBeenCalled()
  // From 14 px on the hand means the prices too.
  window.dispatchEvent(new PointerEvent('pointermove', at(350, 75)))
  window.dispatchEvent(new PointerEvent('pointermove', at(350, 95)))
  expect(view.panPrice.mock.calls).toEqual([[20]])
  window.dispatchEvent(new PointerEvent('pointerup', at(350, 95)))
  window.dispatchEvent(new PointerEvent('pointermove', at(400, 95)))
  expect(view.pan).toHaveBeenCalledTimes(3)
  element.dispatchEvent(new MouseEvent('dblclick'))
  expect(view.reset).toHaveBeenCalledTimes(1)
  detach()
  element.dispatchEvent(new MouseEvent('dblclick'))
  expect(view.reset).toHaveBeenCalledTimes(1)
})
