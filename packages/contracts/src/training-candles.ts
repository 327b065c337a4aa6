/** Rows before the first forecast: the longest input (returns 96 candles back and their means) is known from here on. */
export const WARMUP_CANDLES = 99
/** The newest candles, kept apart: neither trained nor tuned on, only judged by. */
export const HOLDOUT_CANDLES = 400
/** Candles ahead that are forecast: 1 … HORIZONS. */
export const HORIZONS = 8
/** Rows to learn and to validate on, below which nothing is trained. */
export const MINIMUM_ROWS = 600
/** More candles are not trained on at a time. */
export const MOST_CANDLES = 100_000
/** Of them, by a number instead of a range. */
export const MOST_BY_LIMIT = 5_000
/** Candles in a window, where nothing else is asked for. */
export const DEFAULT_LOOKBACK = 30

/** How many candles without long gaps a training needs: warm-up, window, horizons, the fewest rows, and the hold-out. */
export const candlesNeeded = (lookback: number = DEFAULT_LOOKBACK): number =>
  WARMUP_CANDLES + lookback + HORIZONS + MINIMUM_ROWS + HOLDOUT_CANDLES
