import { expect, it } from 'vitest'
import { commandOfKey } from './chart-keys.ts'
import { wheelSteps } from './wheel-steps.ts'

it('one notch of 100 px up is one step in', () => expect(wheelSteps(-100, 0)).toBe(1))
it('three lines down are about one step out', () => expect(wheelSteps(3, 1)).toBeCloseTo(-0.99))
it('a wild wheel goes no further than 4 steps', () => expect(wheelSteps(-99_999, 0)).toBe(4))

it('keys pan, zoom and reset; others stay with the page', () => {
  expect(commandOfKey('ArrowLeft', false)).toEqual({ kind: 'pan', spans: -0.1 })
  expect(commandOfKey('+', true)).toEqual({ kind: 'zoom', steps: 2 })
  expect(commandOfKey('-', false)).toEqual({ kind: 'zoom', steps: -2 })
  expect(commandOfKey('0', false)).toEqual({ kind: 'reset' })
  expect(commandOfKey('Tab', false)).toBeNull()
})
