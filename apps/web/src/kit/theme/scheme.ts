import { keptChoice } from '../kept.ts'

/** Which of the two sets of tokens the page is drawn with. */
export const SCHEMES = ['dark', 'light'] as const
export type Scheme = (typeof SCHEMES)[number]

/** A person's choice; public/scheme.js reads it before the first paint. */
const scheme = keptChoice<Scheme>('theme', SCHEMES)

export const useScheme = scheme.use

/** Draws the page with the tokens of a scheme: those of the choice, where none is named. */
export function showScheme(shown: Scheme = scheme.read()): void {
  document.documentElement.dataset.theme = shown
}

export function chooseScheme(next: Scheme): void {
  // Before those are told who read the colours of now.
  showScheme(next)
  scheme.choose(next)
}

/** A token, or a tint of one: `var(--up)`, `color-mix(in srgb, var(--up) 13%, transparent)`. */
const TOKEN = /^(?:color-mix\(in srgb, )?var\((--[\w-]+)\)(?: ([\d.]+)%, transparent\))?$/

/**
 * `look` with every token in it as the plain colour that it is in the scheme of now: canvases and the chart library take
 * no variables.
 */
export function painted<Look>(look: Look): Look {
  const values = window.getComputedStyle(document.documentElement)
  const paint = (part: unknown): unknown => {
    if (typeof part === 'string') return plain(part, (name) => values.getPropertyValue(name).trim())
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, paint(value)]))
  }
  return paint(look) as Look
}

/** `#rrggbb`, or `rgba()` of a tint; what is no token stays. */
export function plain(color: string, readToken: (name: string) => string): string {
  const [, name, pct] = TOKEN.exec(color) ?? []
  const hex = name === undefined ? '' : readToken(name)
  if (hex === '') return color
  if (pct === undefined) return hex
  const value = Number.parseInt(hex.slice(1), 16)
  return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${Number(pct) / 100})`
}
