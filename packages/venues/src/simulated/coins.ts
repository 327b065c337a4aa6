/** What the simulated market knows of a coin. Prices and volumes are of the made-up market, in no way forecasts. */
export interface SimulatedCoin {
  readonly base: string
  /** Around which the price moves, in USDT. */
  readonly price: number
  /** Decimals of the price; the tick is 10^-decimals. */
  readonly decimals: number
  /** Smallest quantity step, in base. */
  readonly lotSize: number
  /** How many percent it moves, on average, when the market moves by one. */
  readonly beta: number
  /** Standard deviation of its own log return over one minute, beside the market's. */
  readonly ownSigma: number
  /** Average volume of a minute, in base. */
  readonly volume: number
}

const coin = (
  base: string,
  price: number,
  decimals: number,
  lotSize: number,
  beta: number,
  ownSigma: number,
  volume: number,
): SimulatedCoin => ({ base, price, decimals, lotSize, beta, ownSigma, volume })

const QUOTE = 'USDT'
const COINS = [
  coin('BTC', 60_000, 2, 0.00001, 1, 0.00018, 18),
  coin('ETH', 3_000, 2, 0.0001, 1.12, 0.00032, 220),
  coin('ADA', 0.5, 4, 0.1, 1.2, 0.0006, 90_000),
  coin('SOL', 140, 2, 0.001, 1.35, 0.0007, 2_600),
  coin('DOT', 6, 3, 0.01, 1.2, 0.00058, 9_000),
  coin('LINK', 15, 2, 0.01, 1.2, 0.0006, 4_500),
  coin('LTC', 80, 2, 0.001, 1, 0.00055, 900),
  coin('AVAX', 30, 2, 0.01, 1.35, 0.00072, 2_400),
  coin('MATIC', 0.6, 4, 0.1, 1.25, 0.0007, 70_000),
  coin('UNI', 8, 3, 0.01, 1.2, 0.00068, 4_000),
  coin('XRP', 0.6, 4, 0.1, 1, 0.00062, 160_000),
  coin('DOGE', 0.12, 5, 1, 1.3, 0.0008, 900_000),
  coin('BNB', 500, 1, 0.001, 0.9, 0.0004, 90),
  coin('ATOM', 8, 3, 0.01, 1.15, 0.00062, 3_500),
] as const

/** The coins of the simulated market by their symbol. */
export const SIMULATED_COINS: ReadonlyMap<string, SimulatedCoin> = new Map(COINS.map((c) => [c.base + QUOTE, c]))

export const SIMULATED_QUOTE = QUOTE
/** Smallest order value of every market, in USDT. */
export const SIMULATED_MIN_NOTIONAL = 5
