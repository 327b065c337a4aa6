import type { RiskLevel } from './bots.ts'
import type { Policy } from './policies.ts'

/** What one rule did over the studied stretch, costs included. */
export interface PolicyFigures {
  /** Of 1 at the start. */
  readonly finalEquity: number
  /** Percent, 0 or below. */
  readonly maxDrawdownPct: number
  /** Notional traded over equity, a year. */
  readonly turnoverPerYear: number
}

const figures = (finalEquity: number, maxDrawdownPct: number, turnoverPerYear: number): PolicyFigures => ({
  finalEquity,
  maxDrawdownPct,
  turnoverPerYear,
})

/** BTCUSDT 1h from 1 January 2022 to 20 April 2024: `npm run study -- policies`, held to it by a test. */
export const STUDIED_FROM = '2022-01-01'
export const STUDIED_TO = '2024-04-21'
export const HOLD_FIGURES = figures(1.4036, -67.38, 0.43)

const FIXED_SHARE = figures(1.2901, -40.94, 0.52)
/** By policy and risk. The policies that ask a model have none: their figures are those of the model. */
const STUDIED: Partial<Record<Policy, Readonly<Record<RiskLevel, PolicyFigures>>>> = {
  steady_risk: {
    low: figures(1.5984, -24.46, 0.54),
    medium: figures(1.8795, -48.87, 0.82),
    high: figures(1.5449, -64.03, 0.62),
  },
  trend_steady_risk: {
    low: figures(1.4056, -15.75, 8.8),
    medium: figures(1.7696, -29.14, 18.15),
    high: figures(1.5712, -39.46, 22.32),
  },
  fixed_share: { low: FIXED_SHARE, medium: FIXED_SHARE, high: FIXED_SHARE },
}

/** What a policy did at a risk level; null where it has not been studied. */
export const policyFigures = (policy: Policy, riskLevel: RiskLevel): PolicyFigures | null =>
  STUDIED[policy]?.[riskLevel] ?? null
