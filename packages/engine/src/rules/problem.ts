/** What is wrong with a rule, and where. */
export class RuleProblem extends Error {
  override readonly name = 'RuleProblem'
  /** Of the text: characters before it, and how many it is about; null of blocks. */
  readonly place: { readonly offset: number; readonly length: number } | null
  /** What may have been meant. */
  readonly suggestion: string | null

  constructor(message: string, place: RuleProblem['place'] = null, suggestion: string | null = null) {
    super(message)
    this.place = place
    this.suggestion = suggestion
  }
}

/** A problem at a place of a text, which its message names. */
export function problemAt(
  text: string,
  place: { readonly offset: number; readonly length: number },
  what: string,
  suggestion: string | null = null,
): RuleProblem {
  const before = text.slice(0, place.offset).split('\n')
  const where = `Line ${before.length}, column ${before.at(-1)!.length + 1}`
  const hint = suggestion === null ? '' : ` Did you mean ${suggestion}?`
  return new RuleProblem(`${where}: ${what}.${hint}`, place, suggestion)
}

/** Longer ones are no slip of the finger, and take long to compare. */
const LONGEST_WORD = 30

/** A word as errors show it. */
export const shownWord = (word: string): string =>
  `‘${word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word}’`

/** The known word that is a slip or two of the finger away; null where none is. */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  if (word.length > LONGEST_WORD) return null
  let nearest: string | null = null
  let least = word.length < 4 ? 2 : 3
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate)
    if (distance >= least) continue
    least = distance
    nearest = candidate
  }
  return nearest
}

/** Levenshtein's distance of two short words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let k = 1; k <= b.length; k++)
      next.push(Math.min(row[k]! + 1, next[k - 1]! + 1, row[k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
