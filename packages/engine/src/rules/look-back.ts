import { blockOf, memoryOf } from './indicator-columns.ts'
import { conditionsOf, type Node, partsOf, type Rule } from './tree.ts'

/** Candles before a close on which its decision rests. A bot that loads as many decides as a backtest over all there are. */
export const lookBackOf = (rule: Rule): number =>
  Math.max(0, ...conditionsOf(rule).map((condition) => nodeLookBack(condition, false)))

/** Candles that have to be loaded for it: an indicator may begin up to a block earlier than it needs. */
export const loadedCandles = (rule: Rule): number =>
  Math.max(0, ...conditionsOf(rule).map((condition) => nodeLookBack(condition, true)))

function nodeLookBack(node: Node, withBlocks: boolean): number {
  const parts = Math.max(0, ...partsOf(node).map((part) => nodeLookBack(part, withBlocks)))
  return parts + ownLookBack(node, withBlocks)
}

function ownLookBack(node: Node, withBlocks: boolean): number {
  switch (node.kind) {
    case 'indicator': {
      const memory = memoryOf(node)
      return memory + (withBlocks ? blockOf(memory) : 0)
    }
    case 'ago':
    case 'before':
      return node.candles
    case 'crosses':
      return 1
    default:
      return 0
  }
}
