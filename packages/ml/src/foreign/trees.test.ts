import { describe, expect, it } from 'vitest'
import { ProtobufWriter } from '../graph/protobuf-writer.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { checkOnnxFile } from './check-file.ts'
import { openForeignModel, parseForeignCard } from './foreign-model.ts'
import { runWindows } from './run-windows.ts'
import { openSandbox } from './sandbox.ts'
import { TREE_CARD, treeAnswers, treeFile } from './testing/tree-files.ts'
import { checkTrees } from './tree-ensemble.ts'
import { withoutZipMaps } from './without-zip-maps.ts'

const COST = { roundTripCostBps: 22 }

describe.each(['lightgbm', 'lightgbm-three', 'xgboost', 'catboost', 'forest', 'lightgbm-return'])('%s', (name) => {
  const card = parseForeignCard({ ...TREE_CARD, output: name === 'lightgbm-return' ? 'return' : 'classes' })

  it('says what the library that made it says', async () => {
    const onnx = treeFile(name)
    const info = checkOnnxFile(onnx, card)
    const sandbox = await openSandbox(withoutZipMaps(onnx, info), undefined, undefined, info.ports)
    const rows = Float32Array.from({ length: 20 }, (_, k) => Math.sin(k * 0.37))
    const { upLogit } = await runWindows(sandbox, card, rows)
    sandbox.close()
    treeAnswers(name).forEach((said, k) => {
      const wanted = Array.isArray(said) ? Math.log(said.at(-1)! / said[0]!) : said
      expect(upLogit[k]).toBeCloseTo(wanted, 4)
    })
  })
})

describe('a classifier without a fan', () => {
  it('gets one whose share of rises is its P(up)', async () => {
    const candles = generateCandles({ candles: 900, seed: 51 })
    const model = await openForeignModel(treeFile('lightgbm'), TREE_CARD, COST)
    const made = await model.predict(candles, { from: 890, to: 900 })
    model.close()
    for (let k = 0; k < 10; k++) {
      const fan = Array.from(made.quantilePrices.subarray(k * 40, k * 40 + 5))
      expect(fan).toEqual([...fan].sort((a, b) => a - b))
      expect(fan[2]! > candles.close[890 + k]!).toBe(made.pUp[k]! > 0.5)
    }
  })
})

type Lists = Record<string, readonly (number | string)[]>
/** One split of input 1, with two leaves: as a classifier of two classes. */
const STUMP: Lists = {
  nodes_treeids: [0, 0, 0],
  nodes_nodeids: [0, 1, 2],
  nodes_featureids: [1, 0, 0],
  nodes_modes: ['BRANCH_LEQ', 'LEAF', 'LEAF'],
  nodes_truenodeids: [1, 0, 0],
  nodes_falsenodeids: [2, 0, 0],
  nodes_values: [0.5, 0, 0],
  class_treeids: [0, 0],
  class_nodeids: [1, 2],
  class_ids: [0, 1],
  class_weights: [1, 1],
  classlabels_int64s: [0, 1],
}
const FLOATS = ['nodes_values', 'class_weights', 'base_values', 'nodes_hitrates']
const attribute = (name: string, values: Lists[string], packed = false): Uint8Array => {
  const made = new ProtobufWriter().string(1, name)
  if (packed) return made.bytes(8, Uint8Array.from(values as number[])).finish()
  for (const value of values)
    if (typeof value === 'string') made.string(9, value)
    else if (FLOATS.includes(name)) made.float(7, value)
    else made.int(8, value)
  return made.finish()
}
const check = (lists: Lists, more: Uint8Array[] = []) =>
  checkTrees(
    {
      op: 'TreeEnsembleClassifier',
      inputs: ['x'],
      attributes: [...Object.entries(lists).map(([name, values]) => attribute(name, values)), ...more],
    },
    4,
  )

describe('trees are checked before the runtime sees them', () => {
  it('takes a stump, with its numbers one by one or packed', () => {
    expect(check(STUMP)).toBe(3)
    const { nodes_nodeids: ids, ...others } = STUMP
    expect(check(others, [attribute('nodes_nodeids', ids!, true)])).toBe(3)
  })

  it.each<[string, Lists]>([
    ['a node looks at input 4 of 4', { nodes_featureids: [4, 0, 0] }],
    ['a node looks at input 18446744073709552000 of 4', { nodes_featureids: [-1, 0, 0] }],
    ['a branch leads to no node of its own', { nodes_truenodeids: [9, 0, 0] }],
    ['a branch leads to no node of its own', { nodes_truenodeids: [0, 0, 0] }],
    ['a branch leads to no node of its own', { nodes_truenodeids: [2, 0, 0] }],
    ['a node belongs to no tree', { nodes_modes: ['LEAF', 'LEAF', 'LEAF'], class_nodeids: [0, 0] }],
    ['two nodes have one place', { nodes_nodeids: [0, 1, 1] }],
    ['its lists differ in length', { nodes_values: [0.5] }],
    ['its lists differ in length', { class_weights: [1] }],
    ['its lists differ in length', { nodes_hitrates: [1] }],
    ['a node is of an unknown kind', { nodes_modes: ['BRANCH_MEMBER', 'LEAF', 'LEAF'] }],
    ['a weight belongs to no leaf', { class_nodeids: [0, 2] }],
    ['a weight belongs to no leaf', { class_treeids: [0, 1] }],
    ['a weight belongs to no leaf', { class_ids: [0, 2] }],
    ['its classes or targets do not fit', { base_values: [1, 1, 1] }],
    ['its classes or targets do not fit', { classlabels_int64s: [] }],
    ['it has an unexpected nodes_values_as_tensor', { nodes_values_as_tensor: [1] }],
    ['it has no nodes', { nodes_modes: [] }],
  ])('refuses them where %s', (fault, change) => {
    expect(() => check({ ...STUMP, ...change })).toThrow(fault)
  })

  it('refuses a list twice, tensors within, and what is torn', () => {
    expect(() => check(STUMP, [attribute('class_ids', [0, 1])])).toThrow('it has an unexpected class_ids')
    const tensor = new ProtobufWriter().string(1, 'base_values').message(5, new ProtobufWriter()).finish()
    expect(() => check(STUMP, [tensor])).toThrow('an attribute has the unexpected field 5')
    expect(() => check(STUMP, [Uint8Array.of(0x40, 0xff)])).toThrow('an attribute is torn')
    expect(() => check(STUMP, [Uint8Array.of(0x42, 0x7f, 1)])).toThrow('an attribute is torn')
  })

  it('refuses a tree of more than 256 levels, and 500,000 nodes', () => {
    const chain = (levels: number): Lists => {
      const count = 2 * levels - 1
      const every = (f: (k: number) => number) => Array.from({ length: count }, (_, k) => f(k))
      return {
        ...STUMP,
        nodes_treeids: every(() => 0),
        nodes_nodeids: every((k) => k),
        nodes_featureids: every(() => 0),
        nodes_modes: every(() => 0).map((_, k) => (k % 2 === 0 && k < count - 1 ? 'BRANCH_LT' : 'LEAF')),
        nodes_truenodeids: every((k) => k + 1),
        nodes_falsenodeids: every((k) => k + 2),
        nodes_values: every(() => 0),
        class_nodeids: [1, 1],
      }
    }
    expect(check(chain(256))).toBe(511)
    expect(() => check(chain(257))).toThrow('a tree is more than 256 deep')
    expect(() =>
      check(STUMP, [attribute('nodes_hitrates', []), new ProtobufWriter().bytes(8, new Uint8Array(500_001)).finish()]),
    ).toThrow('500000 nodes of trees are taken')
  })
})

describe('a file of trees', () => {
  const refused = (onnx: Uint8Array, card: object) => expect(openForeignModel(onnx, card, COST)).rejects
  const CARD = { ...TREE_CARD, inputs: TREE_CARD.inputs.slice(0, 3) }

  it('is refused with inputs that are not its own, or another output than it has', async () => {
    await refused(treeFile('lightgbm'), CARD).toThrow('input is [batch, 4] and should be [batch, 1, 3] or [batch, 3]')
    await refused(treeFile('lightgbm'), { ...TREE_CARD, output: 'fan' }).toThrow(
      'its inputs are input and should be x alone',
    )
    await refused(treeFile('lightgbm-return'), TREE_CARD).toThrow('variable is [batch, 1] and should be')
    await refused(treeFile('lightgbm'), { ...TREE_CARD, output: 'return' }).toThrow(
      'its output has 14 numbers for 7 windows and should have 7',
    )
  })

  it('is refused where a node of the file itself looks at an input beyond the row', async () => {
    const file = treeFile('xgboost')
    const name = new TextEncoder().encode('nodes_featureids')
    const at = file.findIndex((_, k) => name.every((byte, j) => file[k + j] === byte)) + name.length
    // The list's first element: field 8, one byte.
    const element = file.indexOf(0x40, at)
    file[element + 1] = 77
    await refused(file, TREE_CARD).toThrow('its trees are not sound: a node looks at input 77 of 4')
  })
})
