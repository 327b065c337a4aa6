/** What a rule did with all the money on daily candles of BTCUSDT, costs included; percent. */
export interface LibraryFigures {
  readonly totalReturnPct: number
  /** 0 or above. */
  readonly maxDrawdownPct: number
  readonly trades: number
  /** Share of the time that it held something. */
  readonly investedPct: number
  /** Beside random entries, on the same sides and held as long; null of fewer than 30 trades. */
  readonly p: number | null
}

/** The stretch of the figures, and what holding did over it: `node bench/rule-library.ts`, held to it by a test. */
export const LIBRARY_STRETCH = {
  symbol: 'BTCUSDT',
  timeframe: '1d',
  from: '2018-09-01',
  to: '2024-04-21',
  holdPct: 826,
} as const

/** A rule that somebody has published, and what it did. */
export interface PublishedRule {
  readonly id: string
  readonly name: string
  /** Who published it, and where ours is not theirs. */
  readonly source: string
  readonly text: string
  readonly did: LibraryFigures
}

const did = (
  totalReturnPct: number,
  maxDrawdownPct: number,
  trades: number,
  investedPct: number,
  p: number | null = null,
): LibraryFigures => ({ totalReturnPct, maxDrawdownPct, trades, investedPct, p })

/** Twelve of them, of daily candles, long only. What they did: docs/rules.md. */
export const RULE_LIBRARY: readonly PublishedRule[] = [
  {
    id: 'average_200_days',
    name: '200-day average',
    source:
      'Faber, A Quantitative Approach to Tactical Asset Allocation, Journal of Wealth Management 9 (2007); he looks once a month.',
    text: 'enter: close > sma(200)\nexit: close < sma(200)',
    did: did(1024, 60, 18, 55),
  },
  {
    id: 'golden_cross',
    name: 'Golden cross',
    source:
      'Without one author; Brock, Lakonishok and LeBaron, Journal of Finance 47 (1992), tested rules of this kind on the Dow.',
    text: 'enter: sma(50) crosses above sma(200)\nexit: sma(50) crosses below sma(200)',
    did: did(728, 64, 5, 55),
  },
  {
    id: 'turtle_20',
    name: 'Turtle breakout, 20 days',
    source:
      'Faith, The Original Turtle Rules (2003), system 1; at closes, without its stop of two ranges and its pyramids.',
    text: 'enter: close > donchian_upper(20)[1]\nexit: close < donchian_lower(10)[1]',
    did: did(1287, 54, 25, 48),
  },
  {
    id: 'turtle_55',
    name: 'Turtle breakout, 55 days',
    source:
      'Faith, The Original Turtle Rules (2003), system 2; at closes, without its stop of two ranges and its pyramids.',
    text: 'enter: close > donchian_upper(55)[1]\nexit: close < donchian_lower(20)[1]',
    did: did(837, 47, 12, 46),
  },
  {
    id: 'momentum_12_months',
    name: 'Time-series momentum, 12 months',
    source:
      'Moskowitz, Ooi and Pedersen, Journal of Financial Economics 104 (2012); they look once a month and size by volatility.',
    text: 'enter: roc(365) > 0\nexit: roc(365) < 0',
    did: did(718, 63, 10, 65),
  },
  {
    id: 'ten_day_maximum',
    name: 'Ten-day maximum',
    source: 'Padyšák and Vojtko, Seasonality, Trend-following, and Mean reversion in Bitcoin (2022).',
    text: 'enter: close >= highest(close, 10)\nexit: close < highest(close, 10)',
    did: did(207, 30, 208, 20, 0.052),
  },
  {
    id: 'macd_cross',
    name: 'MACD cross',
    source: 'Appel, The Moving Average Convergence-Divergence Trading Method (1985).',
    text: 'enter: macd(12, 26) crosses above macd_signal(12, 26, 9)\nexit: macd(12, 26) crosses below macd_signal(12, 26, 9)',
    did: did(647, 54, 68, 52, 0.173),
  },
  {
    id: 'directional_movement',
    name: 'Directional movement',
    source:
      'Wilder, New Concepts in Technical Trading Systems (1978); with the usual ADX of 25, without his extreme point rule.',
    text: 'enter: plus_di(14) > minus_di(14) and adx(14) > 25\nexit: plus_di(14) < minus_di(14)',
    did: did(1546, 27, 30, 37, 0.021),
  },
  {
    id: 'rsi_14',
    name: 'RSI 30 and 70',
    source: 'Wilder, New Concepts in Technical Trading Systems (1978).',
    text: 'enter: rsi(14) crosses above 30\nexit: rsi(14) crosses below 70',
    did: did(135, 50, 8, 36),
  },
  {
    id: 'rsi_2',
    name: 'RSI of 2 days',
    source: 'Connors and Alvarez, Short Term Trading Strategies That Work (2008).',
    text: 'enter: close > sma(200) and rsi(2) < 5\nexit: close > sma(5)',
    did: did(22, 29, 16, 3),
  },
  {
    id: 'bollinger_reversion',
    name: 'Below the lower Bollinger band',
    source:
      'After Bollinger, Bollinger on Bollinger Bands (2001), who says himself that touching a band alone is no signal.',
    text: 'enter: close < bollinger_lower(20, 2)\nexit: close > sma(20)',
    did: did(-39, 64, 29, 22),
  },
  {
    id: 'turn_of_month',
    name: 'Turn of the month',
    source: 'Lakonishok and Smidt, Review of Financial Studies 1 (1988), on the Dow: its last day and the first three.',
    text: 'enter: day >= 30 or day <= 3\nexit: day > 3 and day < 30',
    did: did(70, 37, 68, 15, 0.257),
  },
]
