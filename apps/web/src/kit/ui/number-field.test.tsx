import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { NumberField } from './number-field.tsx'

const told = vi.fn()

afterEach(cleanup)

function Size() {
  const [size, setSize] = useState<number | null>(0.015)
  told(size)
  return <NumberField label="Size" value={size} onChange={setSize} min={0} max={1} step={0.01} unit="BTC" />
}

function type(text: string) {
  const field = screen.getByLabelText<HTMLInputElement>('Size')
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value: text } })
  return field
}

it('reads a decimal comma as one, and shows what it read once it is left', () => {
  render(<Size />)
  const field = type('0,5')
  expect(told).toHaveBeenLastCalledWith(0.5)
  expect(field.value).toBe('0,5')
  fireEvent.blur(field)
  expect(field.value).toBe('0.5')
})

it('keeps a text that can be read in two ways, and says how to write it', () => {
  render(<Size />)
  const field = type('1,125')
  expect(told).toHaveBeenLastCalledWith(Number.NaN)
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(field)
  expect(field.value).toBe('1,125')
  expect(screen.getByRole('alert').textContent).toBe('Write the number like 1000.5, without commas')
  type('1.125')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('goes by its step with the arrow keys, and not beyond its ends', () => {
  render(<Size />)
  const field = type('0.06')
  fireEvent.keyDown(field, { key: 'ArrowUp' })
  expect(field.value).toBe('0.07')
  type('0.995')
  fireEvent.keyDown(field, { key: 'ArrowUp' })
  expect(field.value).toBe('1')
  type('0')
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  expect(field.value).toBe('0')
})
