import type { Page } from '@playwright/test'

/** What a finger needs in each direction, px: WCAG 2.5.5. */
const LEAST_PX = 44

/**
 * The controls of a page that a finger hits in less than 44 px of height around their middle, each with that height.
 * It asks the page what lies at each pixel, so that areas larger than their boxes count and covered ones do not.
 * Links inside a sentence may be as low as their line.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((leastPx) => {
    const controls = 'a[href], button, input, textarea, summary, [role=button], [role=combobox], [role=menuitem]'
    const isOff =
      ':disabled, [aria-disabled=true], [tabindex="-1"], [aria-hidden=true], [aria-hidden=true] *, [inert] *'
    const found: string[] = []
    // What lies below an open dialog is out of reach.
    const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
    for (const control of within.querySelectorAll<HTMLElement>(controls)) {
      const isInSentence =
        control.tagName === 'A' &&
        [...(control.parentElement?.childNodes ?? [])].some((one) => one.nodeName === '#text')
      const isSkipLink = control.getAttribute('href')?.startsWith('#') === true
      if (isInSentence || isSkipLink || control.matches(isOff) || !control.checkVisibility()) continue
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = control.getBoundingClientRect()
      // A press on the label, or on the edge of a field, reaches what is in it as well.
      const areas = [control, control.closest('label'), control.closest('[data-input], .MuiInputBase-root')]
      const isHit = (y: number) => {
        const there = document.elementFromPoint(left + width / 2, y)
        return there !== null && areas.some((area) => area?.contains(there))
      }
      const middle = top + height / 2
      let [above, below] = [0, 0]
      while (above < leastPx && isHit(middle - above)) above++
      while (below < leastPx && isHit(middle + below)) below++
      const name = control.ariaLabel ?? control.textContent ?? ''
      if (above + below - 1 < leastPx) found.push(`${above + below - 1} px: ${control.tagName} ${name.slice(0, 60)}`)
    }
    return found
  }, LEAST_PX)
