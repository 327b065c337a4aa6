/** A verdict of the service as a sentence: a capital first, a full stop last. */
export function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
