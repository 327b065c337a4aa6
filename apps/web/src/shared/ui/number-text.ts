/** What a person typed as a number: null where it is empty or no number. */
export function parseNumberText(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : null
}

/** A number as it stands in a field: plain digits, no grouping, never an exponent that a person would not type. */
export function numberFieldText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return ''
  const text = String(value)
  return text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text
}
