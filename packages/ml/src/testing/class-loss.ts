import type { Tensor } from '../graph/graph.ts'
import * as op from '../graph/operators.ts'
import type { Tape } from '../graph/tape.ts'

/** Cross entropy of class logits [batch × classes] against one-hot rows, mean over the batch. */
export function softmaxCrossEntropy(tape: Tape, logits: Tensor, oneHot: Tensor): Tensor {
  const g = tape.graph
  const batch = logits.shape[0]!
  const total = op.sum(
    g,
    op.mul(g, g.emit('LogSoftmax', [logits], logits.shape, { attributes: { axis: { int: -1 } } }), oneHot),
    [0, 1],
  )
  return tape.record(op.mul(g, total, g.scalar(-1 / batch)), [logits], (grad, to) => {
    const share = op.mul(g, grad, g.scalar(1 / batch))
    to(logits, () => op.mul(g, op.sub(g, op.softmax(g, logits), oneHot), share))
  })
}
