import { describe, expect, it } from 'vitest'
import type { FloatType } from '../graph/graph.ts'
import { fixedJob, openJob } from './testing/fixed-job.ts'

/**
 * Mean loss of each epoch as PyTorch gives it for the same data, starting weights and batches: nn.LSTM, and the
 * Transformer written out with layer_norm, softmax and matrix products; torch.optim.Adam(lr=1e-3, eps=1e-7). In
 * float64 with torch 2.13.0+cpu on one thread (torch.set_default_dtype(torch.float64)); the float32 losses of the
 * LSTM are the same in PyTorch 1.13.1 and 2.13.0.
 */
const PYTORCH = {
  lstm: { float64: [1.350134651, 0.985419744, 0.665138684], float32: [1.35013, 0.98542, 0.66514] },
  transformer: { float64: [1.344482538, 1.280469861, 1.270726824] },
}
const data = fixedJob()

/** The mean losses of some epochs, or of an epoch's first batches. */
async function lossesOf(
  kind: 'lstm' | 'transformer',
  { epochs = 3, batches, type }: { epochs?: number; batches?: number; type?: FloatType } = {},
): Promise<number[]> {
  const job = await openJob(kind, data, type)
  const losses: number[] = []
  for (let epoch = 0; epoch < epochs; epoch++) losses.push(await job.epoch(batches))
  await job.close()
  return losses
}

describe('training, against PyTorch', () => {
  it('gives the losses of an LSTM in float32 to five digits over three epochs', async () => {
    const losses = await lossesOf('lstm')
    expect(losses.map((loss) => Number(loss.toFixed(5)))).toEqual(PYTORCH.lstm.float32)
  })

  // In float64 a rule that differs shows within the 70 steps of the first epoch.
  it.each(['lstm', 'transformer'] as const)('gives the losses of one %s in float64 to eight digits', async (kind) => {
    const [loss] = await lossesOf(kind, { epochs: 1, type: 'float64' })
    expect(Math.abs(loss! - PYTORCH[kind].float64[0]!)).toBeLessThan(2e-8)
  })

  // Adam turns the rounding noise of a zero gradient (the keys' bias, which softmax ignores) into steps, so that in
  // float32 two correct engines part slowly: PyTorch's own losses are 1e-4 from its float64 ones in the third epoch.
  it('gives the losses of a Transformer in float32 as in float64 to 1e-6 over ten steps, and near PyTorch over three epochs', async () => {
    const start = { epochs: 1, batches: 10 }
    const [single, double] = [
      await lossesOf('transformer', start),
      await lossesOf('transformer', { ...start, type: 'float64' }),
    ]
    expect(Math.abs(single[0]! - double[0]!)).toBeLessThan(1e-6)
    const losses = await lossesOf('transformer')
    const off = losses.map((loss, epoch) => Math.abs(loss - PYTORCH.transformer.float64[epoch]!))
    expect(Math.max(...off)).toBeLessThan(3e-3)
  })
})
