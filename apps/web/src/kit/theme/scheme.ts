import { storedChoice } from '../stored-choice.ts'

/** Which of the two sets of tokens the page is drawn with. */
export const SCHEMES = ['dark', 'light'] as const
export type Scheme = (typeof SCHEMES)[number]

/** A person's choice; public/scheme.js reads it before the first paint. */
const scheme = storedChoice<Scheme>('theme', SCHEMES)

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
