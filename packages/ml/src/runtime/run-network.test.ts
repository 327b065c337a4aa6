import { describe, expect, it } from 'vitest'
import { encodeModel } from '../graph/onnx-model.ts'
import { openNetwork, runNetwork } from './run-network.ts'

/** quantiles: the last row of the window, times 1; up_logit: its first feature. */
function lastRowModel(lookback: number): Uint8Array {
  const integers = (name: string, value: number) => ({ name, shape: [1], data: BigInt64Array.of(BigInt(value)) })
  return encodeModel({
    nodes: [
      { op: 'Slice', inputs: ['x', 'last', 'end', 'one'], outputs: ['row'] },
      { op: 'Squeeze', inputs: ['row', 'one'], outputs: ['quantiles'] },
      { op: 'Slice', inputs: ['quantiles', 'zero', 'one', 'one'], outputs: ['up_logit'] },
    ],
    initialisers: [integers('last', lookback - 1), integers('end', lookback), integers('zero', 0), integers('one', 1)],
    inputs: [{ name: 'x', type: 'float32', shape: ['batch', lookback, 2] }],
    outputs: [
      { name: 'quantiles', type: 'float32', shape: ['batch', 2] },
      { name: 'up_logit', type: 'float32', shape: ['batch', 1] },
    ],
  })
}

describe('running a network over windows', () => {
  const features = Float32Array.from({ length: 600 }, (_, i) => i)

  it('gives each row its own window, over several batches and a partial one', async () => {
    const network = await openNetwork(lastRowModel(3))
    const { quantiles, upLogit } = await runNetwork(network, features, 2, 3, { from: 2, to: 300 })
    expect([...quantiles]).toEqual([...features.subarray(4)])
    expect([...upLogit]).toEqual([...features.subarray(4)].filter((value) => value % 2 === 0))
    await network.close()
  })

  it('keeps the order of the rows it is given', async () => {
    const network = await openNetwork(lastRowModel(3))
    const { upLogit } = await runNetwork(network, features, 2, 3, Int32Array.of(9, 2, 9))
    expect([...upLogit]).toEqual([18, 4, 18])
    expect((await runNetwork(network, features, 2, 3, { from: 5, to: 5 })).upLogit).toHaveLength(0)
    await network.close()
  })

  it('says the same of a window in a run of any size', async () => {
    const network = await openNetwork(lastRowModel(3))
    const of = async (rows: number) => (await runNetwork(network, features, 2, 3, { from: 2, to: 2 + rows })).quantiles
    for (const rows of [1, 129, 128, 2, 257])
      expect([...(await of(rows))]).toEqual([...features.subarray(4, 4 + 2 * rows)])
    await network.close()
  })

  it('refuses a row whose window reaches before the first or past the last', async () => {
    const network = await openNetwork(lastRowModel(3))
    await expect(runNetwork(network, features, 2, 3, { from: 1, to: 4 })).rejects.toThrow('cannot end at row 1 of 300')
    await expect(runNetwork(network, features, 2, 3, Int32Array.of(300))).rejects.toThrow(
      'cannot end at row 300 of 300',
    )
    await network.close()
  })

  it('refuses a file with other inputs or outputs', async () => {
    const other = encodeModel({
      nodes: [{ op: 'Identity', inputs: ['a'], outputs: ['b'] }],
      initialisers: [],
      inputs: [{ name: 'a', type: 'float32', shape: [1] }],
      outputs: [{ name: 'b', type: 'float32', shape: [1] }],
    })
    await expect(openNetwork(other)).rejects.toThrow('this one maps a to b')
  })
})
