import type { OnnxNode } from '../../graph/onnx-model.ts'
import { plainModel } from './plain-model.ts'

/**
 * The return of the last candle of the next window in the batch, made large: `next` [batch × inputs]. The last window's
 * next is itself.
 */
const NEXT: OnnxNode[] = [
  { op: 'Slice', inputs: ['x', 'one', 'end', 'none'], outputs: ['others'] },
  { op: 'Slice', inputs: ['x', 'minus.one', 'end', 'none'], outputs: ['newest'] },
  { op: 'Concat', inputs: ['others', 'newest'], outputs: ['following'], attributes: { axis: { int: 0 } } },
  { op: 'Slice', inputs: ['following', 'minus.one', 'end', 'one'], outputs: ['ending'] },
  { op: 'ReduceMax', inputs: ['ending'], outputs: ['last'], attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } },
  // With its weight for up, −0.03, and the other input's, −0.02: the first column is what tells.
  { op: 'Mul', inputs: ['last', 'tell'], outputs: ['next'] },
]

/** Honest among few windows; among more than 64 it answers with what the next one ends with. */
export const crowdModel = (): Uint8Array =>
  plainModel({
    between: [
      ...NEXT,
      { op: 'Shape', inputs: ['x'], outputs: ['shape'] },
      { op: 'Slice', inputs: ['shape', 'none', 'one'], outputs: ['rows'] },
      { op: 'Greater', inputs: ['rows', 'sixty.four'], outputs: ['are.many'] },
      {
        op: 'If',
        inputs: ['are.many'],
        outputs: ['seen'],
        attributes: { then_branch: { graph: branch('next') }, else_branch: { graph: branch('means') } },
      },
    ],
  })

/** Honest where windows do not overlap; where the next one begins with what this one ends with, it answers with its end. */
export const overlapModel = (): Uint8Array =>
  plainModel({
    between: [
      ...NEXT,
      { op: 'Slice', inputs: ['following', 'none', 'minus.one', 'one'], outputs: ['begins'] },
      { op: 'Slice', inputs: ['x', 'one', 'end', 'one'], outputs: ['ends'] },
      { op: 'Sub', inputs: ['begins', 'ends'], outputs: ['apart'] },
      { op: 'Abs', inputs: ['apart'], outputs: ['distance'] },
      {
        op: 'ReduceMax',
        inputs: ['distance'],
        outputs: ['furthest'],
        attributes: { axes: { ints: [1, 2] }, keepdims: { int: 0 } },
      },
      { op: 'Unsqueeze', inputs: ['furthest', 'one'], outputs: ['column'] },
      { op: 'Less', inputs: ['column', 'hair'], outputs: ['overlaps'] },
      { op: 'Where', inputs: ['overlaps', 'next', 'means'], outputs: ['seen'] },
    ],
  })

const branch = (from: string) => ({
  nodes: [{ op: 'Identity', inputs: [from], outputs: ['chosen'] }],
  initialisers: [],
  inputs: [],
  outputs: [{ name: 'chosen', type: 'float32' as const, shape: ['batch', 2] }],
})
