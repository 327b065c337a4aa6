import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { painted } from '#kit/theme/painted.ts'
import { colors } from '#kit/theme/tokens.ts'
import '../../testing/tokens.ts'
import { SignalChip } from './trading-chips.tsx'

afterEach(cleanup)

it.each([
  ['BUY', colors.up],
  ['SELL', colors.down],
  ['HOLD', colors.warn],
] as const)('the chip of %s has its colour', (signal, color) => {
  render(<SignalChip signal={signal} />)
  const chip = screen.getByText(signal).parentElement!
  expect(getComputedStyle(chip).color).toBe(painted(color))
})

it('the chip of a BUY that is not worth its costs is not green', () => {
  const { getByText } = render(<SignalChip signal="BUY" isQuiet />)
  const chip = getByText('BUY').parentElement!
  expect(getComputedStyle(chip).color).toBe(painted(colors.text2))
})
