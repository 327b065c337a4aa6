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

const followed = (facts: DecisionFacts): string => `${callsOf(facts)}: ${orderOf(facts)}.`

const REASONS: Readonly<Record<DecisionFacts['rule'], (facts: DecisionFacts) => string>> = {
  paused: () => 'Paused: it keeps what it holds and opens nothing.',
  halted: ({ maxDrawdownPct }) =>
    `Its drawdown limit of ${maxDrawdownPct}% was reached: it closes what it holds and opens nothing.`,
  missed: () => 'The next candle had closed before this one could be decided: it kept what it held and opened nothing.',
  not_decision_hour: () => 'It decides once a day, at the first close at or after 00:00 UTC.',
  target: (facts) =>
    `${wantsWords(facts)} and holds ${fine(facts.held)}: ${orderOf(facts)}${facts.rests ? ', by a post-only order that rests for an hour' : ''}.`,
  within_band: (facts) => `${wantsWords(facts)} and holds ${fine(facts.held)}: within the band of ${pct(facts.band!)}.`,
  order_skipped: (facts) => `${callsOf(facts)}, without an order: ${SKIPPED[facts.skipped!]}.`,
  no_votes: (facts) => facts.silence ?? tooFew(facts),
  below_cost({ forecasts }) {
    const { edgeBps, costBps } = forecasts[0]!
    return `Expected edge ${bps(edgeBps + costBps)} bps, below the cost of ${bps(costBps)} bps.`
  },
  disagreement_hold: (facts) => `The models disagree (${votesOf(facts)}): it holds.`,
  disagreement_skip: (facts) => `The models disagree (${votesOf(facts)}): it skips this candle.`,
  disagreement_tie: (facts) => `The models disagree, equally sure (${votesOf(facts)}): it holds.`,
  rule: (facts) => `${facts.says}: ${orderOf(facts)}.`,
  signal: followed,
  openai: followed,
  unanimous: followed,
  majority: followed,
  weighted: followed,
  confidence_threshold: followed,
  disagreement_highest_confidence: followed,
}

/** One sentence for people: what was decided at a close, and why. */
export const reasonOf = (facts: DecisionFacts): string => REASONS[facts.rule](facts)

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

const ORDERS: Readonly<Record<DecisionFacts['action'], (what: string) => string>> = {
  opened_long: (what) => `it buys ${what}`,
  opened_short: (what) => `it sells ${what} short`,
  increased: (what) => `it adds ${what}`,
  reduced: (what) => `it sells ${what}`,
  closed: (what) => `it closes its position of ${what}`,
  reversed: (what) => `it turns its position around to ${what}`,
  held: () => 'it keeps its position',
  no_order: () => 'nothing to do',
}

/** What comes of it. */
function orderOf({ action, signal, symbol, price, quantity, canShort }: DecisionFacts): string {
  if (action === 'no_order' && signal === 'SELL' && !canShort) return 'on spot there is nothing to sell'
  return ORDERS[action](
    `${quantityWords(Number(quantity.toPrecision(6)))} ${baseOf(symbol)} at about ${priceWords(price)}`,
  )
}
