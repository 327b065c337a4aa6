import type { Node, Rule, Value } from './tree.ts'

/** The text of a rule, which `parseRule` turns back into it: conditions on lines of their own, the numbers on one. */
export function ruleText(rule: Rule): string {
  const lines = (['enter', 'exit', 'short', 'cover'] as const).flatMap((section) => {
    const condition = rule[section]
    return condition === null ? [] : `${section}: ${nodeText(condition)}`
  })
  const limits = [
    ...(['stop', 'target', 'trail'] as const).flatMap((name) => {
      const pct = rule[`${name}Pct`]
      return pct === null ? [] : `${name}: ${pct}%`
    }),
    ...(rule.timeCandles === null ? [] : [`time: ${rule.timeCandles}`]),
  ]
  return [...lines, ...(limits.length === 0 ? [] : [limits.join(' ')])].join('\n')
}

/** The text of a part of a rule. */
export const nodeText = (node: Node): string => written(node).text

/** How strongly the outermost sign of a text holds: as in the parser, and 8 for what needs no brackets. */
interface Written {
  readonly text: string
  readonly power: number
}

const whole = (text: string): Written => ({ text, power: 8 })

/** In brackets unless it holds at least as strongly as asked. */
function inside(node: Node, least: number): string {
  const { text, power } = written(node)
  return power >= least ? text : `(${text})`
}

function written(node: Node): Written {
  switch (node.kind) {
    case 'number':
      return whole(`${node.value}${node.unit ?? ''}`)
    case 'series':
      return whole(node.name)
    case 'median':
      return whole(`median(${node.horizon})`)
    case 'indicator': {
      const inputs = node.input === null ? [] : [inputText(node.input)]
      const all = [...inputs, ...node.parameters.map(String)]
      return whole(all.length === 0 ? node.name : `${node.name}(${all.join(', ')})`)
    }
    case 'function':
      return whole(`${node.name}(${node.of.map(nodeText).join(', ')})`)
    case 'ago':
    case 'before':
      return whole(`${inside(node.of, 8)}[${node.candles}]`)
    case 'negate':
      return { text: `-${inside(node.of, 8)}`, power: 7 }
    case 'arithmetic':
      return node.op === '+' || node.op === '-' ? sides(node, node.op, 5) : sides(node, node.op, 6)
    case 'compare':
      return sides(node, node.op, 4)
    case 'crosses':
      return sides(node, `crosses ${node.direction}`, 4)
    case 'not':
      return { text: `not ${inside(node.of, 4)}`, power: 3 }
    case 'and':
      return { text: node.of.map((part) => inside(part, 3)).join(' and '), power: 2 }
    case 'or':
      return { text: node.of.map((part) => inside(part, 2)).join(' or '), power: 1 }
    default:
      return node satisfies never
  }
}

/** A number by itself is read as a constant of the indicator, unless it stands in brackets. */
const inputText = (input: Value): string =>
  input.kind === 'number' && input.unit === undefined ? `(${input.value})` : nodeText(input)

const sides = ({ left, right }: { left: Value; right: Value }, sign: string, power: number): Written => ({
  text: `${inside(left, power)} ${sign} ${inside(right, power + 1)}`,
  power,
})
