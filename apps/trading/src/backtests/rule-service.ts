import { AppError } from '@shapecast/contracts/errors'
import type { CheckedRule, RulePreviewRequest } from '@shapecast/contracts/rules'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { copyCandles } from '@shapecast/engine/candles'
import { planOf, testedBot } from '@shapecast/engine/policies/plan'
import { botRule } from '@shapecast/engine/rules/bot-rule'
import { loadedCandles, lookBackOf } from '@shapecast/engine/rules/look-back'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { readRule } from '@shapecast/engine/rules/read-tree'
import { type Rule, ruleAsksModel } from '@shapecast/engine/rules/tree'
import type { SeriesMarket } from '../market/series-market.ts'
import type { RulePreviewOrder } from './rule-preview.ts'

/** Share of the candles that no preview shows: the last ones. */
const HIDDEN = 0.2
const LEAST_SHOWN = 50

/** A rule as text and as blocks, from either. Throws `bad_input` that names the place. */
export function checkedRule(given: { rule?: string | undefined; blocks?: unknown }): CheckedRule {
  const rule = given.rule === undefined ? ruleOfBlocks(given.blocks) : botRule(given.rule, 'futures', 'rule')
  return {
    rule: ruleText(rule),
    blocks: { ...rule },
    looksBackCandles: lookBackOf(rule),
    asksModel: ruleAsksModel(rule),
    needsFutures: rule.short !== null,
  }
}

function ruleOfBlocks(blocks: unknown): Rule {
  try {
    return readRule(blocks)
  } catch (error) {
    if (!(error instanceof RuleProblem)) throw error
    throw new AppError('bad_input', error.message, { field: 'blocks' })
  }
}

/** What a preview is worked out from. Throws `bad_input`, `needs_model`, `no_candles`, `too_few_candles`, `unknown_symbol`. */
export async function rulePreviewOrder(request: RulePreviewRequest, market: SeriesMarket): Promise<RulePreviewOrder> {
  const { symbol, timeframe, limit, to, marketType, leverage, initialBalance, feeRate, slippageBps } = request
  const rule = botRule(request.rule, marketType, 'rule')
  if (ruleAsksModel(rule))
    throw new AppError('needs_model', 'This rule looks at a forecast: test it by a backtest, which asks the model.', {
      field: 'rule',
    })
  const all = await market.load(symbol, timeframe, { toMs: to, limit: limit + loadedCandles(rule) })
  if (all.length === 0) throw new AppError('no_candles', `No ${timeframe} candles of ${symbol} are stored here yet.`)
  const from = Math.max(0, all.length - limit)
  const end = from + Math.floor((1 - HIDDEN) * (all.length - from))
  if (end - from < LEAST_SHOWN)
    throw new AppError(
      'too_few_candles',
      `${symbol} ${timeframe} has ${all.length} candles; a preview needs at least ${Math.ceil(LEAST_SHOWN / (1 - HIDDEN))}.`,
    )
  const sizing = request.sizing ?? { kind: 'percent_of_equity', pct: 100 }
  const parameters = { policy: 'rule', rule: request.rule, sizing } as const
  const { settings } = planOf(testedBot(symbol, { marketType, leverage, initialBalance, parameters }))
  const rules = await market.rules(symbol)
  return {
    rule,
    symbol,
    timeframe,
    candles: copyCandles(all, 0, end),
    from,
    hiddenCandles: all.length - end,
    funding: marketType === 'futures' ? (rules?.funding ?? null) : null,
    settings: backtestSettings({
      ...settings,
      timeframe,
      feeRate,
      slippageBps,
      lotSize: rules?.lotSize ?? 0,
      minNotional: rules?.minNotional ?? 0,
    }),
  }
}
