import { describe, expect, it } from 'vitest'
import { fixedJob, runJob } from './testing/fixed-job.ts'

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
const now = () => 0
const data = fixedJob()

describe('three epochs of a fixed job, against PyTorch', () => {
  it('LSTM in float32: the same losses to five digits', async () => {
    const { losses } = await runJob('lstm', data, { epochs: 3, now })
    expect(losses.map((loss) => Number(loss.toFixed(5)))).toEqual(PYTORCH.lstm.float32)
  })

  it.each(['lstm', 'transformer'] as const)('%s in float64: the same losses to eight digits', async (kind) => {
    const { losses } = await runJob(kind, data, { epochs: 3, type: 'float64', now })
    for (const [epoch, loss] of losses.entries())
      expect(Math.abs(loss - PYTORCH[kind].float64[epoch]!)).toBeLessThan(2e-8)
  })

  // In float32 this network amplifies rounding: PyTorch itself strays from its float64 losses by 1e-4 in epoch three.
  it('Transformer in float32: the first epoch to 1e-4, and no further off than rounding explains', async () => {
    const { losses } = await runJob('transformer', data, { epochs: 3, now })
    const off = losses.map((loss, epoch) => Math.abs(loss - PYTORCH.transformer.float64[epoch]!))
    expect(off[0]).toBeLessThan(1e-4)
    expect(Math.max(...off)).toBeLessThan(1e-3)
  })
})
