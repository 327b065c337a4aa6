const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const word = (value: unknown): string =>
  value === undefined || value === null ? '—' : typeof value === 'string' ? value : JSON.stringify(value)

/** What changed, in a line: 'role: user → admin'. What was only made, or only removed, is listed with its values. */
export function changeWords(before: unknown, after: unknown): string {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((key) => word(was[key]) !== word(is[key]))
    .map((key) => (isRecord(before) ? `${key}: ${word(was[key])} → ${word(is[key])}` : `${key}: ${word(is[key])}`))
    .join(', ')
}
