import { type BotDraft, originWords } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { mostDrawdownPct, POLICIES } from '@shapecast/contracts/policies'
import {
  combinationsOf,
  isSearchedSetting,
  SEARCH_DEFAULTS,
  SEARCHED_SETTINGS,
  type SearchRequest,
} from '@shapecast/contracts/search'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Plan, type PlannedBot, planOf, testedBot } from '@shapecast/engine/policies/plan'
import { loadedCandles } from '@shapecast/engine/rules/look-back'
import { type SearchSpace, valuesAt } from '@shapecast/engine/search/search-space'
import { botAt, slowestFirst } from '@shapecast/engine/search/searched-bot'
import type { Orm } from '@shapecast/platform/database/database'
import type { Viewer } from '../ground/ownership.ts'
import { nameOrigin } from '../rules/rule-service.ts'

/** A search as it was asked for, on candles that stay the same however often it is begun. Plain JSON; what a job keeps. */
export interface SearchOrder {
  request: SearchRequest
  bot: PlannedBot
  space: SearchSpace
  /** Open times of the first and the last candle, ms. */
  fromMs: number
  toMs: number
}

/** BUY and SELL where P(up) is further from a coin's than the threshold, as rules say it. */
const signalRule = (marketType: 'spot' | 'futures', threshold: string): string =>
  `enter: p_up > 50% + ${threshold}% ${marketType === 'spot' ? 'exit' : 'short'}: p_up < 50% - ${threshold}%`

function ruleOf({ kind, rule, marketType, parameters }: SearchRequest): string | undefined {
  if (kind !== 'signal') return rule
  return signalRule(marketType, parameters.some(({ name }) => name === 'threshold') ? '{threshold}' : '0')
}

/** The bot whose settings are searched: those that are not have the usual values. */
function searchedBot(request: SearchRequest): PlannedBot {
  const { kind, policy = 'steady_risk', symbol, marketType, initialBalance, mlModelVersion } = request
  const rule = ruleOf(request)
  return testedBot(symbol, {
    marketType,
    positionSize: 0.001,
    maxDrawdown: mostDrawdownPct(kind === 'policy' ? policy : 'rule'),
    initialBalance,
    mlModelVersion: mlModelVersion ?? null,
    parameters:
      kind === 'policy'
        ? { policy }
        : { policy: 'rule', rule: rule!, sizing: { kind: 'percent_of_equity', pct: SEARCH_DEFAULTS.sizePct } },
  })
}

/**
 * The order of a request on candles from `fromMs` to `toMs`. Throws `bad_input` that names the first value with which
 * there is no bot.
 */
export function orderOf(request: SearchRequest, { fromMs, toMs }: { fromMs: number; toMs: number }): SearchOrder {
  const bot = searchedBot(request)
  const parameters = slowestFirst(bot.parameters?.rule, request.parameters).map(({ name, values }) => ({
    name,
    values,
  }))
  const { sample = null } = request
  const order = { request, bot, space: { parameters, sample }, fromMs, toMs }
  requireEachValue(order)
  return order
}

/** Tries each value with the first ones of the other parameters. */
function requireEachValue({ request, bot, space: { parameters } }: SearchOrder): void {
  const first = Object.fromEntries(parameters.map(({ name, values }) => [name, values[0]!]))
  for (const [k, { name, values }] of request.parameters.entries())
    for (const value of values)
      try {
        backtestSettings({ ...planOf(botAt(bot, { ...first, [name]: value })).settings, timeframe: request.timeframe })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const marked = !isSearchedSetting(name)
        const field = marked && error.field === 'parameters.rule' ? 'rule' : `parameters.${k}.values`
        throw new AppError('bad_input', `With ${name} ${value}: ${error.message}`, { field })
      }
}

/** The order with the name of the stored rule that it says it is of. Throws what `nameOrigin` throws. */
export async function withOrigin(orm: Orm, order: SearchOrder, viewer: Viewer): Promise<SearchOrder> {
  const { bot, space, request } = order
  if (request.ruleOrigin === undefined) return order
  const text = botAt(bot, valuesAt(space, 0)).parameters?.rule
  const ruleOrigin = await nameOrigin(orm, request.ruleOrigin, { text, field: 'ruleOrigin', anyNumbers: true }, viewer)
  return { ...order, request: { ...request, ruleOrigin } }
}

/** The plan of the first point: which models all of them ask, and how. */
export const firstPlan = (order: SearchOrder): Plan => planOf(botAt(order.bot, valuesAt(order.space, 0)))

/** Candles before the first one on which decisions of any point rest: of the longest periods, and of the shortest. */
export function historyOf(order: SearchOrder): number {
  const ends = [Math.max, Math.min].map((end) =>
    Object.fromEntries(order.space.parameters.map(({ name, values }) => [name, end(...values)])),
  )
  return Math.max(
    ...ends.map((values) => {
      const { rule } = planOf(botAt(order.bot, values))
      return rule === undefined ? 0 : loadedCandles(rule)
    }),
  )
}

/** What is searched, for people. */
export function titleOf({ kind, policy, ruleOrigin, symbol, timeframe }: SearchRequest): string {
  const rule = ruleOrigin === undefined ? 'Rule' : originWords(ruleOrigin)
  const what = kind === 'policy' ? POLICIES[policy!].name : kind === 'rule' ? rule : 'Model signal'
  return `${what} on ${symbol} ${timeframe}`
}

/** The parameters as replies have them. */
export const shownParameters = ({ request, space }: SearchOrder) =>
  space.parameters.map(({ name, values }) => {
    const label = request.parameters.find((one) => one.name === name)?.label
    return {
      name,
      label: label ?? (isSearchedSetting(name) ? SEARCHED_SETTINGS[name].label : name),
      values: [...values],
    }
  })

export const pointsIn = ({ parameters, sample }: Pick<SearchRequest, 'parameters' | 'sample'>): number =>
  Math.min(combinationsOf(parameters), sample?.points ?? Number.POSITIVE_INFINITY)

/** A virtual bot with the settings of a point. */
export const botDraft = (
  { bot, request: { symbol, timeframe } }: SearchOrder,
  values: Readonly<Record<string, number>>,
  { name, description }: { name: string; description: string },
): BotDraft => {
  const { mlModelVersion, mlModelVersions: _, consensusConfig: _of, parameters, ...at } = botAt(bot, values)
  return {
    ...at,
    name,
    description,
    strategy: 'ml',
    tradingPairs: [symbol],
    visibility: 'private',
    ...(mlModelVersion === null ? {} : { mlModelVersion }),
    parameters: { ...parameters, timeframe },
  }
}
