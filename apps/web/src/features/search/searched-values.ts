const RANGE = /^(-?[\d.]+)\s*(?:to|–|\.\.)\s*(-?[\d.]+)(?:\s*by\s*([\d.]+))?$/
const MOST_VALUES = 200

/** Without the dust of binary fractions. */
const clean = (value: number): number => Number(value.toPrecision(12))

/** The values of a text such as `4 to 40 by 4` or `0, 2.5, 5`; in words what is wrong with it. */
export function readValues(text: string): readonly number[] | string {
  const range = RANGE.exec(text.trim())
  if (range !== null) {
    const [from, to, by] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)]
    if (![from, to, by].every(Number.isFinite)) return 'Write it like 4 to 40 by 4, or like 0, 2.5, 5'
    if (to < from) return 'The second value must be at least the first'
    if (by <= 0) return 'The step must be above 0'
    const count = Math.floor((to - from) / by + 1e-9) + 1
    if (count > MOST_VALUES) return `These are ${count} values; they must be at most ${MOST_VALUES}`
    return Array.from({ length: count }, (_, k) => clean(from + k * by))
  }
  const parts = text.split(',').map((part) => part.trim())
  const values = parts.map(Number)
  if (parts.includes('') || !values.every(Number.isFinite)) return 'Write it like 4 to 40 by 4, or like 0, 2.5, 5'
  if (new Set(values).size < values.length) return 'Give each value once'
  return values.length > MOST_VALUES ? `These are ${values.length} values; they must be at most ${MOST_VALUES}` : values
}

/** Values around one: from half of it to one and a half, in steps that are as round as it is. */
export function valuesAround(value: number): string {
  if (value === 0) return '0, 1, 2'
  const decimals = String(value).split('.')[1]?.length ?? 0
  const unit = 10 ** -decimals
  const by = Math.max(unit, clean(Math.round(value / 4 / unit) * unit))
  const from = Math.max(unit, clean(Math.round((value - 2 * by) / unit) * unit))
  return `${from} to ${clean(value + 2 * by)} by ${by}`
}
