import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import { openSession, tensorOf } from '../runtime/onnx-runtime.ts'
import { exportNetwork } from './export-network.ts'
import { buildNetwork } from './families.ts'
import { parameterCount } from './parameters.ts'
import type { NetworkShape } from './shape.ts'
import { forwardPass, networkParameters } from './training-graph.ts'

const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
const size = { features: 27, lookback: 30, hidden: 48, width: 32, heads: 2, layers: 2, horizons: 8, quantiles }

describe.each(['lstm', 'transformer'] as const)('the inference file of a %s', (kind) => {
  const shape: NetworkShape = { kind, ...size }
  const network = buildNetwork(shape)
  const random = createRandom(3)
  const weights = Float32Array.from({ length: parameterCount(networkParameters(network)) }, () => random.normal() * 0.2)
  const windows = Float32Array.from({ length: 6 * 30 * 27 }, () => random.normal())

  it('gives what the training graph gives, to 1e-5, with the quantiles of a horizon sorted', async () => {
    const training = await openSession(forwardPass(network, 6))
    const exported = await openSession(exportNetwork(shape, weights))
    const x = tensorOf(windows, [6, 30, 27])
    const before = await training.run({ x, weights: tensorOf(weights, [weights.length]) })
    const after = await exported.run({ x })
    for (const name of ['quantiles', 'up_logit']) {
      const [a, b] = [before[name]!.data as Float32Array, after[name]!.data as Float32Array]
      if (name === 'quantiles') for (let i = 0; i < a.length; i += 5) a.subarray(i, i + 5).sort()
      expect(b.length).toBe(a.length)
      const worst = a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)
      expect(worst).toBeLessThan(1e-5)
    }
    await Promise.all([training.release(), exported.release()])
  })

  it('takes any batch, and each window alone gives what it gives among others', async () => {
    const exported = await openSession(exportNetwork(shape, weights))
    const all = (await exported.run({ x: tensorOf(windows, [6, 30, 27]) })).quantiles!
    const one = (await exported.run({ x: tensorOf(windows.subarray(2 * 810, 3 * 810), [1, 30, 27]) })).quantiles!
    expect([all.dims, one.dims]).toEqual([
      [6, 40],
      [1, 40],
    ])
    for (let i = 0; i < 40; i++) expect(one.data[i]).toBeCloseTo(all.data[80 + i] as number, 4)
    await exported.release()
  })

  it('gives quantiles that rise, whatever the weights', async () => {
    const exported = await openSession(
      exportNetwork(
        shape,
        weights.map((w) => w * 3),
      ),
    )
    const fan = (await exported.run({ x: tensorOf(windows, [6, 30, 27]) })).quantiles!.data as Float32Array
    for (const [i, value] of fan.entries()) if (i % 5 > 0) expect(value).toBeGreaterThanOrEqual(fan[i - 1]!)
    await exported.release()
  })

  it('uses standard operators only', () => {
    expect(Buffer.from(exportNetwork(shape, weights)).includes('com.microsoft')).toBe(false)
  })
})
