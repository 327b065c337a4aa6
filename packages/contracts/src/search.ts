import { z } from 'zod'
import { BACKTEST_DEFAULTS } from './backtest-request.ts'
import { InitialBalance, MarketType, RuleOrigin, RuleText } from './bots.ts'
import { tradingEndpoint } from './endpoint.ts'
import { Interval } from './evaluation.ts'
import { FundingAssumed } from './funding.ts'
import { LabJob, labFile } from './lab-job.ts'
import { SymbolId } from './market.ts'
import { ModelVersion } from './ml.ts'
import { mostDrawdownPct, RISK_PCT_A_YEAR } from './policies.ts'
import { PlainName } from './storable-text.ts'
import { Timeframe } from './timeframes.ts'
import { LAB_CANDLES, Trials } from './trials.ts'
import { bps, epochMs, pct, ratio } from './units.ts'

export const MOST_COMBINATIONS = 10_000
export const MOST_SEARCHED_CANDLES = 100_000
/** Below it the best is no better than luck only one time in twenty. */
export const SEARCH_LEVEL = 0.05
/** So many of the best have an interval. */
export const SEARCH_SHOWN = 20

export const SEARCH_DEFAULTS = {
  /** Percent of the candles that no point sees. */
  keptPct: 20,
  minTrades: 5,
  initialBalance: 1000,
  sizePct: 100,
} as const

/** The policies that a search knows: those that ask no model. */
export const SearchedPolicy = z.enum(['steady_risk', 'trend_steady_risk', 'trend_ensemble', 'fixed_share'])
export type SearchedPolicy = z.infer<typeof SearchedPolicy>

export const SearchKind = z.enum(['rule', 'policy', 'signal'])
export type SearchKind = z.infer<typeof SearchKind>

interface Setting {
  readonly label: string
  /** Of each of its values: what is wrong with it, in words; undefined where nothing is. */
  wrong(value: number, request: { kind: SearchKind; marketType: 'spot' | 'futures' }): string | undefined
}

const within =
  (min: number, max: number, isWhole = false) =>
  (value: number) =>
    value >= min && value <= max && (!isWhole || Number.isInteger(value))
      ? undefined
      : `must be ${isWhole ? 'a whole number' : 'a number'} from ${min} to ${max}`

const RISKS: readonly number[] = Object.values(RISK_PCT_A_YEAR)

/** What a search may vary beside the numbers that the text of a rule marks. */
export const SEARCHED_SETTINGS = {
  stopLossPct: { label: 'Stop loss, % (0 is off)', wrong: within(0, 99) },
  takeProfitPct: { label: 'Take profit, % (0 is off)', wrong: within(0, 1000) },
  maxDrawdown: {
    label: 'Max drawdown, %',
    wrong: (value, { kind }) => within(1, mostDrawdownPct(kind === 'policy' ? 'fixed_share' : 'rule'), true)(value),
  },
  leverage: {
    label: 'Leverage',
    wrong: (value, { marketType }) =>
      marketType === 'spot' && value !== 1 ? 'must be 1 on spot' : within(1, 100, true)(value),
  },
  sizePct: {
    label: 'Size of an entry, % of equity',
    wrong: (value, { kind }) => (kind === 'policy' ? 'a policy sizes itself by its risk' : within(1, 100)(value)),
  },
  riskPct: {
    label: 'Risk, % a year',
    wrong: (value, { kind }) => {
      if (kind !== 'policy') return 'only a policy has a risk'
      return RISKS.includes(value) ? undefined : `must be one of ${RISKS.join(', ')}`
    },
  },
  threshold: {
    label: 'P(up) away from 50%, points',
    wrong: (value, { kind }) => (kind === 'signal' ? within(0, 49)(value) : 'only the model signal has a threshold'),
  },
} as const satisfies Record<string, Setting>
export type SearchedSetting = keyof typeof SEARCHED_SETTINGS
export const isSearchedSetting = (name: string): name is SearchedSetting => Object.hasOwn(SEARCHED_SETTINGS, name)

/** A number in braces in the text of a rule: `ema({fast})`. */
export const RULE_MARKS = /\{([a-z][a-z0-9_]*)\}/g
/** The names of the numbers that a rule's text marks, each once. */
export const markedIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(RULE_MARKS), ([, name]) => name!)),
]

/** How many combinations these parameters have. */
export const combinationsOf = (parameters: readonly { readonly values: readonly unknown[] }[]): number =>
  parameters.reduce((product, { values }) => product * values.length, 1)

const RANGE = /^(-?[\d.]+)\s*(?:to|–|\.\.)\s*(-?[\d.]+)(?:\s*by\s*([\d.]+))?$/
/** Of one parameter. */
const MOST_VALUES = 200

/** Without the dust of binary fractions. */
export const withoutDust = (value: number): number => Number(value.toPrecision(12))

/** The values of a text such as `4 to 40 by 4` or `0, 2.5, 5`; in words what is wrong with it. */
export function readSearchedValues(text: string): readonly number[] | string {
  const range = RANGE.exec(text.trim())
  if (range !== null) {
    const [from, to, by] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)]
    if (![from, to, by].every(Number.isFinite)) return 'Write it like 4 to 40 by 4, or like 0, 2.5, 5'
    if (to < from) return 'The second value must be at least the first'
    if (by <= 0) return 'The step must be above 0'
    const count = Math.floor((to - from) / by + 1e-9) + 1
    if (count > MOST_VALUES) return `These are ${count} values; they must be at most ${MOST_VALUES}`
    return Array.from({ length: count }, (_, k) => withoutDust(from + k * by))
  }
  const parts = text.split(',').map((part) => part.trim())
  const values = parts.map(Number)
  if (parts.includes('') || !values.every(Number.isFinite)) return 'Write it like 4 to 40 by 4, or like 0, 2.5, 5'
  if (new Set(values).size < values.length) return 'Give each value once'
  return values.length > MOST_VALUES ? `These are ${values.length} values; they must be at most ${MOST_VALUES}` : values
}

const SearchedParameter = z.object({
  /** A mark of the rule's text, or a setting. */
  name: z
    .string()
    .regex(/^[a-z][A-Za-z0-9_]*$/, 'A name must begin with a small letter and have letters, digits and _ only')
    .max(30),
  /** What people call it; its name where none is given. */
  label: PlainName.max(40).optional(),
  values: z
    .array(z.number())
    .min(1, 'Give at least one value')
    .max(MOST_VALUES, 'A parameter must have at most 200 values')
    .refine((values) => new Set(values).size === values.length, 'Give each value once'),
})

/** What the lab trades on which candles, with none or several values of its parameters. */
export const LabRequest = z
  .object({
    kind: SearchKind,
    /** Of the kind `rule`: its text, with the numbers that are searched in braces: `enter: close > sma({days})`. */
    rule: RuleText.optional(),
    /** The stored rule that it is, but for its numbers. */
    ruleOrigin: RuleOrigin.optional(),
    /** Of the kind `policy`. */
    policy: SearchedPolicy.optional(),
    /** Whose P(up) the kind `signal` trades, and rules that look at a forecast; the current one where none is given. */
    mlModelVersion: ModelVersion.optional(),
    symbol: SymbolId,
    timeframe: Timeframe.default(BACKTEST_DEFAULTS.timeframe),
    /** Open times in ms; where `from` is left out, the newest `limit` candles up to `to`. */
    from: epochMs().int().nonnegative().optional(),
    to: epochMs().int().nonnegative().optional(),
    limit: z.number().int().min(100).max(MOST_SEARCHED_CANDLES).default(LAB_CANDLES),
    parameters: z.array(SearchedParameter).max(12),
    /** Left out: every combination. Else so many of them, drawn by the seed. */
    sample: z
      .object({
        points: z.number().int().min(2).max(MOST_COMBINATIONS),
        seed: z.number().int().min(0).max(2_147_483_647).default(1),
      })
      .optional(),
    keptPct: pct().min(0).max(50).default(SEARCH_DEFAULTS.keptPct),
    /** A combination that closed fewer trades cannot be the best. */
    minTrades: z.number().int().min(1).max(10_000).default(SEARCH_DEFAULTS.minTrades),
    marketType: MarketType.default('spot'),
    initialBalance: InitialBalance.default(SEARCH_DEFAULTS.initialBalance),
    feeRate: ratio().min(0).max(0.1).default(BACKTEST_DEFAULTS.feeRate),
    slippageBps: bps().min(0).max(1000).default(BACKTEST_DEFAULTS.slippageBps),
  })
  .superRefine((r, ctx) => {
    const refuse = (path: (string | number)[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    if (r.from !== undefined && r.to !== undefined && r.from >= r.to) refuse(['to'], 'to must be later than from')
    if (r.kind === 'rule' && r.rule === undefined) refuse(['rule'], 'Write the rule to search')
    if (r.kind === 'policy' && r.policy === undefined) refuse(['policy'], 'Choose the policy to search')
    if (r.kind === 'policy' && r.marketType === 'futures') refuse(['marketType'], 'A policy trades spot only')
    const marks = r.kind === 'rule' ? markedIn(r.rule ?? '') : []
    const names = r.parameters.map(({ name }) => name)
    for (const mark of marks)
      if (!names.includes(mark)) refuse(['parameters'], `The rule marks {${mark}}: give its values`)
    for (const [k, { name, values }] of r.parameters.entries()) {
      if (names.indexOf(name) < k) refuse(['parameters', k, 'name'], `${name} must be given once`)
      if (marks.includes(name)) continue
      if (!isSearchedSetting(name))
        refuse(
          ['parameters', k, 'name'],
          `${name} is neither a {mark} of the rule nor one of ${Object.keys(SEARCHED_SETTINGS).join(', ')}`,
        )
      else
        for (const value of values) {
          const wrong = SEARCHED_SETTINGS[name].wrong(value, r)
          if (wrong !== undefined) refuse(['parameters', k, 'values'], `${name} ${value}: ${wrong}`)
        }
    }
    const all = combinationsOf(r.parameters)
    if (r.sample === undefined && all > MOST_COMBINATIONS)
      refuse(
        ['parameters'],
        `${all} combinations are too many: they must be at most ${MOST_COMBINATIONS}. Give fewer values, or draw a sample`,
      )
    if (!Number.isSafeInteger(all)) refuse(['parameters'], 'These combinations are too many even to draw from')
  })

export const SearchRequest = LabRequest.refine((r) => combinationsOf(r.parameters) >= 2, {
  path: ['parameters'],
  message: 'A search must have at least 2 combinations',
})
export type SearchRequest = z.infer<typeof SearchRequest>
export type SearchRequestInput = z.input<typeof SearchRequest>

/** A stretch of candles: open times of the first and the last, ms, and how many. */
const Stretch = z.object({ from: epochMs(), to: epochMs(), candles: z.number().int() })

/**
 * Whether the best was looked at on the candles that no point saw: `opened` for it alone; `spent` where an earlier run of the
 * same user had reached into them, so that they prove nothing; `none` where none were kept.
 */
export const KeptState = z.enum(['opened', 'spent', 'none'])
export type KeptState = z.infer<typeof KeptState>

const SearchVerdict = z.object({
  /** By the reality check alone. `cannot_tell`: no better than luck, as far as these days can say. */
  code: z.enum(['better_than_luck', 'cannot_tell']),
  /** Share of reshuffled histories, its own included, whose best without any edge does as well. */
  p: z.number(),
  kept: KeptState,
  /** Combinations that were run. */
  points: z.number().int(),
  /** Sharpe ratio of the best, a year, of what its days brought over holding as much. */
  sharpe: z.number(),
})

export const SearchSummary = LabJob.extend({
  finishedAt: epochMs().nullable(),
  request: SearchRequest,
  /** Null until it is completed. */
  verdict: SearchVerdict.nullable(),
  /** Whether the caller may delete it. */
  own: z.boolean(),
})
export type SearchSummary = z.infer<typeof SearchSummary>

export const SearchResult = z.object({
  searched: Stretch.extend({ days: z.number().int() }),
  kept: Stretch.nullable(),
  /** Names and values as they were searched; `choices` of a point are places in them. */
  parameters: z.array(z.object({ name: z.string(), label: z.string(), values: z.array(z.number()) })),
  /** Every combination that was run. A figure is null of one with fewer trades than asked for. */
  points: z.object({
    /** Of each parameter, which value each point had. */
    choices: z.array(z.array(z.number().int())),
    sharpe: z.array(z.number().nullable()),
    netReturnPct: z.array(z.number()),
    maxDrawdownPct: z.array(z.number()),
    trades: z.array(z.number().int()),
  }),
  /** Of those with enough trades, by Sharpe ratio. */
  best: z.object({
    point: z.number().int(),
    /** What a bot of it has. */
    values: z.record(z.string(), z.number()),
    rule: z.string().nullable(),
    sharpe: z.number(),
    /** 95 %, as if it had been the only one. */
    interval: Interval.nullable(),
    /** The searched candle at which its drawdown limit ended it (open time, ms). Missing in old searches. */
    haltedAt: epochMs().nullish(),
  }),
  /** Of the best 20, by Sharpe ratio: its 95 % interval, as if each had been the only one. Missing in old searches. */
  intervals: z.array(z.object({ point: z.number().int(), interval: Interval.nullable() })).default([]),
  /** What luck alone is expected to show of as many tries, as a yearly Sharpe ratio; all that were counted on the series. */
  luck: z.object({
    sharpe: z.number(),
    tries: z.number().int(),
    /** Independent tries that they stand for, and how alike the points of this search were. */
    effectiveTries: z.number(),
    meanCorrelation: z.number(),
    /** Probability that the best is truly above it: the deflated Sharpe ratio. */
    probability: z.number(),
    /** Days after which a ratio as that of the best would be above luck's; null where it is not above it. */
    minTrackRecordDays: z.number().nullable(),
  }),
  /** How often the best of one half of the history was in the lower half on the other; null of fewer than 32 days. */
  overfitting: z.object({ probability: z.number(), choices: z.number().int() }).nullable(),
  /** The best on the kept part; null where none was kept, or it was opened before. */
  keptRun: z
    .object({
      returnPct: pct(),
      interval: Interval.nullable(),
      holdPct: pct(),
      trades: z.number().int(),
      maxDrawdownPct: pct(),
    })
    .nullable(),
  fundingAssumed: FundingAssumed.default(null),
  moved: z.array(z.object({ name: z.string(), share: z.number(), best: z.number(), worst: z.number() })),
  /** Equity over its beginning, percent, at daily closes (ms): of the best up to the end of what it was shown on. */
  curves: z.object({
    t: z.array(z.number()),
    best: z.array(z.number().nullable()),
    median: z.array(z.number().nullable()),
    worst: z.array(z.number().nullable()),
    hold: z.array(z.number()),
  }),
  /** Of a search that asked a model: its version, and the share of the searched candles that it had seen, 0–1. */
  model: z.object({ version: ModelVersion, seenRatio: ratio() }).nullable(),
  seconds: z.number(),
})
export type SearchResult = z.infer<typeof SearchResult>

export const Search = SearchSummary.extend({
  /** By the user of the search on its series, now. */
  tries: Trials,
  result: SearchResult.nullable(),
})
export type Search = z.infer<typeof Search>

/** Whether settings may be taken as more than luck: by the reality check, on a kept part that was opened for them. */
export const isEarned = (verdict: { p: number; kept: KeptState }): boolean =>
  verdict.p <= SEARCH_LEVEL && verdict.kept === 'opened'

export const searches = tradingEndpoint('GET /api/searches', {
  summary: "The caller's searches, the newest first (an admin sees everybody's).",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  reply: z.array(SearchSummary),
})

export const search = tradingEndpoint('GET /api/searches/:id', {
  summary:
    'One search: how far it is and, once completed, its verdict and every combination. Its own user or an admin.',
  reply: Search,
})

export const searchGround = tradingEndpoint('GET /api/searches/ground', {
  summary:
    'What a search would stand on: its candles and kept part, whether an earlier run of the caller has opened that, and what the caller tried on the series.',
  query: z.object({
    symbol: SymbolId,
    timeframe: Timeframe,
    from: z.coerce.number().int().nonnegative().optional(),
    to: z.coerce.number().int().nonnegative().optional(),
    limit: z.coerce.number().int().min(100).max(MOST_SEARCHED_CANDLES).default(LAB_CANDLES),
    keptPct: z.coerce.number().min(0).max(50).default(SEARCH_DEFAULTS.keptPct),
  }),
  reply: z.object({
    searched: Stretch,
    kept: Stretch.nullable(),
    /** When a run of the caller first reached into the kept part, ms; null where none did. */
    keptOpenedAt: epochMs().nullable(),
    tries: Trials,
  }),
  errors: ['no_candles', 'unknown_symbol'],
})

export const createSearch = tradingEndpoint('POST /api/searches', {
  summary:
    'Queue a search over the settings of a rule, a policy or the model signal. Each combination that is run counts as a try on the series.',
  access: 'manager',
  touches: [searches],
  body: SearchRequest,
  reply: z.object({ id: z.uuid() }),
  errors: ['no_candles', 'too_few_candles', 'unknown_symbol', 'model_not_trained', 'needs_model', 'too_many_requests'],
})

export const deleteSearch = tradingEndpoint('DELETE /api/searches/:id', {
  summary: 'Delete a search that is over. Its tries stay counted. Its own user or an admin.',
  touches: [searches],
  errors: ['not_found', 'conflict'],
})

export const takeSearch = tradingEndpoint('POST /api/searches/:id/take', {
  summary:
    'Make a virtual bot, stopped, with the settings of the best. Where the verdict is not better than luck with an opened kept part, `anyway` must say so; the bot then carries that verdict. Its own user or an admin.',
  touches: 'everything',
  body: z.object({ name: PlainName.min(1, 'A name is required').max(60), anyway: z.boolean().default(false) }),
  reply: z.object({ botId: z.uuid() }),
  errors: ['not_found', 'conflict', 'unprocessable', 'too_many_requests', 'model_not_trained', 'unknown_symbol'],
})

export const exportSearch = labFile('/api/searches/:id/export', 'Every combination of a completed search')
