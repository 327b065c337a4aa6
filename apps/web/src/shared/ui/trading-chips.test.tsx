// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { colors } from '../theme/tokens.ts'
import { SignalChip } from './trading-chips.tsx'

it.each([
  ['BUY', colors.up],
  ['SELL', colors.down],
  ['HOLD', colors.warn],
] as const)('the chip of %s has its colour', (signal, color) => {
  render(<SignalChip signal={signal} />)
  const chip = screen.getByText(signal).parentElement!
  expect(getComputedStyle(chip).color.toUpperCase()).toBe(color)
})
