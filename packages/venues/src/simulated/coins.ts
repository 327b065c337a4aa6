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

const QUOTE = 'USDT'
const COINS: readonly SimulatedCoin[] = [
  { base: 'BTC', price: 60_000, decimals: 2, lotSize: 0.00001, beta: 1, ownSigma: 0.00018, volume: 18 },
  { base: 'ETH', price: 3_000, decimals: 2, lotSize: 0.0001, beta: 1.12, ownSigma: 0.00032, volume: 220 },
  { base: 'ADA', price: 0.5, decimals: 4, lotSize: 0.1, beta: 1.2, ownSigma: 0.0006, volume: 90_000 },
  { base: 'SOL', price: 140, decimals: 2, lotSize: 0.001, beta: 1.35, ownSigma: 0.0007, volume: 2_600 },
  { base: 'DOT', price: 6, decimals: 3, lotSize: 0.01, beta: 1.2, ownSigma: 0.00058, volume: 9_000 },
  { base: 'LINK', price: 15, decimals: 2, lotSize: 0.01, beta: 1.2, ownSigma: 0.0006, volume: 4_500 },
  { base: 'LTC', price: 80, decimals: 2, lotSize: 0.001, beta: 1, ownSigma: 0.00055, volume: 900 },
  { base: 'AVAX', price: 30, decimals: 2, lotSize: 0.01, beta: 1.35, ownSigma: 0.00072, volume: 2_400 },
  { base: 'MATIC', price: 0.6, decimals: 4, lotSize: 0.1, beta: 1.25, ownSigma: 0.0007, volume: 70_000 },
  { base: 'UNI', price: 8, decimals: 3, lotSize: 0.01, beta: 1.2, ownSigma: 0.00068, volume: 4_000 },
  { base: 'XRP', price: 0.6, decimals: 4, lotSize: 0.1, beta: 1, ownSigma: 0.00062, volume: 160_000 },
  { base: 'DOGE', price: 0.12, decimals: 5, lotSize: 1, beta: 1.3, ownSigma: 0.0008, volume: 900_000 },
  { base: 'BNB', price: 500, decimals: 1, lotSize: 0.001, beta: 0.9, ownSigma: 0.0004, volume: 90 },
  { base: 'ATOM', price: 8, decimals: 3, lotSize: 0.01, beta: 1.15, ownSigma: 0.00062, volume: 3_500 },
]

/** The coins of the simulated market by their symbol. */
export const SIMULATED_COINS: ReadonlyMap<string, SimulatedCoin> = new Map(COINS.map((c) => [c.base + QUOTE, c]))

export const SIMULATED_QUOTE = QUOTE
/** Smallest order value of every market, in USDT. */
export const SIMULATED_MIN_NOTIONAL = 5
