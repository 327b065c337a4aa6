import { describe, expect, it } from 'vitest'
import { gradientError, unrelatedNumbers } from '../testing/check-gradients.ts'
import { softmaxCrossEntropy } from '../testing/class-loss.ts'
import { attention } from './attention.ts'
import * as d from './differentiable.ts'
import type { Tensor } from './graph.ts'
import { binaryCrossEntropy, pinballLoss } from './losses.ts'
import { lstm } from './lstm.ts'
import { normLinear } from './norm-linear.ts'
import type { Tape } from './tape.ts'
import type { Shape } from './tensor-shape.ts'

/** Central differences with a step of 1e-5 carry an error of about 1e-10 in float64. */
const TOLERANCE = 1e-8

type Build = (tape: Tape, inputs: readonly Tensor[]) => Tensor
/** The last state of 3 units over 2 features in 4 windows; the recurrent weights also count where one step leaves them out. */
const lstmOf: (tape: Tape, weights: readonly Tensor[], steps: number) => Tensor = (tape, weights, steps) => {
  const [input, recurrent, bias] = weights as [Tensor, Tensor, Tensor]
  const x = tape.graph.constant([steps, 2, 4], unrelatedNumbers(steps * 8, 3))
  const also = d.reshape(tape, d.mean(tape, recurrent, 1), [3, 1])
  return d.add(tape, lstm(tape, x, { input, recurrent, bias }), also)
}

const cases: [name: string, shapes: Shape[], build: Build][] = [
  [
    'add',
    [
      [2, 3],
      [2, 3],
    ],
    (t, [a, b]) => d.add(t, a!, b!),
  ],
  ['add, broadcast over rows', [[2, 3], [3]], (t, [a, b]) => d.add(t, a!, b!)],
  [
    'add, broadcast both ways',
    [
      [2, 1, 3],
      [4, 1],
    ],
    (t, [a, b]) => d.add(t, a!, b!),
  ],
  ['add of a tensor to itself', [[3]], (t, [a]) => d.add(t, a!, a!)],
  [
    'mul',
    [
      [2, 3],
      [2, 3],
    ],
    (t, [a, b]) => d.mul(t, a!, b!),
  ],
  [
    'mul, broadcast both ways',
    [
      [2, 1],
      [1, 3],
    ],
    (t, [a, b]) => d.mul(t, a!, b!),
  ],
  ['mul of a tensor by itself', [[3]], (t, [a]) => d.mul(t, a!, a!)],
  ['scale', [[2, 2]], (t, [a]) => d.scale(t, a!, -2.5)],
  ['relu', [[4, 5]], (t, [a]) => d.relu(t, a!)],
  ['reshape', [[2, 6]], (t, [a]) => d.reshape(t, a!, [3, 4])],
  ['transpose', [[2, 3, 4]], (t, [a]) => d.transpose(t, a!, [2, 0, 1])],
  ['mean over a middle axis', [[2, 3, 4]], (t, [a]) => d.mean(t, a!, 1)],
  ['linear', [[4, 3], [3, 2], [2]], (t, [x, w, b]) => d.linear(t, x!, w!, b!)],
  ['linearColumns', [[3, 4], [3, 2], [2]], (t, [x, w, b]) => d.linearColumns(t, x!, w!, b!)],
  ['linearRowsToColumns', [[4, 3], [3, 2], [2]], (t, [x, w, b]) => d.linearRowsToColumns(t, x!, w!, b!)],
  [
    'layer norm and the linear layer after it',
    [[6, 3], [6], [6], [6, 4], [4]],
    (t, [x, gain, shift, matrix, bias]) =>
      normLinear(t, x!, { gain: gain!, shift: shift!, matrix: matrix!, bias: bias! }),
  ],
  ['attention of two heads over two windows', [[12, 6]], (t, [a]) => attention(t, a!, { heads: 2, steps: 3 })],
  ['lstm over one step', [[2, 12], [3, 12], [12]], (t, weights) => lstmOf(t, weights, 1)],
  ['lstm over five steps', [[2, 12], [3, 12], [12]], (t, weights) => lstmOf(t, weights, 5)],
  [
    'pinball loss',
    [[4, 3]],
    (t, [q]) => pinballLoss(t, q!, t.graph.constant([4, 1], [0.4, -0.3, 2, -2]), [0.1, 0.5, 0.9]),
  ],
  [
    'binary cross entropy',
    [[4, 1]],
    (t, [z]) => binaryCrossEntropy(t, d.scale(t, z!, 5), t.graph.constant([4, 1], [1, 0, 0, 1])),
  ],
  [
    'softmax cross entropy',
    [[3, 3]],
    (t, [z]) => softmaxCrossEntropy(t, z!, t.graph.constant([3, 3], [1, 0, 0, 0, 0, 1, 0, 1, 0])),
  ],
]

describe('gradients agree with central differences in float64', () => {
  it.each(cases)('%s', async (_name, shapes, build) => {
    expect(await gradientError({ shapes, build })).toBeLessThan(TOLERANCE)
  })

  it('and the check finds a wrong rule: a product whose gradient forgets one operand', async () => {
    const wrong: Build = (tape, [a]) => {
      const out = d.mul(tape, a!, a!)
      return tape.record({ ...out }, [a!], (grad, to) => to(a!, () => grad))
    }
    expect(await gradientError({ shapes: [[3]], build: wrong })).toBeGreaterThan(0.1)
  })

  it('covers every operation that records a gradient', () => {
    const named = cases.map(([name]) => name.split(/[ ,]/)[0])
    for (const operation of Object.keys(d)) expect(named).toContain(operation)
  })
})
