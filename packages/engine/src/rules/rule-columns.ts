import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '../candles.ts'
import { indicatorColumn } from './indicator-columns.ts'
import { nodeText } from './print.ts'
import type { Comparison, Condition, SeriesName, Value } from './tree.ts'

/** What a model says at the close of each candle; NaN where it says nothing. */
export interface RuleForecast {
  /** Calibrated probability of a rise, 0–1. */
  readonly pUp: Float64Array
  /** Yearly volatility by its fan, ratio. */
  readonly sigma: Float64Array
  /** Of the called direction, after costs, basis points. */
  readonly edgeBps: Float64Array
  /** Of the close 1, 2, … candles ahead, quote. */
  readonly medians: readonly Float64Array[]
}

/** What rules look at. */
export interface RuleData {
  readonly candles: Candles
  readonly timeframe: Timeframe
  readonly forecast: RuleForecast | null
}

/** A condition at a candle. Unknown where a value of it is, unless the rest decides. */
export const TRUTH = { FALSE: 0, TRUE: 1, UNKNOWN: 2 } as const

/** Works out parts of rules, each once: rules that share a part share its column. */
export interface RuleColumns extends RuleData {
  value(node: Value): Float64Array
  /** Codes of TRUTH. */
  truth(node: Condition): Uint8Array
}

/** `indicators` keeps those columns where several rules look at the same candles, each with columns of its own. */
export function createRuleColumns(data: RuleData, indicators: Kept<Float64Array> = new Map()): RuleColumns {
  const values = new Map<string, Float64Array>()
  const truths = new Map<string, Uint8Array>()
  const columns: RuleColumns = {
    ...data,
    value: (node) => kept(node.kind === 'indicator' ? indicators : values, node, () => valueColumn(node, columns)),
    truth: (node) => kept(truths, node, () => truthColumn(node, columns)),
  }
  return columns
}

type Kept<T> = Pick<Map<string, T>, 'get' | 'set'>

function kept<T>(known: Kept<T>, node: Value | Condition, make: () => T): T {
  const key = nodeText(node)
  const made = known.get(key) ?? make()
  known.set(key, made)
  return made
}

function valueColumn(node: Value, columns: RuleColumns): Float64Array {
  const { candles, timeframe, forecast, value } = columns
  const { length } = candles
  const unknown = () => new Float64Array(length).fill(Number.NaN)
  switch (node.kind) {
    case 'number':
      return new Float64Array(length).fill(node.unit === '%' ? node.value / 100 : node.value)
    case 'series':
      return seriesColumn(node.name, columns) ?? unknown()
    case 'median':
      return forecast?.medians[node.horizon - 1] ?? unknown()
    case 'indicator':
      return indicatorColumn(node, node.input === null ? null : value(node.input), candles, timeframe)
    case 'negate':
      return value(node.of).map((x) => -x)
    case 'ago':
      return shifted(value(node.of), node.candles, unknown())
    case 'function': {
      const [a, b] = node.of.map(value)
      if (node.name === 'abs') return a!.map(Math.abs)
      const of = node.name === 'min' ? Math.min : Math.max
      return a!.map((x, i) => of(x, b![i]!))
    }
    case 'arithmetic': {
      const [a, b] = [value(node.left), value(node.right)]
      const of = ARITHMETIC[node.op]
      const out = new Float64Array(length)
      for (let i = 0; i < length; i++) out[i] = of(a[i]!, b[i]!)
      return out
    }
    default:
      return node satisfies never
  }
}

const finite = (x: number): number => (Number.isFinite(x) ? x : Number.NaN)
const ARITHMETIC = {
  '+': (a: number, b: number) => finite(a + b),
  '-': (a: number, b: number) => finite(a - b),
  '*': (a: number, b: number) => finite(a * b),
  '/': (a: number, b: number) => finite(a / b),
} as const

function seriesColumn(name: SeriesName, { candles, timeframe, forecast }: RuleColumns): Float64Array | undefined {
  const closing = (of: (date: Date) => number) => candles.ts.map((ts) => of(new Date(ts + TIMEFRAME_MS[timeframe])))
  switch (name) {
    case 'hour':
      return closing((date) => date.getUTCHours())
    case 'weekday':
      return closing((date) => date.getUTCDay() || 7)
    case 'day':
      return closing((date) => date.getUTCDate())
    case 'p_up':
      return forecast?.pUp
    case 'sigma':
      return forecast?.sigma
    case 'edge':
      return forecast?.edgeBps
    default:
      return candles[name]
  }
}

function shifted<T extends Float64Array | Uint8Array>(of: T, candles: number, into: T): T {
  if (candles < of.length) into.set(of.subarray(0, of.length - candles), candles)
  return into
}

const COMPARE: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

function truthColumn(node: Condition, columns: RuleColumns): Uint8Array {
  const { candles, value, truth } = columns
  const { FALSE, TRUE, UNKNOWN } = TRUTH
  const out = new Uint8Array(candles.length).fill(UNKNOWN)
  switch (node.kind) {
    case 'compare': {
      const [a, b] = [value(node.left), value(node.right)]
      const holds = COMPARE[node.op]
      for (let i = 0; i < out.length; i++)
        if (!Number.isNaN(a[i]!) && !Number.isNaN(b[i]!)) out[i] = holds(a[i]!, b[i]!) ? TRUE : FALSE
      return out
    }
    case 'crosses': {
      const [a, b] = [value(node.left), value(node.right)]
      const sign = node.direction === 'above' ? 1 : -1
      for (let i = 1, before = sign * (a[0]! - b[0]!); i < out.length; i++) {
        const now = sign * (a[i]! - b[i]!)
        if (!Number.isNaN(now) && !Number.isNaN(before)) out[i] = now > 0 && before <= 0 ? TRUE : FALSE
        before = now
      }
      return out
    }
    case 'and':
    case 'or': {
      const decisive = node.kind === 'and' ? FALSE : TRUE
      const parts = node.of.map(truth)
      for (let i = 0; i < out.length; i++) out[i] = joined(parts, i, decisive)
      return out
    }
    case 'not':
      return truth(node.of).map((known) => (known === UNKNOWN ? UNKNOWN : 1 - known))
    case 'before':
      return shifted(truth(node.of), node.candles, out)
    default:
      return node satisfies never
  }
}

/** The result of parts; a `decisive` one decides. */
function joined(parts: readonly Uint8Array[], i: number, decisive: number): number {
  let all = 1 - decisive
  for (const part of parts) {
    if (part[i] === decisive) return decisive
    if (part[i] === TRUTH.UNKNOWN) all = TRUTH.UNKNOWN
  }
  return all
}
