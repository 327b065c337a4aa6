const RANGE = /^(-?[\d.]+)\s*(?:\.\.|–|-|to)\s*(-?[\d.]+)(?:\s*(?:step|by)\s*([\d.]+))?$/
const MOST = 200

/** Values as they are typed, `5, 10, 20` or `5..50 step 5`; null where they cannot be read. */
export function valuesOf(text: string): number[] | null {
  const values: number[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue
    const range = RANGE.exec(part)
    if (range === null) values.push(Number(part))
    else {
      const [from, to, step] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)]
      if (!(step > 0) || !(to >= from) || (to - from) / step > MOST) return null
      // Without the dust of binary fractions.
      for (let k = 0; from + k * step <= to + 1e-9; k++) values.push(Number((from + k * step).toPrecision(12)))
    }
  }
  const isRead = values.length > 0 && values.length <= MOST && values.every(Number.isFinite)
  return isRead ? [...new Set(values)] : null
}
