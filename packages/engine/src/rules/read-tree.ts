import { ruleText } from './print.ts'
import { RuleProblem } from './problem.ts'
import {
  ARITHMETIC,
  COMPARISONS,
  type Condition,
  FUNCTIONS,
  type FunctionName,
  isCondition,
  type Node,
  RULE_LIMITS,
  type Rule,
  SERIES,
  type Value,
} from './tree.ts'
import { requireRunnable } from './validity.ts'
import { signatureOf, wrongParameter } from './vocabulary.ts'

type Json = Readonly<Record<string, unknown>>

/** The rule of blocks that came from outside. Throws RuleProblem, which names the block. */
export function readRule(json: unknown): Rule {
  const rule = new Reader().fields(json, 'the rule', RULE, '', 1) as unknown as Rule
  requireRunnable(rule, (what) => new RuleProblem(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`))
  if (ruleText(rule).length > RULE_LIMITS.characters)
    throw new RuleProblem(`As text a rule must have at most ${RULE_LIMITS.characters} characters.`)
  return rule
}

/** Reads one field of a block. `at` names it, `depth` is that of the nodes in it. */
type Read = (json: unknown, at: string, inside: { reader: Reader; block: Json; depth: number }) => unknown

const value: Read = (json, at, { reader, depth }) => reader.value(json, at, depth)
const condition: Read = (json, at, { reader, depth }) => reader.condition(json, at, depth)

const oneOf =
  (known: readonly string[]): Read =>
  (json, at) => {
    if (known.some((each) => each === json)) return json
    throw new RuleProblem(`${at} must be one of ${known.join(', ')}.`)
  }

const number =
  (isRight: (value: number) => boolean, what: string): Read =>
  (json, at) => {
    if (typeof json === 'number' && Number.isFinite(json) && isRight(json)) return json
    throw new RuleProblem(`${at} must be ${what}.`)
  }

const whole = (max: number, what = 'whole number'): Read =>
  number((x) => Number.isInteger(x) && x >= 1 && x <= max, `a ${what} from 1 to ${max}`)
const pct = (below: number): Read => number((x) => x > 0 && x < below, `above 0 and below ${below}`)

const orNull =
  (of: Read): Read =>
  (json, at, inside) =>
    json == null ? null : of(json, at, inside)

const list =
  (of: Read, least: number, most: number): Read =>
  (json, at, inside) => {
    if (Array.isArray(json) && json.length >= least && json.length <= most)
      return json.map((part, k) => of(part, `${at}[${k}]`, inside))
    throw new RuleProblem(`${at} must be a list of ${least === most ? least : `${least} to ${most}`}.`)
  }

const indicatorName: Read = (json, at) => {
  if (typeof json === 'string' && signatureOf(json) !== undefined) return json
  throw new RuleProblem(`${at} is no indicator: ‘${typeof json === 'string' ? json : ''}’.`)
}

const indicatorInput: Read = (json, at, inside) => {
  const { name } = inside.block as { name: string }
  if (signatureOf(name)!.input !== null) return value(json, at, inside)
  throw new RuleProblem(`${at} must be left out: ${name} takes candles as they are.`)
}

const parameters: Read = (json, at, inside) => {
  const all = signatureOf((inside.block as { name: string }).name)!.parameters
  const given = list((part) => part, all.length, all.length)(json, at, inside) as unknown[]
  for (const [k, part] of given.entries()) {
    const wrong = typeof part === 'number' ? wrongParameter(all[k]!, part) : 'must be a number'
    if (wrong !== null) throw new RuleProblem(`${at}[${k}]: ${wrong}.`)
  }
  return given
}

const operands: Read = (json, at, inside) => {
  const count = FUNCTIONS[inside.block.name as FunctionName]
  return list(value, count, count)(json, at, inside)
}

const sides = { left: value, right: value }
const joined = { of: list(condition, 2, RULE_LIMITS.nodes) }
const candles = whole(RULE_LIMITS.lookBackCandles)

/** What a block of each kind has beside its kind; what is read as undefined is left out. */
const FIELDS: Readonly<Record<Node['kind'], Readonly<Record<string, Read>>>> = {
  number: {
    value: number((x) => x >= 0 && !Object.is(x, -0), 'a number, 0 or above'),
    unit: (json, at, inside) => (json === undefined ? undefined : oneOf(['%'])(json, at, inside)),
  },
  series: { name: oneOf(SERIES) },
  median: { horizon: whole(RULE_LIMITS.horizon) },
  indicator: { name: indicatorName, input: orNull(indicatorInput), parameters },
  function: { name: oneOf(Object.keys(FUNCTIONS)), of: operands },
  negate: { of: value },
  arithmetic: { op: oneOf(ARITHMETIC), ...sides },
  ago: { candles, of: value },
  compare: { op: oneOf(COMPARISONS), ...sides },
  crosses: { direction: oneOf(['above', 'below']), ...sides },
  and: joined,
  or: joined,
  not: { of: condition },
  before: { candles, of: condition },
}
/** What a rule has; what is left out is null. */
const RULE: Readonly<Record<keyof Rule, Read>> = {
  enter: orNull(condition),
  exit: orNull(condition),
  short: orNull(condition),
  cover: orNull(condition),
  stopPct: orNull(pct(100)),
  targetPct: orNull(pct(1000)),
  trailPct: orNull(pct(100)),
  timeCandles: orNull(whole(100_000, 'whole number of candles')),
}
const ALL_KEYS = ['kind', ...new Set(Object.values(FIELDS).flatMap(Object.keys))]

class Reader {
  #nodes = 0

  /** A block by what it has; `path` stands before the names of its fields, `depth` is that of the nodes in it. */
  fields(json: unknown, at: string, fields: Readonly<Record<string, Read>>, path: string, depth: number): Json {
    const block = this.#object(json, at, Object.keys(fields))
    const inside = { reader: this, block, depth }
    const read = Object.entries(fields).map(([name, of]) => [name, of(block[name], `${path}${name}`, inside)])
    return Object.fromEntries(read.filter(([, part]) => part !== undefined))
  }

  condition(json: unknown, at: string, depth: number): Condition {
    const node = this.#node(json, at, depth)
    if (isCondition(node)) return node
    throw new RuleProblem(`${at} must be a condition; ${node.kind} is a value.`)
  }

  value(json: unknown, at: string, depth: number): Value {
    const node = this.#node(json, at, depth)
    if (!isCondition(node)) return node
    throw new RuleProblem(`${at} must be a value; ${node.kind} is a condition.`)
  }

  #node(json: unknown, at: string, depth: number): Node {
    if (++this.#nodes > RULE_LIMITS.nodes) throw new RuleProblem(`A rule must have at most ${RULE_LIMITS.nodes} parts.`)
    if (depth > RULE_LIMITS.depth) throw new RuleProblem(`A rule must be nested at most ${RULE_LIMITS.depth} deep.`)
    const { kind } = this.#object(json, at, ALL_KEYS)
    if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind))
      throw new RuleProblem(`${at}.kind must be one of ${Object.keys(FIELDS).join(', ')}.`)
    const fields = { kind: oneOf([kind]), ...FIELDS[kind as Node['kind']] }
    return this.fields(json, at, fields, `${at}.`, depth + 1) as unknown as Node
  }

  #object(json: unknown, at: string, keys: readonly string[]): Json {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new RuleProblem(`${at} must be a block, an object.`)
    const unknown = Object.keys(json).find((key) => !keys.includes(key))
    if (unknown !== undefined) throw new RuleProblem(`${at} has ‘${unknown}’, which means nothing there.`)
    return json as Json
  }
}
