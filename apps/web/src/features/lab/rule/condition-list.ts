import { parsePart } from '@shapecast/engine/rules/parse'
import { nodeText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { COMPARISONS, type Condition, isCondition, type Node, type Value } from '@shapecast/engine/rules/tree'

/** A part of a rule as the editor shows it: conditions in rows, all or any of which must hold. */
export interface ConditionList {
  readonly join: 'and' | 'or'
  readonly of: readonly Condition[]
}

/** `join` is what one condition alone, or none, is joined by when a second one comes. */
export const listOf = (condition: Condition | null, join: ConditionList['join']): ConditionList => {
  if (condition === null) return { join, of: [] }
  return condition.kind === 'and' || condition.kind === 'or'
    ? { join: condition.kind, of: condition.of }
    : { join, of: [condition] }
}

export const conditionOf = ({ join, of }: ConditionList): Condition | null =>
  of.length > 1 ? { kind: join, of } : (of[0] ?? null)

/** How two values are compared: of a comparison its sign, else the direction in which one crosses the other. */
export type Relation = Extract<Condition, { kind: 'compare' }>['op'] | 'above' | 'below'
type Compared = Extract<Condition, { kind: 'compare' | 'crosses' }>

export const RELATIONS: readonly { readonly value: Relation; readonly label: string }[] = [
  { value: '>', label: 'is above' },
  { value: '<', label: 'is below' },
  { value: 'above', label: 'crosses above' },
  { value: 'below', label: 'crosses below' },
  { value: '>=', label: 'is at least' },
  { value: '<=', label: 'is at most' },
  { value: '==', label: 'equals' },
  { value: '!=', label: 'is not' },
]

/** Whether a condition has two sides; others are edited as text. */
export const isCompared = (condition: Condition): condition is Compared =>
  condition.kind === 'compare' || condition.kind === 'crosses'

export const relationOf = (condition: Compared): Relation =>
  condition.kind === 'compare' ? condition.op : condition.direction

export function compared(left: Value, relation: Relation, right: Value): Condition {
  const op = COMPARISONS.find((each) => each === relation)
  if (op !== undefined) return { kind: 'compare', op, left, right }
  return { kind: 'crosses', direction: relation as 'above' | 'below', left, right }
}

/** What was typed where a value or a condition belongs: the part, or what is wrong. */
export type Typed<Part> = { readonly part: Part } | { readonly wrong: string }

const typed =
  <Part extends Node>(isIt: (node: Node) => node is Part, demand: string) =>
  (text: string): Typed<Part> => {
    try {
      const part = parsePart(text)
      return isIt(part) ? { part } : { wrong: demand }
    } catch (error) {
      if (!(error instanceof RuleProblem)) throw error
      // A field of one line has columns only.
      return { wrong: error.message.replace(/^Line 1, column (\d+): /, 'Column $1: ').replace(/\.$/, '') }
    }
  }

export const typedValue = typed((node): node is Value => !isCondition(node), 'Must be a value, as close or ema(20)')
export const typedCondition = typed(isCondition, 'Must be a condition, as close > 100')

const sma: Value = { kind: 'indicator', name: 'sma', input: null, parameters: [20] }
const close: Value = { kind: 'series', name: 'close' }

/** What a new row begins with. */
export const newCondition = (rises: boolean): Condition => compared(close, rises ? '>' : '<', sma)

export const isSamePart = (a: Node, b: Node): boolean => nodeText(a) === nodeText(b)
