import { expect, it, vi } from 'vitest'
import { busyPress } from './busy-press.ts'

it('takes presses while idle and none while busy, and is never disabled', () => {
  const press = vi.fn()
  busyPress(false, press).onClick()
  expect(press).toHaveBeenCalledTimes(1)
  const busy = busyPress(true, press)
  busy.onClick()
  expect(press).toHaveBeenCalledTimes(1)
  expect(busy).toMatchObject({ 'aria-disabled': true, className: 'Mui-disabled' })
  expect(busy).not.toHaveProperty('disabled')
})
