/** Which of the two sets of tokens the page is drawn with. */
export type Scheme = 'dark' | 'light'

/** Where a person's choice is kept. public/scheme.js reads it before the first paint. */
export const SCHEME_KEY = 'theme'

/** The scheme of this page: what stood on its root element when it was loaded. */
export const scheme: Scheme =
  typeof document !== 'undefined' && document.documentElement.dataset.theme === 'light' ? 'light' : 'dark'

/**
 * Keeps the choice and loads the page again: colours are read once, so that no component and no chart has to follow
 * them.
 */
export function chooseScheme(next: Scheme): void {
  window.localStorage.setItem(SCHEME_KEY, next)
  window.location.reload()
}
