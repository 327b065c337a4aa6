/** Which of the two sets of tokens the page is drawn with. */
export type Scheme = 'dark' | 'light'

/** Where a person's choice is kept. public/scheme.js reads it before the first paint. */
export const SCHEME_KEY = 'theme'

/** The scheme of this page: what was chosen when it was loaded. Storage may be closed to the page. */
export const scheme: Scheme = chosenScheme()

function chosenScheme(): Scheme {
  try {
    return window.localStorage.getItem(SCHEME_KEY) === 'light' ? 'light' : 'dark'
  } catch {
    return 'dark'
  }
}

/** Lets the browser draw what is its own, such as scroll bars, in a scheme. */
export function showScheme(shown: Scheme): void {
  document.documentElement.dataset.theme = shown
}

/**
 * Keeps the choice and loads the page again: colours are read once, so that no component and no chart has to follow
 * them.
 */
export function chooseScheme(next: Scheme): void {
  window.localStorage.setItem(SCHEME_KEY, next)
  window.location.reload()
}
