const MOST_POINTS = 500

export const rounded = (value: number): number => Number(value.toPrecision(6))

/** Indices at even steps by which a curve of so many values is drawn, with the last one and those of `also`. */
export function curveIndices(length: number, ...also: number[]): number[] {
  const every = Math.ceil(length / MOST_POINTS)
  return [...new Array(length).keys()].filter((i) => i % every === 0 || i === length - 1 || also.includes(i))
}
