import { z } from 'zod'
import { bps, pct, ratio } from './units.ts'

/** Low and high end of a 95 % interval. */
export const Interval = z.tuple([z.number(), z.number()])

/** A share with its 95 % interval over the effective number of outcomes, ratios from 0 to 1. */
export const AccuracyReport = z.object({
  accuracy: z.number(),
  interval: Interval,
  outcomes: z.number().int(),
  effectiveOutcomes: z.number(),
  majorityBaseline: z.number(),
  reversalBaseline: z.number(),
  /** In words: better than, worse than or indistinguishable from the better baseline. */
  verdict: z.string(),
})
export type AccuracyReport = z.infer<typeof AccuracyReport>

/** The two naive rules: always the direction that was more frequent before, or always against the last candle. */
export const NaiveRule = z.enum(['majority', 'reversal'])
export type NaiveRule = z.infer<typeof NaiveRule>

/** A finding with whether it holds up: false asks for caution. */
const finding = <const C extends readonly [string, ...string[]]>(codes: C) =>
  z.object({ code: z.enum(codes), holdsUp: z.boolean() })

/**
 * How a direction did against the better naive rule on candles that it had not seen. `not_credible`: too good to be true
 * without a live record.
 */
export const DirectionVerdict = finding(['not_judged', 'better', 'worse', 'no_better', 'not_credible']).extend({
  rule: NaiveRule,
  /** What that rule got right, 0 to 1. */
  ruleRatio: ratio(),
})
export type DirectionVerdict = z.infer<typeof DirectionVerdict>

/** No honest model is known to call the direction of a candle as often as this; above it something is wrong, or lucky. */
export const CREDIBLE_ACCURACY = 0.65

/** Two versions or artifacts on the same candles: mean losses, lower is better, and whether they differ by more than chance. */
export const PairedTest = z.object({
  outcomes: z.number().int(),
  /** Mean of a's losses less b's; below 0 a is better. */
  meanDifference: z.number(),
  interval: Interval,
  /** Diebold–Mariano statistic with a variance that allows for correlation over all lags: docs/models.md. */
  statistic: z.number(),
  pValue: z.number(),
  /** In words. */
  verdict: z.string(),
})
export type PairedTest = z.infer<typeof PairedTest>

const Pnl = z.object({ grossPct: pct(), costsPct: pct(), netPct: pct(), turnover: z.number() })

/** What the newest 400 candles say about a model that never saw them. Formulae and sources: docs/models.md. */
export const Evaluation = z.object({
  horizon: z.number().int(),
  accuracy: AccuracyReport.extend({ flatOutcomes: z.number().int() }),
  probability: z.object({
    climatology: z.number(),
    brier: z.number(),
    brierSkill: z.number(),
    logLoss: z.number(),
    logLossSkill: z.number(),
    /** Equal-count bins; where `observed` lies within `band`, the bin agrees with its probability. */
    reliability: z.array(
      z.object({ predicted: z.number(), observed: z.number(), outcomes: z.number().int(), band: Interval }),
    ),
  }),
  fan: z.array(
    z.object({
      horizon: z.number().int(),
      outcomes: z.number().int(),
      effectiveOutcomes: z.number(),
      coverage90: z.number(),
      coverage90Interval: Interval,
      coverage50: z.number(),
      /** Share of pinball loss saved against each baseline. */
      skillOverEwma: z.number(),
      skillOverHistorical: z.number(),
    }),
  ),
  /** Means of the skills over all horizons. */
  pinballSkillOverEwma: z.number(),
  pinballSkillOverHistorical: z.number(),
  correlation: z.object({ ic: z.number(), rankIc: z.number(), interval95: z.number() }),
  /** Signals (rows BUY, SELL, HOLD) by outcome (columns up, down, flat). */
  confusion: z.object({
    buy: z.tuple([z.number(), z.number(), z.number()]),
    sell: z.tuple([z.number(), z.number(), z.number()]),
    hold: z.tuple([z.number(), z.number(), z.number()]),
  }),
  trading: z.object({
    candles: z.number().int(),
    roundTripCostBps: bps(),
    signal: Pnl,
    buyAndHold: Pnl,
    flat: Pnl,
  }),
  /**
   * 95 % intervals by studentised blocks of the hold-out, null where it is too short to tell. Absent on cards
   * from before they were computed.
   */
  uncertainty: z
    .object({
      pinballSkillOverEwma: Interval.nullable(),
      logLossSkill: Interval.nullable(),
      tradedNetPct: Interval.nullable(),
      /** Yearly Sharpe ratio of the plain signal, net of costs; null where it never traded. */
      tradedSharpe: z.object({ value: z.number(), interval: Interval }).nullable(),
    })
    .optional(),
})
export type Evaluation = z.infer<typeof Evaluation>

/** Whether a range held as often as it promises. */
const rangeCodes = ['kept_promise', 'too_narrow', 'too_wide'] as const

/** What an evaluation says of a model, as codes. When which one holds: docs/models.md. */
export const ModelVerdict = z.object({
  /** Its 90 % range at the nearest horizon; null where none was judged. */
  range: finding(rangeCodes).extend({ inside: z.number().int(), outcomes: z.number().int() }).nullable(),
  direction: DirectionVerdict,
  /** Its signal traded plainly, net of costs. */
  trading: finding(['lost_money', 'may_be_luck', 'made_money']).extend({
    /** Beyond buy and hold, percent points. */
    aheadPct: pct(),
    /** Whether its interval leaves buy and hold out. */
    isApartFromHold: z.boolean(),
  }),
  /** Its 90 % range at all horizons; `mixed`: too narrow at some, too wide at others. */
  fan: z.object({
    code: z.enum([...rangeCodes, 'mixed', 'not_judged']),
    /** Candles ahead at which it is off. */
    offHorizons: z.array(z.number().int()),
  }),
  /** Which simple ranges it is sharper than: a rolling volatility (`ewma`), one that never changes (`historical`). */
  skill: z.enum(['both', 'ewma', 'historical', 'neither']),
  /** What follows for somebody who trades: backtest it, let it set the size and not the side, or train it again. */
  next: z.enum(['backtest', 'size_only', 'train_again']),
})
export type ModelVerdict = z.infer<typeof ModelVerdict>

/** One network's losses by epoch, from the first; `bestEpoch` counts from 1 and is the one that was kept. */
export const LearningCurve = z.object({
  bestEpoch: z.number().int(),
  history: z.array(z.object({ trainLoss: z.number(), validationLoss: z.number() })),
})
export type LearningCurve = z.infer<typeof LearningCurve>
