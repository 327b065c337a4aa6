import { expect, it, vi } from 'vitest'
import { busyButton } from './button.tsx'

it('takes presses while idle and none while busy, and is never disabled', () => {
  const press = vi.fn()
  const event = { preventDefault: vi.fn() }
  busyButton(false, press).onClick(event)
  expect(press).toHaveBeenCalledTimes(1)
  const busy = busyButton(true, press)
  busy.onClick(event)
  expect(press).toHaveBeenCalledTimes(1)
  expect(busy).toMatchObject({ 'aria-disabled': true })
  expect(busy).not.toHaveProperty('disabled')
})

it('sends its form while idle, and not a second time while busy', () => {
  const event = { preventDefault: vi.fn() }
  busyButton(false).onClick(event)
  expect(event.preventDefault).not.toHaveBeenCalled()
  busyButton(true).onClick(event)
  expect(event.preventDefault).toHaveBeenCalledTimes(1)
})
