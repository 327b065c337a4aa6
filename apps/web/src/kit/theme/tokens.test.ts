import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plain } from './scheme.ts'
import { chartColors, colors, TINT, tint } from './tokens.ts'

/** The variables of tokens.css: first of the dark scheme, then of the light one. */
const schemes = [...readFileSync(new URL('tokens.css', import.meta.url), 'utf8').matchAll(/:root.*?\{(.*?)\}/gs)].map(
  ([, rules]) => new Map([...rules!.matchAll(/(--[\w-]+): (.*?);/g)].map(([, name, value]) => [name!, value!])),
)
const [dark, light] = schemes as [Map<string, string>, Map<string, string>]

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

it('both schemes have a value for each token, and no other', () => {
  const named = [...Object.values(colors), ...Object.values(chartColors), ...Object.values(TINT)]
  for (const token of named) expect([...dark.keys()], token).toContain(token.slice(4, -1))
  expect([...light.keys()]).toEqual([...dark.keys()])
})

it('a canvas gets a token as its hex value and a tint of it with its opacity', () => {
  const read = (name: string) => dark.get(name) ?? ''
  expect(plain(colors.accent, read)).toBe('#6fb7ff')
  expect(plain(tint(colors.accent, 0.045), read)).toBe('rgba(111, 183, 255, 0.045)')
  expect(plain('transparent', read)).toBe('transparent')
})

describe.each([
  ['dark', dark],
  ['light', light],
] as const)('the %s tokens', (_, values) => {
  const hex = (token: string) => plain(token, (name) => values.get(name) ?? '')

  it.each(['text', 'text2', 'text3', 'accent', 'accentHi', 'up', 'down', 'warn', 'orange'] as const)(
    'keep 4.5 to 1 for %s on each ground that text stands on',
    (name) => {
      for (const ground of ['bg', 'surface', 'well', 'raised'] as const)
        expect(contrast(hex(colors[name]), hex(colors[ground]))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('keep 4.5 to 1 for text on the accent', () => {
    expect(contrast(hex(colors.onAccent), hex(colors.accent))).toBeGreaterThanOrEqual(4.5)
  })
})
