import { withoutDust } from '@shapecast/contracts/search'

/** A number in the text of a rule that a search may vary; the same one in several places is one. */
export interface RuleNumber {
  /** As a mark of the text. */
  readonly name: string
  /** Where it stands, for people: `ema(20)`, `rsi(14) <`, `stop`. */
  readonly label: string
  readonly value: number
  /** The parts of the rule in which it stands. */
  readonly parts: readonly string[]
  /** Where it begins in the text, each time. */
  readonly offsets: readonly number[]
  readonly length: number
}

const NUMBER = /(?<![\w.])\d+(?:\.\d+)?/g
const PART = /\b(enter|exit|short|cover|stop|target|trail|time)\s*:/g
/** The call that is open before a number, and what of it stands there. */
const OPEN_CALL = /([a-z_]\w*)\s*\(([^()]*)$/
/** Between two conditions. */
const JOINT = /\b(?:and|or|not)\b|[:()]/g

function partBefore(text: string, offset: number): string {
  let part = ''
  for (const { 1: name, index } of text.matchAll(PART)) if (index < offset) part = name!
  return part
}

/** What stands before a number in its condition, or the call that it is in. */
function labelOf(text: string, offset: number, literal: string): string {
  const part = partBefore(text, offset)
  if (['stop', 'target', 'trail', 'time'].includes(part)) return part
  const before = text.slice(0, offset)
  const call = OPEN_CALL.exec(before)
  if (call !== null) {
    const place = call[2]!.split(',').length
    const whole = `${call[1]}(${call[2]!.trimStart()}${literal}${/^[^()]*\)/.exec(text.slice(offset + literal.length))?.[0] ?? ')'}`
    return place === 1 ? whole : `${whole}, value ${place}`
  }
  const starts = Array.from(before.matchAll(JOINT), ({ 0: joint, index }) => ({ joint, end: index + joint.length }))
  // A bracket that closes a call is no border.
  const last = starts.filter(({ joint }) => joint !== ')' && joint !== '(').at(-1)?.end ?? 0
  return `${before.slice(last).trim()} …`
}

/** The numbers of a rule's text, in the order in which they stand; those that it marks already are none. */
export function ruleNumbers(text: string): RuleNumber[] {
  const found = new Map<string, { label: string; value: number; parts: string[]; offsets: number[]; length: number }>()
  for (const { 0: literal, index } of text.matchAll(NUMBER)) {
    const label = labelOf(text, index, literal)
    const key = `${label} ${literal}`
    const part = partBefore(text, index)
    const known = found.get(key)
    if (known === undefined)
      found.set(key, { label, value: Number(literal), parts: [part], offsets: [index], length: literal.length })
    else {
      known.offsets.push(index)
      if (!known.parts.includes(part)) known.parts.push(part)
    }
  }
  const names = new Set<string>()
  return [...found.values()].map((number) => {
    const word = /[a-z]+/.exec(number.label)?.[0] ?? 'n'
    const plain = `${word}_${String(number.value).replace('.', '_')}`
    const name = names.has(plain) ? `${plain}_${names.size}` : plain
    names.add(name)
    return { ...number, name }
  })
}

/** What two rules have in common that differ in their numbers, marked or not. */
export const withoutNumbers = (text: string): string => text.replace(/\{\w+\}/g, '0').replace(NUMBER, '0')

/** The text with these numbers marked, each by its name in braces. */
export function markedText(text: string, numbers: readonly RuleNumber[]): string {
  const places = numbers
    .flatMap(({ name, offsets, length }) => offsets.map((offset) => ({ name, offset, length })))
    .sort((a, b) => b.offset - a.offset)
  return places.reduce(
    (marked, { name, offset, length }) => `${marked.slice(0, offset)}{${name}}${marked.slice(offset + length)}`,
    text,
  )
}

/** Values around one: from half of it to one and a half, in steps that are as round as it is. */
export function valuesAround(value: number): string {
  if (value === 0) return '0, 1, 2'
  const decimals = String(value).split('.')[1]?.length ?? 0
  const unit = 10 ** -decimals
  const by = Math.max(unit, withoutDust(Math.round(value / 4 / unit) * unit))
  const from = Math.max(unit, withoutDust(Math.round((value - 2 * by) / unit) * unit))
  return `${from} to ${withoutDust(value + 2 * by)} by ${by}`
}
