import { formatCount } from '#kit/format/number.ts'

/** Whether a number field is empty, or outside of what it takes. */
export const outside = (value: number | null, least: number, most: number) =>
  value === null || !(value >= least && value <= most)

/** What is wrong with an amount; `tooLittle` says what it is at least, or what else it takes. */
export const wrongAmount = (
  value: number | null,
  least: number,
  most: number,
  tooLittle: string,
): string | undefined =>
  value !== null && value > most
    ? `Must be at most ${formatCount(most)}`
    : outside(value, least, most)
      ? tooLittle
      : undefined
