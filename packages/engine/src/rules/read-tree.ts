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

const CONDITIONS = ['enter', 'exit', 'short', 'cover'] as const
const PERCENTAGES = { stopPct: 100, targetPct: 1000, trailPct: 100 } as const

/** The rule of blocks that came from outside. Throws RuleProblem, which names the block. */
export function readRule(json: unknown): Rule {
  const reader = new Reader()
  const given = reader.object(json, 'the rule', [...CONDITIONS, ...Object.keys(PERCENTAGES), 'timeCandles'])
  const condition = (name: (typeof CONDITIONS)[number]) =>
    given[name] == null ? null : reader.condition(given[name], name, 1)
  const number = (name: string, isRight: (value: number) => boolean, what: string) => {
    const value = given[name] ?? null
    if (value === null || (typeof value === 'number' && isRight(value))) return value
    throw new RuleProblem(`${name} ${what}.`)
  }
  const pct = (name: keyof typeof PERCENTAGES) =>
    number(name, (value) => value > 0 && value < PERCENTAGES[name], `must be above 0 and below ${PERCENTAGES[name]}`)
  const rule: Rule = {
    enter: condition('enter'),
    exit: condition('exit'),
    short: condition('short'),
    cover: condition('cover'),
    stopPct: pct('stopPct'),
    targetPct: pct('targetPct'),
    trailPct: pct('trailPct'),
    timeCandles: number(
      'timeCandles',
      (value) => Number.isInteger(value) && value >= 1 && value <= 100_000,
      'must be a whole number of candles from 1 to 100000',
    ),
  }
  requireRunnable(rule, (what) => new RuleProblem(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`))
  if (ruleText(rule).length > RULE_LIMITS.characters)
    throw new RuleProblem(`As text a rule must have at most ${RULE_LIMITS.characters} characters.`)
  return rule
}

class Reader {
  #nodes = 0

  object(json: unknown, at: string, keys: readonly string[]): Json {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new RuleProblem(`${at} must be a block, an object.`)
    const unknown = Object.keys(json).find((key) => !keys.includes(key))
    if (unknown !== undefined) throw new RuleProblem(`${at} has ‘${unknown}’, which means nothing there.`)
    return json as Json
  }

  condition(json: unknown, at: string, depth: number): Condition {
    const node = this.#node(json, at, depth)
    if (isCondition(node)) return node
    throw new RuleProblem(`${at} must be a condition; ${node.kind} is a value.`)
  }

  #value(json: unknown, at: string, depth: number): Value {
    const node = this.#node(json, at, depth)
    if (!isCondition(node)) return node
    throw new RuleProblem(`${at} must be a value; ${node.kind} is a condition.`)
  }

  #node(json: unknown, at: string, depth: number): Node {
    if (++this.#nodes > RULE_LIMITS.nodes) throw new RuleProblem(`A rule must have at most ${RULE_LIMITS.nodes} parts.`)
    if (depth > RULE_LIMITS.depth) throw new RuleProblem(`A rule must be nested at most ${RULE_LIMITS.depth} deep.`)
    const { kind } = this.object(json, at, ['kind', ...ALL_KEYS]) as { kind: unknown }
    const read = typeof kind === 'string' && Object.hasOwn(KEYS, kind) ? (kind as Node['kind']) : null
    if (read === null) throw new RuleProblem(`${at}.kind must be one of ${Object.keys(KEYS).join(', ')}.`)
    const block = this.object(json, at, ['kind', ...KEYS[read]])
    const value = (name: string) => this.#value(block[name], `${at}.${name}`, depth + 1)
    const sides = () => ({ left: value('left'), right: value('right') })
    switch (read) {
      case 'number': {
        const number = this.#number(block, 'value', at, (x) => x >= 0 && !Object.is(x, -0), 'a number, 0 or above')
        if (block.unit === undefined) return { kind: read, value: number }
        return { kind: read, value: number, unit: this.#oneOf(block, 'unit', at, ['%'] as const) }
      }
      case 'series':
        return { kind: read, name: this.#oneOf(block, 'name', at, SERIES) }
      case 'median':
        return { kind: read, horizon: this.#whole(block, 'horizon', at, RULE_LIMITS.horizon) }
      case 'indicator':
        return this.#indicator(block, at, depth)
      case 'function': {
        const name = this.#oneOf(block, 'name', at, Object.keys(FUNCTIONS) as FunctionName[])
        const of = this.#list(block, at, FUNCTIONS[name], FUNCTIONS[name])
        return { kind: read, name, of: of.map((part, k) => this.#value(part, `${at}.of[${k}]`, depth + 1)) }
      }
      case 'negate':
        return { kind: read, of: value('of') }
      case 'arithmetic':
        return { kind: read, op: this.#oneOf(block, 'op', at, ARITHMETIC), ...sides() }
      case 'ago':
        return { kind: read, candles: this.#whole(block, 'candles', at, RULE_LIMITS.lookBackCandles), of: value('of') }
      case 'compare':
        return { kind: read, op: this.#oneOf(block, 'op', at, COMPARISONS), ...sides() }
      case 'crosses':
        return { kind: read, direction: this.#oneOf(block, 'direction', at, ['above', 'below'] as const), ...sides() }
      case 'and':
      case 'or': {
        const of = this.#list(block, at, 2, RULE_LIMITS.nodes)
        return { kind: read, of: of.map((part, k) => this.condition(part, `${at}.of[${k}]`, depth + 1)) }
      }
      case 'not':
        return { kind: read, of: this.condition(block.of, `${at}.of`, depth + 1) }
      case 'before': {
        const candles = this.#whole(block, 'candles', at, RULE_LIMITS.lookBackCandles)
        return { kind: read, candles, of: this.condition(block.of, `${at}.of`, depth + 1) }
      }
      default:
        return read satisfies never
    }
  }

  #indicator(block: Json, at: string, depth: number): Value {
    const name = typeof block.name === 'string' ? block.name : ''
    const signature = signatureOf(name)
    if (signature === undefined) throw new RuleProblem(`${at}.name is no indicator: ‘${name}’.`)
    if (block.input != null && signature.input === null)
      throw new RuleProblem(`${at}.input must be left out: ${name} takes candles as they are.`)
    const { length } = signature.parameters
    const parameters = this.#list(block, at, length, length, 'parameters').map((value, k) => {
      const wrong = typeof value === 'number' ? wrongParameter(signature.parameters[k]!, value) : 'must be a number'
      if (wrong !== null) throw new RuleProblem(`${at}.parameters[${k}]: ${wrong}.`)
      return value as number
    })
    const input = block.input == null ? null : this.#value(block.input, `${at}.input`, depth + 1)
    return { kind: 'indicator', name, input, parameters }
  }

  #number(block: Json, name: string, at: string, isRight: (value: number) => boolean, what: string): number {
    const value = block[name]
    if (typeof value === 'number' && Number.isFinite(value) && isRight(value)) return value
    throw new RuleProblem(`${at}.${name} must be ${what}.`)
  }

  #whole(block: Json, name: string, at: string, max: number): number {
    const isRight = (value: number) => Number.isInteger(value) && value >= 1 && value <= max
    return this.#number(block, name, at, isRight, `a whole number from 1 to ${max}`)
  }

  #oneOf<T extends string>(block: Json, name: string, at: string, known: readonly T[]): T {
    const found = known.find((each) => each === block[name])
    if (found !== undefined) return found
    throw new RuleProblem(`${at}.${name} must be one of ${known.join(', ')}.`)
  }

  #list(block: Json, at: string, least: number, most: number, name = 'of'): readonly unknown[] {
    const list = block[name]
    if (Array.isArray(list) && list.length >= least && list.length <= most) return list
    const many = least === most ? `${least}` : `${least} to ${most}`
    throw new RuleProblem(`${at}.${name} must be a list of ${many}.`)
  }
}

/** What a block of each kind has beside its kind. */
const KEYS = {
  number: ['value', 'unit'],
  series: ['name'],
  median: ['horizon'],
  indicator: ['name', 'input', 'parameters'],
  function: ['name', 'of'],
  negate: ['of'],
  arithmetic: ['op', 'left', 'right'],
  ago: ['candles', 'of'],
  compare: ['op', 'left', 'right'],
  crosses: ['direction', 'left', 'right'],
  and: ['of'],
  or: ['of'],
  not: ['of'],
  before: ['candles', 'of'],
} as const satisfies Record<Node['kind'], readonly string[]>
const ALL_KEYS = [...new Set(Object.values(KEYS).flat())]
