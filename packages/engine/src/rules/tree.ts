/**
 * A rule as blocks: plain JSON, the same as its text (`ruleText`, `parseRule`). Conditions are true, false or, while an
 * indicator warms up, unknown; a rule acts only on what is true.
 */
export interface Rule {
  /** Opens a long position. */
  readonly enter: Condition | null
  /** Closes a long position. */
  readonly exit: Condition | null
  /** Opens a short position. */
  readonly short: Condition | null
  /** Closes a short position. */
  readonly cover: Condition | null
  /** Percent of the entry price. */
  readonly stopPct: number | null
  readonly targetPct: number | null
  /** Percent of the best price since the entry. */
  readonly trailPct: number | null
  /** Candles after which a position is closed. */
  readonly timeCandles: number | null
}

export type Condition =
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: Value; readonly right: Value }
  | { readonly kind: 'crosses'; readonly direction: 'above' | 'below'; readonly left: Value; readonly right: Value }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'before'; readonly candles: number; readonly of: Condition }

export type Value =
  /** Not negative; of 60 % the value is 60 and the unit says the rest. */
  | { readonly kind: 'number'; readonly value: number; readonly unit?: '%' }
  | { readonly kind: 'series'; readonly name: SeriesName }
  /** `input` is null where the indicator takes its usual one, or none. */
  | {
      readonly kind: 'indicator'
      readonly name: string
      readonly input: Value | null
      readonly parameters: readonly number[]
    }
  | { readonly kind: 'function'; readonly name: FunctionName; readonly of: readonly Value[] }
  | { readonly kind: 'negate'; readonly of: Value }
  | { readonly kind: 'arithmetic'; readonly op: Arithmetic; readonly left: Value; readonly right: Value }
  /** The value so many candles before. */
  | { readonly kind: 'ago'; readonly candles: number; readonly of: Value }
  /** The model's median of the close so many candles ahead, quote. */
  | { readonly kind: 'median'; readonly horizon: number }

export type Node = Condition | Value

export const COMPARISONS = ['<', '<=', '>', '>=', '==', '!='] as const
export type Comparison = (typeof COMPARISONS)[number]
export const ARITHMETIC = ['+', '-', '*', '/'] as const
export type Arithmetic = (typeof ARITHMETIC)[number]

/** Of candles; of the moment of their close (UTC); of the model's forecast. */
export const CANDLE_SERIES = ['open', 'high', 'low', 'close', 'volume'] as const
export const TIME_SERIES = ['hour', 'weekday', 'day'] as const
export const FORECAST_SERIES = ['p_up', 'sigma', 'edge'] as const
export const SERIES = [...CANDLE_SERIES, ...TIME_SERIES, ...FORECAST_SERIES] as const
export type SeriesName = (typeof SERIES)[number]

/** With the number of values that each takes. */
export const FUNCTIONS = { abs: 1, min: 2, max: 2 } as const
export type FunctionName = keyof typeof FUNCTIONS

/** What a rule may be at most. Candles are those that all of it together looks back over. */
export const RULE_LIMITS = {
  characters: 4000,
  nodes: 300,
  depth: 30,
  lookBackCandles: 10_000,
  horizon: 8,
} as const

const CONDITIONS = ['compare', 'crosses', 'and', 'or', 'not', 'before']
export const isCondition = (node: Node): node is Condition => CONDITIONS.includes(node.kind)

/** The parts of a node, in the order in which they are written. */
export function partsOf(node: Node): readonly Node[] {
  if ('left' in node) return [node.left, node.right]
  if ('of' in node) return [node.of].flat()
  return 'input' in node && node.input !== null ? [node.input] : []
}

/** The conditions that a rule has. */
export const conditionsOf = ({ enter, exit, short, cover }: Rule): Condition[] =>
  [enter, exit, short, cover].filter((condition) => condition !== null)

/** Whether a part looks at a model's forecast. */
export const asksModel = (node: Node): boolean =>
  node.kind === 'median' ||
  (node.kind === 'series' && FORECAST_SERIES.some((name) => name === node.name)) ||
  partsOf(node).some(asksModel)

/** Whether a rule looks at a model's forecast. */
export const ruleAsksModel = (rule: Rule): boolean => conditionsOf(rule).some(asksModel)
