import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import type { SkipReason } from '@shapecast/engine/journal'
import type { BotForecast } from '../deciders/decider.ts'
import { baseOf, priceWords, quantityWords } from './amount-words.ts'

/** What a sentence about a decision is made of. Shares and confidences are 0–1, prices quote per base. */
export interface DecisionFacts extends Pick<BotDecision, 'rule' | 'signal' | 'action' | 'symbol' | 'target'> {
  /** The close at which it was decided. */
  readonly price: number
  readonly forecasts: readonly BotForecast[]
  readonly silence: string | null
  /** Of a policy: days of candles that it had, and those without which it decides nothing; null of a signal. */
  readonly history: { readonly days: number; readonly needs: number } | null
  readonly held: number
  readonly band: number | null
  /** Base. */
  readonly quantity: number
  readonly skipped: SkipReason | null
  readonly canShort: boolean
  readonly maxDrawdownPct: number
  /** What an own rule says, as a clause; else null. */
  readonly says: string | null
  /** Its orders rest before they take. */
  readonly rests: boolean
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  same_bar_reentry: 'a stop has closed a position within the same candle',
  no_balance: 'no money is free',
  below_lot_size: 'the order would be smaller than the smallest lot',
  below_min_notional: 'the order would be worth less than the market takes',
  volatility_unknown: 'its volatility target needs 30 candles first',
}

/** Why an order that was decided is taken back. */
export const CLOSED_BY_HAND = 'its position is closed by hand.'
export const NOT_ORDERED_BY_HAND = `No order: ${CLOSED_BY_HAND}`

/** Why a pair that a person wanted at its target was left as it was. */
export const leftBecause = (reason: SkipReason): string => `No order: ${SKIPPED[reason]}.`
export const WISH_KILLED = 'No order: the kill switch was used before its turn came.'
export const NOT_REBALANCED = 'No order: the bot was paused, stopped or halted before its turn came.'

/** Why an order that was decided was not made. */
export const skippedBecause = (reason: SkipReason): string => `No order at the open: ${SKIPPED[reason]}.`

const pct = (ratio: number): string => `${(100 * ratio).toFixed(0)}%`
const fine = (ratio: number): string => `${(100 * ratio).toFixed(1)}%`
const bps = (value: number): string => value.toFixed(Math.abs(value) < 10 ? 1 : 0).replace('-', '−')

/** One sentence for people: what was decided at a close, and why. */
export function reasonOf(facts: DecisionFacts): string {
  const { rule, forecasts, held, band } = facts
  switch (rule) {
    case 'paused':
      return 'Paused: it keeps what it holds and opens nothing.'
    case 'halted':
      return `Its drawdown limit of ${facts.maxDrawdownPct}% was reached: it closes what it holds and opens nothing.`
    case 'missed':
      return 'The next candle had closed before this one could be decided: it kept what it held and opened nothing.'
    case 'not_decision_hour':
      return 'It decides once a day, at the first close at or after 00:00 UTC.'
    case 'target':
      return `${wantsWords(facts)} and holds ${fine(held)}: ${orderOf(facts)}${facts.rests ? ', by a post-only order that rests for an hour' : ''}.`
    case 'within_band':
      return `${wantsWords(facts)} and holds ${fine(held)}: within the band of ${pct(band!)}.`
    case 'order_skipped':
      return `${callsOf(facts)}, without an order: ${SKIPPED[facts.skipped!]}.`
    case 'no_votes':
      return facts.silence ?? tooFew(facts)
    case 'below_cost': {
      const { edgeBps, costBps } = forecasts[0]!
      return `Expected edge ${bps(edgeBps + costBps)} bps, below the cost of ${bps(costBps)} bps.`
    }
    case 'disagreement_hold':
      return `The models disagree (${votesOf(facts)}): it holds.`
    case 'disagreement_skip':
      return `The models disagree (${votesOf(facts)}): it skips this candle.`
    case 'disagreement_tie':
      return `The models disagree, equally sure (${votesOf(facts)}): it holds.`
    case 'rule':
      return `${facts.says}: ${orderOf(facts)}.`
    case 'signal':
    case 'openai':
    case 'unanimous':
    case 'majority':
    case 'weighted':
    case 'confidence_threshold':
    case 'disagreement_highest_confidence':
      return `${callsOf(facts)}: ${orderOf(facts)}.`
    default:
      return rule satisfies never
  }
}

/** What share it wants, and why where that is not its policy's. */
const wantsWords = ({ target, says }: DecisionFacts): string =>
  says === null ? `It wants ${fine(target!)} of the equity` : `${says}, so it wants none of the equity`

const tooFew = ({ history, symbol }: DecisionFacts): string =>
  history !== null && history.days < history.needs
    ? `It needs ${history.needs} days of candles of ${symbol} before it decides, and has ${history.days}.`
    : 'Too few candles are known for a decision.'

const votesOf = ({ forecasts }: DecisionFacts): string =>
  forecasts.map(({ version, signal, confidence }) => `${version} ${signal} ${pct(confidence)}`).join(', ')

/** Who says what. */
function callsOf({ rule, signal, forecasts, silence, target, says }: DecisionFacts): string {
  if (says !== null) return says
  if (target !== null) return `It wants ${fine(target)} of the equity`
  const [only] = forecasts
  if (only === undefined) return silence ?? 'No model said anything'
  if (only.reasoning !== null) return only.reasoning
  if (forecasts.length === 1)
    return signal === 'HOLD'
      ? `${only.version} calls no direction (a higher close is ${fine(only.pUp ?? 0.5)} likely)`
      : `${only.version} says ${signal} (${fine(only.confidence)})`
  const agreed = forecasts.filter((one) => one.signal === signal)
  const how =
    rule === 'disagreement_highest_confidence'
      ? 'the most confident model'
      : `${agreed.length} of ${forecasts.length} models`
  return `${how} ${agreed.length === 1 || rule === 'disagreement_highest_confidence' ? 'says' : 'say'} ${signal}`.replace(
    /^t/,
    'T',
  )
}

/** What comes of it. */
function orderOf({ action, signal, symbol, price, quantity, canShort }: DecisionFacts): string {
  const what = `${quantityWords(Number(quantity.toPrecision(6)))} ${baseOf(symbol)} at about ${priceWords(price)}`
  switch (action) {
    case 'opened_long':
      return `it buys ${what}`
    case 'opened_short':
      return `it sells ${what} short`
    case 'increased':
      return `it adds ${what}`
    case 'reduced':
      return `it sells ${what}`
    case 'closed':
      return `it closes its position of ${what}`
    case 'reversed':
      return `it turns its position around to ${what}`
    case 'held':
      return 'it keeps its position'
    case 'no_order':
      return signal === 'SELL' && !canShort ? 'on spot there is nothing to sell' : 'nothing to do'
    default:
      return action satisfies never
  }
}
