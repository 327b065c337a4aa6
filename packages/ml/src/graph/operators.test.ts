import { describe, expect, it } from 'vitest'
import { openSession, tensorOf } from '../runtime/onnx-runtime.ts'
import { Graph } from './graph.ts'
import { whereAbove } from './operators.ts'

describe('whereAbove', () => {
  it.each(['float32', 'float64'] as const)('keeps b exactly where a is above 0, in %s', async (type) => {
    const g = new Graph(type)
    const out = whereAbove(g, g.input('a', [6]), g.input('b', [6]))
    const session = await openSession(g.finish({ out }))
    const of = (...values: number[]) =>
      tensorOf(type === 'float32' ? Float32Array.from(values) : Float64Array.from(values), [6])
    const { out: result } = await session.run({ a: of(-1, 0, 1e-30, 0.5, 3e38, -3e38), b: of(1, 2, -3, 4.125, 5, 6) })
    expect(Array.from(result!.data as Float32Array, (v) => v + 0)).toEqual([0, 0, -3, 4.125, 5, 0])
    await session.release()
  })
})
