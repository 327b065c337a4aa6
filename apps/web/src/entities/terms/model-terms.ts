import type { Term } from '#kit/ui/folded.tsx'

const HOLD_OUT: Term = [
  'Hold-out',
  'The newest 400 candles of a training. The model never learns from them, so they show how it does on what it has not seen.',
]
const INTERVAL: Term = [
  '95% CI',
  'Where the true figure lies with a certainty of 95%, given how few candles judged it. A share whose interval holds 50% may be luck.',
]
const BRIER: Term = [
  'Brier score',
  'How far the probabilities were from what came, squared, on average. 0 is perfect, 0.25 is what always saying 50% gets. Less is better.',
]
const LOG_LOSS: Term = [
  'Log loss',
  'As the Brier score, but harder on being sure and wrong. 0.693 is what always saying 50% gets. Less is better.',
]
const SKILL: Term = [
  'Skill',
  'How much less wrong it was than knowing nothing, which always says the usual share of rises (climatology). Above 0 is better; an interval that reaches below 0 may be luck.',
]
const PINBALL: Term = [
  'Pinball loss',
  'How wrong the range is, in hundredths of a percent of the price (bps): it grows when a price falls outside and when the range is wider than it need be. Less is better.',
]
const HELD: Term = [
  'Inside 90%',
  'How often the price came to lie within the range that promises to hold it nine times in ten. Far below 90% the range is too narrow, far above too wide.',
]
const EFFECTIVE: Term = [
  'Effective outcomes',
  'Neighbouring candles are much alike, so 400 of them tell no more than this many that have nothing to do with each other. Intervals are worked out from these.',
]
const BASELINES: readonly Term[] = [
  ['Majority', 'Always calls the direction that was more frequent before. A model should beat it.'],
  ['Reversal', 'Always calls the opposite of the last candle. A model should beat it too.'],
]

export const MODEL_TERMS: readonly Term[] = [
  ['acc', 'The share of the hold-out whose direction it called right. With several coins, their mean. 50% is a coin.'],
  INTERVAL,
  [
    'baseline',
    'What the better of two rules that know nothing got right on the same candles: always the direction that was more frequent before, or always the opposite of the last candle.',
  ],
  HOLD_OUT,
  ['current', 'The version that answers wherever none is named: the newest in production.'],
  [
    'production, staging, archived',
    'In use by everybody, on trial, or put aside. What production and staging versions say is written down at every candle close.',
  ],
]

export const FAN_TERMS: readonly Term[] = [
  HELD,
  [
    'Skill over rolling volatility',
    'The share of pinball loss saved over a range as wide as the recent ups and downs. 1–2% is good.',
  ],
  ['Skill over a fixed range', 'The same over a range that never changes, as wide as past moves were.'],
  PINBALL,
  INTERVAL,
  HOLD_OUT,
]

export const DIRECTION_TERMS: readonly Term[] = [
  ...BASELINES,
  EFFECTIVE,
  BRIER,
  LOG_LOSS,
  SKILL,
  [
    'IC',
    'How far the forecasts and the moves go together (information coefficient; rank IC by their order), from −1 to +1. Within ± the figure beside it, it is chance.',
  ],
  [
    'Said chance of a rise',
    'The probability of a rise that was given. On the dashed line, what was called 55% rose 55 times in 100; outside the band it is more than noise.',
  ],
]

export const COMPARE_TERMS: readonly Term[] = [
  HELD,
  PINBALL,
  LOG_LOSS,
  BRIER,
  ['DM', 'The difference in units of its standard error (Diebold–Mariano). Beyond ±2 it is seldom chance.'],
  ['p', 'How often chance alone makes a difference as large, were both equally good. Below 0.05 it counts.'],
  [
    'Errors correlate',
    '1: both err together, and a vote of them gains nothing. Nearer to 0 is better for an ensemble.',
  ],
  ['Calls', 'How often the rule came to a BUY or SELL; the rest is HOLD.'],
]

export const RECORD_TERMS: readonly Term[] = [
  [
    'Written down',
    'Put on record before the outcome could be known. Each row carries the fingerprint of the one before it, so that nobody can change or drop one unseen.',
  ],
  [
    'Missed',
    'Candles since its first forecast for which none was written down in time: it was too late, nothing ran, or the version was in the archive. A record with many holes may hold the lucky ones.',
  ],
  ['Judged', 'Its outcome has arrived and was held against it.'],
  EFFECTIVE,
  ...BASELINES,
  BRIER,
  SKILL,
]

/** All words of models and how they are judged. */
export const ALL_MODEL_TERMS: readonly Term[] = [
  ...MODEL_TERMS,
  ...FAN_TERMS,
  ...DIRECTION_TERMS,
  ...COMPARE_TERMS,
  ...RECORD_TERMS,
]
