import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { SignalChip } from './trading-chips.tsx'

afterEach(cleanup)

it.each([
  ['BUY', '_up_'],
  ['SELL', '_down_'],
  ['HOLD', '_warn_'],
] as const)('the chip of %s has its colour', (signal, colour) => {
  render(<SignalChip signal={signal} />)
  expect(screen.getByText(signal).parentElement!.className).toContain(colour)
})

it('the chip of a BUY that is not worth its costs is not green', () => {
  render(<SignalChip signal="BUY" isQuiet />)
  const { className } = screen.getByText('BUY').parentElement!
  expect(className).toContain('_outline_')
  expect(className).not.toContain('_up_')
})
