import { sliceCandles } from '../candles.ts'
import { DECISION, type Decision } from '../decisions.ts'
import { loadedCandles } from './look-back.ts'
import { createRuleColumns, type RuleColumns, type RuleData, TRUTH } from './rule-columns.ts'
import type { Condition, Rule } from './tree.ts'

/**
 * What a rule asks for at each close, codes of DECISION that are right whatever is held. What makes it leave wins over
 * what makes it enter on that side; where both sides are to be entered, neither is.
 */
export function ruleDecisions(rule: Rule, columns: RuleColumns): Int8Array {
  const of = (condition: Condition | null) => (condition === null ? null : columns.truth(condition))
  const parts = [of(rule.enter), of(rule.exit), of(rule.short), of(rule.cover)]
  const decisions = new Int8Array(columns.candles.length)
  // A bit for each part that holds.
  for (const [bit, truth] of parts.entries())
    for (let i = 0; i < decisions.length && truth !== null; i++) if (truth[i] === TRUTH.TRUE) decisions[i]! |= 1 << bit
  for (let i = 0; i < decisions.length; i++) decisions[i] = DECISION_OF[decisions[i]!]!
  return decisions
}

const DECISION_OF = Array.from({ length: 16 }, (_, held) =>
  decisionOf({ enter: (held & 1) > 0, exit: (held & 2) > 0, short: (held & 4) > 0, cover: (held & 8) > 0 }),
)

function decisionOf(holds: Readonly<Record<'enter' | 'exit' | 'short' | 'cover', boolean>>): Decision {
  const [long, short] = [holds.enter && !holds.exit, holds.short && !holds.cover]
  if (long !== short) return long ? DECISION.BUY : DECISION.SELL
  if (holds.exit && holds.cover) return DECISION.CLOSE
  if (holds.exit) return DECISION.CLOSE_LONG
  return holds.cover ? DECISION.CLOSE_SHORT : DECISION.HOLD
}

/** What a model says at one close; `medians` of the close 1, 2, … candles ahead, quote. */
export interface ForecastAtClose {
  readonly pUp: number
  readonly sigma: number
  readonly edgeBps: number
  readonly medians: readonly number[]
}

/** `ruleDecisions` at candle `i`, the same to the bit, from no more candles than those on which it rests. */
export function ruleDecisionAt(
  rule: Rule,
  { candles, timeframe }: Pick<RuleData, 'candles' | 'timeframe'>,
  i: number,
  said: ForecastAtClose | null,
): number {
  const looked = sliceCandles(candles, Math.max(0, i - loadedCandles(rule)), i + 1)
  const only = (value: number) => new Float64Array(looked.length).fill(Number.NaN).fill(value, -1)
  const forecast = said && {
    pUp: only(said.pUp),
    sigma: only(said.sigma),
    edgeBps: only(said.edgeBps),
    medians: said.medians.map(only),
  }
  return ruleDecisions(rule, createRuleColumns({ candles: looked, timeframe, forecast })).at(-1)!
}
