import { z } from 'zod'
import { bps, pct } from './units.ts'

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

/** One network's losses by epoch, from the first; `bestEpoch` counts from 1 and is the one that was kept. */
export const LearningCurve = z.object({
  bestEpoch: z.number().int(),
  history: z.array(z.object({ trainLoss: z.number(), validationLoss: z.number() })),
})
export type LearningCurve = z.infer<typeof LearningCurve>
