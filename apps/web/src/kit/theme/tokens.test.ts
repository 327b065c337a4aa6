import { describe, expect, it } from 'vitest'
import { darkColors } from './dark-tokens.ts'
import { lightColors } from './light-tokens.ts'

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16)
  const channels = [value >> 16, (value >> 8) & 255, value & 255].map((channel) => {
    const share = channel / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * channels[0]! + 0.7152 * channels[1]! + 0.0722 * channels[2]!
}
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

describe.each([
  ['dark', darkColors],
  ['light', lightColors],
] as const)('the %s tokens', (_, tokens) => {
  it.each(['text', 'text2', 'text3', 'accent', 'accentHi', 'up', 'down', 'warn', 'orange'] as const)(
    'keep 4.5 to 1 for %s on each ground that text stands on',
    (name) => {
      for (const ground of ['bg', 'surface', 'well', 'raised'] as const)
        expect(contrast(tokens[name], tokens[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('keep 4.5 to 1 for text on the accent', () => {
    expect(contrast(tokens.onAccent, tokens.accent)).toBeGreaterThanOrEqual(4.5)
  })
})
