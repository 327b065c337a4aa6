const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** `1,000.50`, `1 000` and `1 000,5`: groups of three, then a mark of another kind before the decimals. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}(?:(?: \d{3})+(?:[.,]\d*)?|(?:,\d{3})+\.\d*|(?:,\d{3}){2,}|(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/
/** `0,5`: a comma that cannot part thousands. */
const DECIMAL_COMMA = /^[+-]?(?:0?,\d+|\d+,(?:\d{1,2}|\d{4,}))$/

/**
 * What a person typed as a number: null where it is empty, NaN where it cannot be read or can be read in two ways, as
 * `1,125` can (1125 or 1.125).
 */
export function parseNumberText(text: string): number | null {
  const typed = text.trim().replace(/\s/g, ' ').replace('−', '-')
  if (typed === '') return null
  if (PLAIN.test(typed)) return finite(typed)
  if (DECIMAL_COMMA.test(typed)) return finite(typed.replace(',', '.'))
  if (!GROUPED.test(typed)) return Number.NaN
  const mark = typed.match(/[.,]/g)?.at(-1)
  const isDecimal = mark !== undefined && typed.indexOf(mark) === typed.lastIndexOf(mark)
  const [whole = '', decimals = ''] = isDecimal ? typed.split(mark) : [typed]
  return finite(`${whole.replace(/[ .,]/g, '')}.${decimals}`)
}

const finite = (text: string): number => {
  const value = Number(text)
  return Number.isFinite(value) ? value : Number.NaN
}

/** A number as it stands in a field: plain digits, no grouping, never an exponent that a person would not type. */
export function numberFieldText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return ''
  const text = String(value)
  return text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text
}
