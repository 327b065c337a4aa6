import { lookBackOf } from './look-back.ts'
import { asksModel, conditionsOf, type Node, partsOf, RULE_LIMITS, type Rule } from './tree.ts'

/** Throws what `problem` makes of the words where a rule can be read and cannot be run. */
export function requireRunnable(rule: Rule, problem: (what: string) => Error): void {
  const { enter, exit, short, cover, stopPct, targetPct, trailPct, timeCandles } = rule
  if (enter === null && short === null) throw problem('expected ‘enter:’ or ‘short:’: a rule must say when it enters')
  if (exit !== null && enter === null) throw problem('‘exit:’ closes a long position, so it needs ‘enter:’')
  if (cover !== null && short === null) throw problem('‘cover:’ closes a short position, so it needs ‘short:’')
  const always = [stopPct, targetPct, trailPct, timeCandles].some((limit) => limit !== null)
  if (!always && ((enter !== null && exit === null && short === null) || (enter === null && cover === null)))
    throw problem('expected ‘exit:’, ‘stop:’, ‘target:’, ‘trail:’ or ‘time:’: a rule must say when it leaves')
  if (conditionsOf(rule).some(looksBackAtForecast))
    throw problem(
      'a forecast is known at its own candle only: it must not stand in an indicator, in ‘crosses’ or before ‘[n]’',
    )
  const candles = lookBackOf(rule)
  if (candles > RULE_LIMITS.lookBackCandles)
    throw problem(
      `this rule looks back over ${candles} candles; it must be at most ${RULE_LIMITS.lookBackCandles}: shorten its periods, or take longer candles`,
    )
}

const LOOKS_BACK: readonly Node['kind'][] = ['indicator', 'crosses', 'ago', 'before']
const looksBackAtForecast = (node: Node): boolean =>
  LOOKS_BACK.includes(node.kind) ? asksModel(node) : partsOf(node).some(looksBackAtForecast)
