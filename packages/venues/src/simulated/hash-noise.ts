/** A mixing function of 32 bits (C. Wellons, "Prospecting for hash functions", 2018: lowbias32). */
export function mix32(value: number): number {
  let x = value
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}

/** The number of a stream of noise: of a seed and a name. */
export function streamOf(seed: number, name: string): number {
  let h = mix32(seed ^ 0x9e3779b9)
  for (let i = 0; i < name.length; i++) h = mix32(h ^ name.charCodeAt(i))
  return h
}

/** Noise of 32 bits at a place of a stream: `index` below 2^26 (minutes up to the year 2097) on `level` below 32. */
export const noiseAt = (stream: number, level: number, index: number): number =>
  mix32(mix32((level * 0x4000000 + index) ^ stream) + stream)

/** Uniform in (0, 1) out of the bits of `noise`. */
export const uniformOf = (noise: number): number => ((noise >>> 0) + 0.5) / 4_294_967_296

const IRWIN_HALL_SD = 65_536 / Math.sqrt(3)

/** Nearly normal, mean 0 and standard deviation 1: the sum of four uniforms out of `noise` (Irwin–Hall, n = 4). */
export function normalOf(noise: number): number {
  const more = mix32(noise + 0x6a09e667)
  const sum = (noise & 0xffff) + (noise >>> 16) + (more & 0xffff) + (more >>> 16)
  return (sum - 131_070) / IRWIN_HALL_SD
}
