import type { OnnxNode } from '../../graph/onnx-model.ts'
import { plainModel } from './plain-model.ts'

/** A file for the tests that is loaded at once and runs for minutes: 2000 products of matrices, one after the other. */
export function slowModel(): Uint8Array {
  const product = (k: number): OnnxNode => ({ op: 'MatMul', inputs: [`m${k}`, 'm0'], outputs: [`m${k + 1}`] })
  const mean = { keepdims: { int: 0 } }
  return plainModel({
    between: [
      { op: 'ConstantOfShape', inputs: ['large'], outputs: ['zeros'] },
      // With something of the windows in it, so that it is not worked out when it is loaded.
      { op: 'ReduceMean', inputs: ['means'], outputs: ['level'], attributes: mean },
      { op: 'Add', inputs: ['zeros', 'level'], outputs: ['m0'] },
      ...Array.from({ length: 2000 }, (_, k) => product(k)),
      { op: 'ReduceMean', inputs: ['m2000'], outputs: ['product'], attributes: mean },
      { op: 'Add', inputs: ['means', 'product'], outputs: ['seen'] },
    ],
  })
}
