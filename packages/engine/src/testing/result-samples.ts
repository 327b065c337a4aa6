import type { Random } from '../random.ts'

/** Results drawn from a distribution whose figures are known: for tests and measurements of intervals. */
export interface ResultSample {
  readonly mean: number
  /** Mean over deviation. */
  readonly sharpe: number
  readonly logProfitFactor: number
  draw(n: number, random: Random): Float64Array
}

const MEAN = 0.1

/** E[max(x, 0)] and E[max(−x, 0)] of MEAN + y, where y has `density`. */
function logProfitFactor(density: (y: number) => number): number {
  const step = 1e-3
  let [won, lost] = [0, 0]
  for (let y = -200 + step / 2; y < 200; y += step) {
    const x = MEAN + y
    if (x > 0) won += x * density(y)
    else lost -= x * density(y)
  }
  return Math.log(won / lost)
}

const normalDensity = (y: number): number => Math.exp((-y * y) / 2) / Math.sqrt(2 * Math.PI)
/** Student's t of three degrees of freedom, of deviation 1. */
const t3Density = (y: number): number => 2 / (Math.PI * (1 + y * y) ** 2)

const ofNormal = (draw: ResultSample['draw']): ResultSample => ({
  mean: MEAN,
  sharpe: MEAN,
  logProfitFactor: logProfitFactor(normalDensity),
  draw,
})

/** Normal, each resembling the one before by `rho`. */
const autoregressive = (rho: number): ResultSample =>
  ofNormal((n, random) => {
    let y = random.normal()
    return Float64Array.from({ length: n }, () => {
      y = rho * y + Math.sqrt(1 - rho * rho) * random.normal()
      return MEAN + y
    })
  })

const exponential = (random: Random): number => -Math.log(1 - random.next())

/** Wins of `share`, of a mean of `win`; losses of a mean of `loss`; both exponential. */
function winsAndLosses(share: number, win: number, loss: number): ResultSample {
  const [won, lost] = [share * win, (1 - share) * loss]
  const square = 2 * (share * win * win + (1 - share) * loss * loss)
  return {
    mean: won - lost,
    sharpe: (won - lost) / Math.sqrt(square - (won - lost) ** 2),
    logProfitFactor: Math.log(won / lost),
    draw: (n, random) =>
      Float64Array.from({ length: n }, () =>
        random.next() < share ? win * exponential(random) : -loss * exponential(random),
      ),
  }
}

/** Calm and wild stretches: variance 0.05 + 0.1·y² + 0.85·variance, in the long run 1. */
function garch(n: number, random: Random): Float64Array {
  let variance = 1
  let y = 0
  const next = (): number => {
    variance = 0.05 + 0.1 * y * y + 0.85 * variance
    y = Math.sqrt(variance) * random.normal()
    return MEAN + y
  }
  for (let i = 0; i < 200; i++) next()
  return Float64Array.from({ length: n }, next)
}

/** The log profit factor of GARCH is that of ten million draws, ± 0.001. */
export const RESULT_SAMPLES = {
  normal: ofNormal((n, random) => Float64Array.from({ length: n }, () => MEAN + random.normal())),
  t3: {
    mean: MEAN,
    sharpe: MEAN,
    logProfitFactor: logProfitFactor(t3Density),
    draw: (n, random) =>
      Float64Array.from({ length: n }, () => {
        const chi = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2
        return MEAN + random.normal() / Math.sqrt(chi)
      }),
  },
  'few large wins': winsAndLosses(0.1, 10, 1),
  'AR 0.3': autoregressive(0.3),
  'AR 0.6': autoregressive(0.6),
  GARCH: { mean: MEAN, sharpe: MEAN, logProfitFactor: 0.2564, draw: garch },
  '95% small wins': winsAndLosses(0.95, 1, 20),
} as const satisfies Record<string, ResultSample>
