import { nearestWord, problemAt, type RuleProblem, shownWord } from './problem.ts'
import { type Token, tokensOf } from './tokens.ts'
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
  type SeriesName,
  type Value,
} from './tree.ts'
import { requireRunnable } from './validity.ts'
import { signatureOf, VALUE_WORDS, wrongParameter } from './vocabulary.ts'

const SECTIONS = ['enter', 'exit', 'short', 'cover', 'stop', 'target', 'trail', 'time'] as const
type Section = (typeof SECTIONS)[number]

/** How strongly each holds together what stands beside it. */
const POWER = { or: 1, and: 2, not: 3, compare: 4, sum: 5, product: 6, negate: 7 } as const

/** A node, and where in the text it stands. */
interface Parsed<N extends Node = Node> {
  readonly node: N
  readonly offset: number
  readonly end: number
  readonly depth: number
}

/** The rule of a text (docs/rules.md). Throws RuleProblem, which says where it cannot be read and what was expected. */
export const parseRule = (text: string): Rule => parserOf(text).rule()

/** The rule of a text that need not be complete yet: an empty text is a rule without conditions. Throws as `parseRule`. */
export const parseDraft = (text: string): Rule => parserOf(text).draft()

/** A condition or a value that stands alone. Throws as `parseRule`. */
export const parsePart = (text: string): Node => parserOf(text).part()

function parserOf(text: string): Parser {
  if (text.length > RULE_LIMITS.characters)
    throw problemAt(
      text,
      { offset: RULE_LIMITS.characters, length: 1 },
      `a rule must have at most ${RULE_LIMITS.characters} characters, this one has ${text.length}`,
    )
  return new Parser(text)
}

class Parser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0
  #nodes = 0
  #nesting = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  rule(): Rule {
    const rule = this.draft()
    requireRunnable(rule, (what) => this.#problem(this.#next, what))
    return rule
  }

  part(): Node {
    const { node } = this.#expression(0)
    if (this.#next.kind !== 'end') throw this.#expected('the end')
    return node
  }

  draft(): Rule {
    const found = new Map<Section, Condition | number>()
    while (this.#next.kind !== 'end') {
      const section = this.#section()
      if (found.has(section.name)) throw this.#problem(section.token, `‘${section.name}:’ must be given once`)
      found.set(section.name, this.#content(section.name))
    }
    const condition = (name: Section) => (found.get(name) as Condition | undefined) ?? null
    const number = (name: Section) => (found.get(name) as number | undefined) ?? null
    return {
      enter: condition('enter'),
      exit: condition('exit'),
      short: condition('short'),
      cover: condition('cover'),
      stopPct: number('stop'),
      targetPct: number('target'),
      trailPct: number('trail'),
      timeCandles: number('time'),
    }
  }

  get #next(): Token {
    return this.#tokens[this.#at]!
  }

  #problem({ offset, text }: Pick<Token, 'offset' | 'text'>, what: string, suggestion?: string | null): RuleProblem {
    return problemAt(this.#text, { offset, length: Math.max(1, text.length) }, what, suggestion)
  }

  #expected(what: string): RuleProblem {
    const { kind, text } = this.#next
    return this.#problem(this.#next, `expected ${what}, found ${kind === 'end' ? 'the end' : shownWord(text)}`)
  }

  #take(text: string): Token | null {
    return this.#next.text === text ? this.#tokens[this.#at++]! : null
  }

  #require(text: string): Token {
    const taken = this.#take(text)
    if (taken === null) throw this.#expected(`‘${text}’`)
    return taken
  }

  #section(): { name: Section; token: Token } {
    const token = this.#next
    const name = SECTIONS.find((section) => section === token.text)
    if (name === undefined || this.#tokens[this.#at + 1]?.text !== ':') {
      const isSection = this.#tokens[this.#at + 1]?.text === ':'
      const hint = isSection ? nearestWord(token.text, SECTIONS) : null
      if (this.#at === 0 || isSection)
        throw this.#problem(
          token,
          `expected ${SECTIONS.map((each) => `${each}:`).join(' ')}, found ${shownWord(token.text)}`,
          hint,
        )
      throw this.#expected('and, or, a comparison, the next part of the rule (as exit:) or the end')
    }
    this.#at += 2
    return { name, token }
  }

  #content(section: Section): Condition | number {
    switch (section) {
      case 'stop':
      case 'target':
      case 'trail': {
        const { value, token } = this.#number('a percentage, as 3%')
        this.#require('%')
        if (value > 0 && value < (section === 'target' ? 1000 : 100)) return value
        throw this.#problem(token, `must be above 0% and below ${section === 'target' ? 1000 : 100}%`)
      }
      case 'time': {
        const { value, token } = this.#number('a number of candles, as 48')
        if (Number.isInteger(value) && value >= 1 && value <= 100_000) return value
        throw this.#problem(token, 'must be a whole number of candles from 1 to 100000')
      }
      default:
        return this.#condition(this.#expression(0)).node
    }
  }

  #number(what: string): { value: number; token: Token } {
    const token = this.#next
    if (token.kind !== 'number') throw this.#expected(what)
    this.#at++
    const value = Number(token.text)
    if (!Number.isFinite(value)) throw this.#problem(token, 'this number is too large')
    return { value, token }
  }

  #build<N extends Node>(node: N, offset: number, parts: readonly Parsed[]): Parsed<N> {
    const end = this.#tokens[this.#at - 1]!.offset + this.#tokens[this.#at - 1]!.text.length
    const depth = 1 + Math.max(0, ...parts.map((part) => part.depth))
    const token = { offset, text: this.#text.slice(offset, end) }
    if (++this.#nodes > RULE_LIMITS.nodes)
      throw this.#problem(token, `a rule must have at most ${RULE_LIMITS.nodes} parts`)
    if (depth > RULE_LIMITS.depth) throw this.#problem(token, `a rule must be nested at most ${RULE_LIMITS.depth} deep`)
    return { node, offset, end, depth }
  }

  #condition({ node, offset, end, depth }: Parsed): Parsed<Condition> {
    if (isCondition(node)) return { node, offset, end, depth }
    const text = this.#text.slice(offset, end)
    throw this.#problem({ offset, text }, `expected a condition, as close > 100, found the value ${shownWord(text)}`)
  }

  #value({ node, offset, end, depth }: Parsed): Parsed<Value> {
    if (!isCondition(node)) return { node, offset, end, depth }
    const text = this.#text.slice(offset, end)
    throw this.#problem({ offset, text }, `expected a value, as close, found the condition ${shownWord(text)}`)
  }

  /** What follows, as far as it holds together more strongly than `power`. */
  #expression(power: number): Parsed {
    if (++this.#nesting > 4 * RULE_LIMITS.depth)
      throw this.#problem(this.#next, `a rule must be nested at most ${RULE_LIMITS.depth} deep`)
    let left = this.#prefix()
    for (;;) {
      const grown = this.#infix(left, power)
      if (grown === null) break
      left = grown
    }
    this.#nesting--
    return left
  }

  #infix(left: Parsed, power: number): Parsed | null {
    const { text } = this.#next
    if (text === 'and' || text === 'or') return POWER[text] > power ? this.#chain(left, text) : null
    const comparison = COMPARISONS.find((op) => op === text)
    if (comparison !== undefined || text === 'crosses') {
      if (POWER.compare <= power) return null
      if (isCondition(left.node)) throw this.#expected('and, or, or the end of the condition')
      this.#at++
      const direction = comparison === undefined ? this.#direction() : null
      const [a, b] = [this.#value(left), this.#value(this.#expression(POWER.compare))]
      const sides = { left: a.node, right: b.node }
      const node: Condition =
        direction === null ? { kind: 'compare', op: comparison!, ...sides } : { kind: 'crosses', direction, ...sides }
      return this.#build(node, left.offset, [a, b])
    }
    const op = ARITHMETIC.find((each) => each === text)
    if (op === undefined) return null
    const own = op === '+' || op === '-' ? POWER.sum : POWER.product
    if (own <= power) return null
    this.#at++
    const [a, b] = [this.#value(left), this.#value(this.#expression(own))]
    return this.#build({ kind: 'arithmetic', op, left: a.node, right: b.node }, left.offset, [a, b])
  }

  #chain(first: Parsed, kind: 'and' | 'or'): Parsed {
    const parts = [this.#condition(first)]
    while (this.#take(kind) !== null) parts.push(this.#condition(this.#expression(POWER[kind])))
    return this.#build({ kind, of: parts.map(({ node }) => node) }, first.offset, parts)
  }

  #direction(): 'above' | 'below' {
    if (this.#take('above') !== null) return 'above'
    if (this.#take('below') !== null) return 'below'
    throw this.#expected('above or below')
  }

  #prefix(): Parsed {
    const token = this.#next
    if (this.#take('not') !== null) {
      const of = this.#condition(this.#expression(POWER.not))
      return this.#build({ kind: 'not', of: of.node }, token.offset, [of])
    }
    if (this.#take('-') !== null) {
      const of = this.#value(this.#expression(POWER.negate))
      return this.#build({ kind: 'negate', of: of.node }, token.offset, [of])
    }
    return this.#before(this.#atom())
  }

  /** `[3]` behind a value or a condition in brackets: as it was three candles before. */
  #before(of: Parsed): Parsed {
    if (this.#take('[') === null) return of
    const { value: candles, token } = this.#number('a number of candles, as 1')
    this.#require(']')
    if (!Number.isInteger(candles) || candles < 1 || candles > RULE_LIMITS.lookBackCandles)
      throw this.#problem(token, `must be a whole number of candles from 1 to ${RULE_LIMITS.lookBackCandles}`)
    const node: Node = isCondition(of.node)
      ? { kind: 'before', candles, of: of.node }
      : { kind: 'ago', candles, of: of.node }
    return this.#before(this.#build(node, of.offset, [of]))
  }

  #atom(): Parsed {
    const token = this.#next
    if (token.kind === 'number') {
      const { value } = this.#number('a number')
      const node: Value = this.#take('%') === null ? { kind: 'number', value } : { kind: 'number', value, unit: '%' }
      return this.#build(node, token.offset, [])
    }
    if (this.#take('(') !== null) {
      const { node, depth } = this.#expression(0)
      const { offset: last } = this.#require(')')
      return { node, depth, offset: token.offset, end: last + 1 }
    }
    if (token.kind !== 'word') throw this.#expected('a value, as close or ema(20)')
    this.#at++
    return this.#named(token)
  }

  #named(token: Token): Parsed {
    const name = token.text
    const series = SERIES.find((each) => each === name)
    if (series !== undefined)
      return this.#build({ kind: 'series', name: series satisfies SeriesName }, token.offset, [])
    if (name === 'median') return this.#median(token)
    if (Object.hasOwn(FUNCTIONS, name)) return this.#call(token, name as FunctionName)
    if (signatureOf(name) !== undefined) return this.#indicator(token)
    throw this.#problem(token, `${shownWord(name)} is not known`, nearestWord(name, VALUE_WORDS))
  }

  #median(token: Token): Parsed {
    this.#require('(')
    const { value: horizon, token: at } = this.#number('how many candles ahead, as 1')
    this.#require(')')
    if (!Number.isInteger(horizon) || horizon < 1 || horizon > RULE_LIMITS.horizon)
      throw this.#problem(at, `must be a whole number of candles from 1 to ${RULE_LIMITS.horizon}`)
    return this.#build({ kind: 'median', horizon }, token.offset, [])
  }

  #call(token: Token, name: FunctionName): Parsed {
    const parts: Parsed<Value>[] = []
    this.#require('(')
    for (let k = 0; k < FUNCTIONS[name]; k++) {
      if (k > 0) this.#require(',')
      parts.push(this.#value(this.#expression(0)))
    }
    this.#require(')')
    return this.#build({ kind: 'function', name, of: parts.map(({ node }) => node) }, token.offset, parts)
  }

  /** Whether a number by itself stands next, which is a constant of an indicator and not its input. */
  #isConstant(): boolean {
    const after = this.#tokens[this.#at + 1]?.text
    return this.#next.kind === 'number' && (after === ',' || after === ')')
  }

  #indicator(token: Token): Parsed {
    const { input: usual, parameters } = signatureOf(token.text)!
    const given: number[] = []
    let input: Parsed<Value> | null = null
    if (this.#take('(') !== null && this.#take(')') === null) {
      if (usual !== null && !this.#isConstant()) {
        input = this.#value(this.#expression(0))
        if (this.#next.text !== ')') this.#require(',')
      }
      while (this.#next.text !== ')') {
        if (given.length > 0) this.#require(',')
        const parameter = parameters[given.length]
        if (parameter === undefined) throw this.#expected('‘)’')
        const { value, token: at } = this.#number(`the number of ${parameter.name}, as ${parameter.usual}`)
        const wrong = wrongParameter(parameter, value)
        if (wrong !== null) throw this.#problem(at, wrong)
        given.push(value)
      }
      this.#require(')')
    }
    return this.#build(
      {
        kind: 'indicator',
        name: token.text,
        input: input?.node ?? null,
        parameters: parameters.map(({ usual: value }, k) => given[k] ?? value),
      },
      token.offset,
      input === null ? [] : [input],
    )
  }
}
