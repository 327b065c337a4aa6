/** Operators of `ai.onnx.ml` that are taken: what LightGBM, XGBoost, CatBoost and scikit-learn are exported as. */
export const TREE_OPS = ['TreeEnsembleClassifier', 'TreeEnsembleRegressor'] as const

/** A tree ensemble as it stands in a file, unchecked. */
export interface TreeNode {
  op: string
  /** What it reads, by name. */
  inputs: string[]
  /** AttributeProto messages. */
  attributes: Uint8Array[]
}

/** In all trees of a file. */
export const MOST_TREE_NODES = 500_000
const DEEPEST_TREE = 256
const MOST_TARGETS = 1000
const text = new TextDecoder()

/** An attribute: its number, or its list of numbers, how many floats, or short texts. */
interface TreeAttribute {
  name: string
  int: number
  ints: number[]
  floats: number
  strings: string[]
}

/**
 * Reads an AttributeProto in plain numbers, as a list has one field an element. Integers above 2^53 lose digits, which are
 * out of range anyhow. Throws a RangeError where it is torn, longer than trees may be, or holds tensors or graphs.
 */
export function readTreeAttribute(bytes: Uint8Array): TreeAttribute {
  const made: TreeAttribute = { name: '', int: 0, ints: [], floats: 0, strings: [] }
  let at = 0
  const varint = (end: number): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = at < end ? bytes[at++]! : -1
      if (byte < 0 || factor > 2 ** 63) throw new RangeError('an attribute is torn')
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  const add = (value: number): void => {
    if (made.ints.push(value) > MOST_TREE_NODES) throw new RangeError(`${MOST_TREE_NODES} nodes of trees are taken`)
  }
  while (at < bytes.length) {
    const key = varint(bytes.length)
    const [field, wire] = [Math.floor(key / 8), key % 8]
    const length = wire === 2 ? varint(bytes.length) : wire === 5 ? 4 : 0
    if (length > bytes.length - at) throw new RangeError('an attribute is torn')
    const end = at + length
    if (field === 8 && wire === 0) add(varint(bytes.length))
    else if (field === 8 && wire === 2) while (at < end) add(varint(end))
    else if (field === 7 && (wire === 5 || wire === 2)) made.floats += length / 4
    else if (field === 9 && wire === 2) made.strings.push(text.decode(bytes.subarray(at, Math.min(end, at + 40))))
    else if (field === 1 && wire === 2) made.name = text.decode(bytes.subarray(at, end))
    else if (field === 3 && wire === 0) made.int = varint(bytes.length)
    // Its type; f; s and a doc string.
    else if (field === 20 && wire === 0) varint(bytes.length)
    else if (!((field === 2 && wire === 5) || ((field === 4 || field === 13) && wire === 2)))
      throw new RangeError(`an attribute has the unexpected field ${field}`)
    if (wire === 2 || wire === 5) at = end
    if (made.strings.length > MOST_TREE_NODES) throw new RangeError(`${MOST_TREE_NODES} nodes of trees are taken`)
  }
  return made
}

const NODE_LISTS = ['treeids', 'nodeids', 'featureids', 'truenodeids', 'falsenodeids'] as const
const BRANCHES = ['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT', 'BRANCH_EQ', 'BRANCH_NEQ']
const OTHERS = [
  'nodes_hitrates',
  'nodes_missing_value_tracks_true',
  'nodes_modes',
  'nodes_values',
  'base_values',
  'post_transform',
  'aggregate_function',
  'n_targets',
  'classlabels_int64s',
  'classlabels_strings',
]

const must = (holds: boolean, fault: string): void => {
  if (!holds) throw new RangeError(fault)
}

/** Whether each tree is one: every node but the first is the child of one other, and all are reached from the first. */
function checkStructure(lists: Record<(typeof NODE_LISTS)[number], number[]>, isLeaf: boolean[], features: number) {
  const count = isLeaf.length
  const place = new Map<string, number>()
  const roots = new Map<number, number>()
  for (let k = 0; k < count; k++) {
    const tree = lists.treeids[k]!
    const key = `${tree} ${lists.nodeids[k]}`
    must(!place.has(key), 'two nodes have one place')
    place.set(key, k)
    if (!roots.has(tree)) roots.set(tree, k)
  }
  const depth = new Int32Array(count)
  let reached = 0
  for (const [tree, root] of roots) {
    const open = [root]
    depth[root] = 1
    for (let k = open.pop(); k !== undefined; k = open.pop()) {
      reached++
      if (isLeaf[k]) continue
      must(lists.featureids[k]! < features, `a node looks at input ${lists.featureids[k]} of ${features}`)
      must(depth[k]! < DEEPEST_TREE, `a tree is more than ${DEEPEST_TREE} deep`)
      for (const id of [lists.truenodeids[k], lists.falsenodeids[k]]) {
        const child = place.get(`${tree} ${id}`)
        if (child === undefined || depth[child] !== 0) throw new RangeError('a branch leads to no node of its own')
        depth[child] = depth[k]! + 1
        open.push(child)
      }
    }
  }
  must(reached === count, 'a node belongs to no tree')
  return place
}

/**
 * Checks a tree ensemble before the runtime, which is native code, sees it: lists of one length, trees that are trees, inputs,
 * leaves and classes that exist. Returns its nodes. Throws a RangeError with the fault.
 * @param features numbers in the row that it reads
 */
export function checkTrees({ op, attributes }: TreeNode, features: number): number {
  const kind = op === 'TreeEnsembleClassifier' ? 'class' : 'target'
  const found = new Map<string, TreeAttribute>()
  const weights = ['treeids', 'nodeids', 'ids', 'weights'].map((name) => `${kind}_${name}`)
  const known = new Set([...NODE_LISTS.map((name) => `nodes_${name}`), ...OTHERS, ...weights])
  for (const bytes of attributes) {
    const attribute = readTreeAttribute(bytes)
    must(known.has(attribute.name) && !found.has(attribute.name), `it has an unexpected ${attribute.name.slice(0, 60)}`)
    found.set(attribute.name, attribute)
  }
  const ints = (name: string): number[] => found.get(name)?.ints ?? []
  const floats = (name: string): number => found.get(name)?.floats ?? 0
  const modes = found.get('nodes_modes')?.strings ?? []
  const count = modes.length
  must(count > 0, 'it has no nodes')
  const lists = Object.fromEntries(NODE_LISTS.map((name) => [name, ints(`nodes_${name}`)])) as Record<
    (typeof NODE_LISTS)[number],
    number[]
  >
  const same = NODE_LISTS.every((name) => lists[name].length === count) && floats('nodes_values') === count
  const optional = [floats('nodes_hitrates'), ints('nodes_missing_value_tracks_true').length]
  must(same && optional.every((length) => length === 0 || length === count), 'its lists differ in length')
  const isLeaf = modes.map((mode) => mode === 'LEAF')
  must(
    modes.every((mode, k) => isLeaf[k] || BRANCHES.includes(mode)),
    'a node is of an unknown kind',
  )
  const place = checkStructure(lists, isLeaf, features)

  const [trees, nodes, ids] = ['treeids', 'nodeids', 'ids'].map((name) => ints(`${kind}_${name}`))
  const said = ids!.length
  must(
    [trees!.length, nodes!.length, floats(`${kind}_weights`)].every((n) => n === said),
    'its lists differ in length',
  )
  const labels = ints('classlabels_int64s').length + (found.get('classlabels_strings')?.strings.length ?? 0)
  const targets = kind === 'class' ? labels : (found.get('n_targets')?.int ?? 0)
  must(targets > 0 && targets <= MOST_TARGETS && floats('base_values') <= targets, 'its classes or targets do not fit')
  for (let k = 0; k < said; k++) {
    const leaf = place.get(`${trees![k]} ${nodes![k]}`)
    must(leaf !== undefined && isLeaf[leaf]! && ids![k]! < targets, 'a weight belongs to no leaf')
  }
  return count
}
