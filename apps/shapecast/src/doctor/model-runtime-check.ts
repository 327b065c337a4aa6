import type { Check } from './finding.ts'

/** Adds 1 and 2 on the runtime that trains and predicts. Loaded here, so that a broken library is a finding. */
export const checkModelRuntime: Check = async () => {
  try {
    const { openSession, tensorOf } = await import('@shapecast/ml/runtime/onnx-runtime')
    const { encodeModel } = await import('@shapecast/ml/graph/onnx-model')
    const port = (name: string) => ({ name, type: 'float32' as const, shape: [1] })
    const session = await openSession(
      encodeModel({
        nodes: [{ op: 'Add', inputs: ['a', 'b'], outputs: ['sum'] }],
        initialisers: [],
        inputs: [port('a'), port('b')],
        outputs: [port('sum')],
      }),
    )
    const one = (value: number) => tensorOf(Float32Array.of(value), [1])
    const { sum } = await session.run({ a: one(1), b: one(2) })
    await session.release()
    const result = Number(sum?.data[0])
    if (result !== 3) throw new Error(`1 + 2 came out as ${result}`)
    return [{ state: 'good', about: 'model runtime', text: 'ONNX Runtime loads and computes' }]
  } catch (error) {
    return [
      {
        state: 'bad',
        about: 'model runtime',
        text: `ONNX Runtime does not work here (${error instanceof Error ? error.message : error})`,
        advice: 'Run npm ci again. It needs glibc: Alpine Linux does not do.',
      },
    ]
  }
}
