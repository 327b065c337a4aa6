import { expect, it } from 'vitest'
import { commandOfKey } from './chart-keys.ts'

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
