/** A seeded stream of random numbers: the same seed gives the same stream on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Standard normal. */
  normal(): number
  /** Uniform integer in [0, n). */
  below(n: number): number
}

/** sfc32 (C. Doty-Humphrey, PractRand), seeded by splitmix32 so that near seeds give unrelated streams. */
export function createRandom(seed: number): Random {
  let s = seed | 0
  const splitmix = (): number => {
    s = (s + 0x9e3779b9) | 0
    let z = s
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let a = splitmix()
  let b = splitmix()
  let c = splitmix()
  let counter = 1
  let spare = Number.NaN

  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return (t >>> 0) / 4_294_967_296
  }
  for (let i = 0; i < 12; i++) next()

  return {
    next,
    // Marsaglia's polar method: pairs of independent normals.
    normal() {
      if (!Number.isNaN(spare)) {
        const value = spare
        spare = Number.NaN
        return value
      }
      for (;;) {
        const u = 2 * next() - 1
        const v = 2 * next() - 1
        const r = u * u + v * v
        if (r > 0 && r < 1) {
          const scale = Math.sqrt((-2 * Math.log(r)) / r)
          spare = v * scale
          return u * scale
        }
      }
    },
    below: (n) => Math.floor(next() * n),
  }
}
