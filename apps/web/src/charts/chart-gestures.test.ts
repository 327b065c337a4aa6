import { expect, it, vi } from 'vitest'
import { attachChartGestures, commandOfKey, wheelSteps } from './chart-gestures.ts'

// @vitest-environment happy-dom

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

it('arrows pan by a tenth of what is seen, with Shift by half', () => {
  expect(commandOfKey('ArrowLeft', false)).toEqual({ kind: 'pan', spans: -0.1 })
  expect(commandOfKey('ArrowRight', true)).toEqual({ kind: 'pan', spans: 0.5 })
})
it('up looks at higher prices: what is drawn moves down', () => {
  expect(commandOfKey('ArrowUp', false)).toEqual({ kind: 'pan_price', px: 12 })
  expect(commandOfKey('ArrowDown', false)).toEqual({ kind: 'pan_price', px: -12 })
})
it('plus and either minus zoom, 0 resets, other keys are not the chart’s', () => {
  expect(commandOfKey('+', true)).toEqual({ kind: 'zoom', steps: 2 })
  expect(commandOfKey('-', false)).toEqual({ kind: 'zoom', steps: -2 })
  expect(commandOfKey('−', false)).toEqual({ kind: 'zoom', steps: -2 })
  expect(commandOfKey('0', false)).toEqual({ kind: 'reset' })
  expect(commandOfKey('Tab', false)).toBeNull()
})

it('one notch of 100 px up is one step in', () => expect(wheelSteps(-100, 0)).toBe(1))
it('three lines down are about one step out', () => expect(wheelSteps(3, 1)).toBeCloseTo(-0.99))
it('a wild wheel goes no further than 4 steps', () => expect(wheelSteps(-99_999, 0)).toBe(4))
