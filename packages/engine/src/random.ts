/** A seeded stream of random numbers: the same seed gives the same stream on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Standard normal. */
  normal(): number
  /** Uniform integer in [0, n). */
  below(n: number): number
  /** Fills with what as many calls of `below(n)` would give, in a fraction of their time. */
  fillBelow(into: Int32Array, n: number): void
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
    c = (((c << 21) | (c >>> 11)) + t) | 0
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
    // As `next`, with the state in variables of its own, which the compiler keeps in registers.
    fillBelow(into, n) {
      let [p, q, r, count] = [a, b, c, counter]
      for (let i = 0; i < into.length; i++) {
        const t = (((p + q) | 0) + count) | 0
        count = (count + 1) | 0
        p = q ^ (q >>> 9)
        q = (r + (r << 3)) | 0
        r = (((r << 21) | (r >>> 11)) + t) | 0
        into[i] = ((t >>> 0) / 4_294_967_296) * n
      }
      ;[a, b, c, counter] = [p, q, r, count]
    },
  }
}
