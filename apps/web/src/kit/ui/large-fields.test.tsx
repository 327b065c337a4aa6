import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { DateField } from './large-fields.tsx'

const told = vi.fn()
// The calendar's code is large: where a machine is busy, a test would wait for it in vain.
beforeAll(() => import('./day-picker.tsx'))
beforeEach(() => told.mockClear())
afterEach(cleanup)

function From() {
  const [from, setFrom] = useState<number | null>(Date.UTC(2026, 9, 24))
  return (
    <DateField
      label="From"
      value={from}
      onChange={(day) => {
        told(day)
        setFrom(day)
      }}
    />
  )
}

const group = () => screen.getByRole('group', { name: 'From' })
const shown = () =>
  group()
    .textContent?.replace(/[^\w ]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
const type = async (text: string) => {
  const input = (await screen.findByRole('group', { name: 'From' }, { timeout: 10_000 })).parentElement?.querySelector(
    'input',
  )
  if (!input) throw new Error('the field has no input')
  fireEvent.change(input, { target: { value: text } })
}

it('takes a day, and none of the years that it goes over while one is typed', async () => {
  render(<From />)
  await type('25 Nov 0202')
  expect(told).not.toHaveBeenCalled()
  expect(shown()).toBe('25 Nov 0202')
  await type('25 Nov 2026')
  expect(told).toHaveBeenLastCalledWith(Date.UTC(2026, 10, 25))
})

it('shows the day that counts once it is left with one that there is not', async () => {
  render(<From />)
  await type('25 Nov 0202')
  fireEvent.blur(group())
  expect(shown()).toBe('24 Oct 2026')
  expect(told).not.toHaveBeenCalled()
})
