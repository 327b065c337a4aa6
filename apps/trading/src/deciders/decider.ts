import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import type { Bot, BotParameters, Strategy } from '@shapecast/contracts/bots'
import type { AppError } from '@shapecast/contracts/errors'
import type { Prediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { Forecast, ForecastColumns, Plan } from '@shapecast/engine/policies/plan'
import type { Universe } from '@shapecast/engine/policies/universe'
import type { PairAccount, Portfolio } from '@shapecast/engine/portfolio'
import type { DecisionQuestion, OpenaiVote } from '../forecasts/openai/openai-service.ts'

/** What one model says at a close, as bots take it. */
export interface BotForecast extends Forecast {
  readonly version: string
  /** Calibrated probability of a rise, 0–1; null of what is no model. */
  readonly pUp: number | null
  /** Costs of a round trip that the edge is after. */
  readonly costBps: number
  /** Of what is no model: what it says and why, as a clause for people; else null. */
  readonly reasoning: string | null
  /** Yearly volatility by its fan; NaN without one. */
  readonly volatility: number
  /** Of the close 1, 2, … candles ahead, quote; left out without a fan. */
  readonly medians?: readonly number[]
}

/** What is said at a close: as bots take it, and as the API shows it. */
export interface Said {
  readonly forecast: BotForecast
  /** Null of what is no model. */
  readonly prediction: Prediction | null
}

/** What a bot's choices tell its decider beside its plan. */
export interface DecidedBot {
  readonly strategy: Strategy
  readonly parameters?: Partial<BotParameters> | null | undefined
}

/** A pair at its close: the candle with those before it, and what models have said. */
export interface DecidedClose {
  readonly plan: Plan
  readonly timeframe: Timeframe
  /** Open time of the candle, ms. */
  readonly ts: number
  readonly candles: Candles
  readonly i: number
  readonly pair: PairAccount
  readonly forecasts: readonly BotForecast[]
  /** Why a model said nothing; null where all spoke, or none was asked. */
  readonly silence: string | null
  /** Which pairs are held in a month; left out where all are. */
  readonly universe?: Universe | undefined
}

/** What a close asks for. */
export interface Asked {
  readonly rule: BotDecision['rule']
  readonly signal: BotDecision['signal']
  /** What the next open is asked for; null for nothing. */
  readonly pending: number | null
  readonly target: number | null
  /** Why, as a clause for people; left out where the rule says it. */
  readonly says?: string
}

/** One pair of a bot at the newest close. */
export interface OwnQuestion {
  readonly bot: DecidedBot & Pick<Bot, 'id' | 'marketType'>
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly candles: Candles
  readonly i: number
  readonly account: PairAccount['account']
}

/** Whom deciders can ask. */
export interface Advisers {
  askOpenai(
    question: DecisionQuestion,
  ): Promise<Pick<OpenaiVote, 'signal' | 'confidence' | 'reasoning'> & { readonly failure: string | null }>
}

/** What one model says at each candle of a run; NaN where it says nothing. As in `BotForecast`. */
export interface RunForecast extends ForecastColumns {
  readonly pUp: Float64Array
  readonly volatility: Float64Array
  readonly medians: readonly Float64Array[]
}

/** All closes of a run. */
export interface DecidedRun {
  readonly bot: DecidedBot
  readonly plan: Plan
  readonly timeframe: Timeframe
  /** Those of the run from index `from` on, after as many as `history` asks for, or all that there are. */
  readonly candles: Candles
  readonly from: number
  /** By the models that it asks, in their order. */
  readonly forecasts: readonly RunForecast[]
}

/** How long its answers take: bots that wait for a slow one keep no other waiting. */
export type Pace = 'quick' | 'slow'

/** What decides for a bot, live and in backtests. Another kind is another file here, and a line in deciders.ts. */
export interface Decider {
  /** Who decides, for people. */
  readonly name: string
  /** Whether its bots name models, and show what these say. */
  readonly takesModels: boolean
  readonly pace: Pace
  /** Throws `unprocessable` where this installation lacks what it needs. */
  requireReady(installation: { readonly openaiReady: boolean }): void
  /** The model versions whose forecasts it needs; null for the current one. */
  versions(plan: Plan): readonly (string | null)[]
  /** Candles before the newest one that it looks at. */
  history(bot: DecidedBot, plan: Plan, timeframe: Timeframe): number
  /** Whether it decides at the close of the candle that opened at `ts`. */
  isDue(plan: Plan, portfolio: Portfolio, ts: number, timeframe: Timeframe): boolean
  /** What it says itself at the newest close; asked outside of any transaction. */
  say?(question: OwnQuestion, advisers: Advisers): Promise<Said | AppError>
  decide(close: DecidedClose): Asked
  /** As `decide`, at every close of a run: codes of DECISION or targets, and confidences, NaN where none stands behind one. */
  columns(run: DecidedRun): { decisions: Int8Array | Float64Array; confidence: Float64Array }
  /** Of one that cannot be asked about the past: a backtest repeats what it has said. */
  readonly replay?: {
    /** Throws `unprocessable` without anything to repeat. */
    requireKnown(known: boolean): void
    /** What a run says of it. */
    caveat(known: number, candles: number): string
  }
}
