import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openNetwork, runNetwork } from '../runtime/run-network.ts'
import { smallTraining } from './testing/small-job.ts'
import { trainNetwork } from './train-network.ts'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(['lstm', 'transformer'] as const)('training a %s', (kind) => {
  it('gives the same bytes for the same seed, and others for another', async () => {
    const first = await trainNetwork(smallTraining(kind))
    const second = await trainNetwork(smallTraining(kind))
    const other = await trainNetwork(smallTraining(kind, { seed: 8 }))
    expect(hash(second.onnx)).toBe(hash(first.onnx))
    expect(hash(second.state)).toBe(hash(first.state))
    expect(second.history).toEqual(first.history)
    expect(hash(other.onnx)).not.toBe(hash(first.onnx))
  })

  it('gives the same bytes when it is resumed after two of five epochs', async () => {
    const states: Uint8Array[] = []
    const whole = await trainNetwork(smallTraining(kind, { epochs: 5, onEpoch: (e) => void states.push(e.state()) }))
    const epochs: number[] = []
    const onEpoch = (e: { epoch: number }) => void epochs.push(e.epoch)
    const resumed = await trainNetwork(smallTraining(kind, { epochs: 5, resume: Buffer.from(states[1]!), onEpoch }))
    expect(epochs).toEqual([3, 4, 5])
    expect(hash(resumed.onnx)).toBe(hash(whole.onnx))
    expect(hash(resumed.state)).toBe(hash(whole.state))
    expect(resumed.history).toEqual(whole.history)
  })

  it('learns what can be learnt: the median follows the target and the sign is called', async () => {
    const training = smallTraining(kind, { epochs: 40, patience: 40, dropout: 0 })
    const { onnx, history, bestEpoch } = await trainNetwork(training)
    expect(history[bestEpoch - 1]!.validationLoss).toBeLessThan(history[0]!.validationLoss * 0.5)
    const network = await openNetwork(onnx)
    const { quantiles, upLogit } = await runNetwork(network, training.features, 3, 5, training.validationRows)
    await network.close()
    const called = training.validationRows.filter((row, i) => (upLogit[i]! > 0 ? 1 : 0) === training.up[row])
    expect(called.length / training.validationRows.length).toBeGreaterThan(0.85)
    const inside = training.validationRows.filter(
      (row, i) =>
        quantiles[i * 6]! <= training.targets[row * 2]! && training.targets[row * 2]! <= quantiles[i * 6 + 2]!,
    )
    expect(inside.length / training.validationRows.length).toBeGreaterThan(0.5)
  })

  it('reports the validation loss that its file gives, counted by hand', async () => {
    const training = smallTraining(kind, { epochs: 3 })
    const { onnx, history, bestEpoch } = await trainNetwork(training)
    const network = await openNetwork(onnx)
    const rows = training.validationRows
    const { quantiles, upLogit } = await runNetwork(network, training.features, 3, 5, rows)
    await network.close()
    let total = 0
    for (const [i, row] of rows.entries()) {
      for (let k = 0; k < 6; k++) {
        const level = training.shape.quantiles[k % 3]!
        const residual = training.targets[row * 2 + Math.floor(k / 3)]! - quantiles[i * 6 + k]!
        total += (residual >= 0 ? level * residual : (level - 1) * residual) / 6
      }
      const probability = 1 / (1 + Math.exp(-upLogit[i]!))
      total -= 0.5 * Math.log(training.up[row] === 1 ? probability : 1 - probability)
    }
    expect(total / rows.length).toBeCloseTo(history[bestEpoch - 1]!.validationLoss, 5)
  })
})

describe('training', () => {
  it('stops after `patience` epochs without a better one, and gives back the best weights', async () => {
    // A rate of 0 never improves on the first epoch.
    const still = await trainNetwork(smallTraining('lstm', { epochs: 20, patience: 3, learningRate: 0 }))
    expect(still.history).toHaveLength(4)
    expect(still.bestEpoch).toBe(1)
    // Labels without pattern and a high rate: it overfits, and the best epoch is not the last.
    const options = { epochs: 30, patience: 5, learningRate: 0.05, dropout: 0 }
    const noise = smallTraining('lstm')
    const up = noise.up.map((_, i) => (Math.imul(i, 2_654_435_761) >>> 16) & 1)
    const overfit = await trainNetwork({ ...noise, ...options, targets: noise.targets.map(() => 0), up })
    const losses = overfit.history.map((e) => e.validationLoss)
    expect(losses[overfit.bestEpoch - 1]).toBe(Math.min(...losses))
    expect(overfit.history.length).toBe(overfit.bestEpoch + 5)
    const short = await trainNetwork({
      ...noise,
      ...options,
      targets: noise.targets.map(() => 0),
      up,
      epochs: overfit.bestEpoch,
    })
    expect(hash(short.onnx)).toBe(hash(overfit.onnx))
  })

  it('resumes a finished run to the same result without another epoch', async () => {
    const done = await trainNetwork(smallTraining('lstm'))
    const onEpoch = () => expect.unreachable('no epoch is left')
    const again = await trainNetwork(smallTraining('lstm', { resume: done.state, onEpoch }))
    expect(hash(again.onnx)).toBe(hash(done.onnx))
  })

  it('throws the reason of its signal between two steps', async () => {
    const controller = new AbortController()
    const reason = new Error('cancelled by its owner')
    const onEpoch = () => setTimeout(() => controller.abort(reason), 1)
    const run = trainNetwork(
      smallTraining('lstm', {
        epochs: 10_000,
        patience: 10_000,
        signal: controller.signal,
        onEpoch: () => void onEpoch(),
      }),
    )
    await expect(run).rejects.toBe(reason)
  })

  it('lets timers run while it trains', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await trainNetwork(smallTraining('transformer', { epochs: 10, patience: 10 }))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
  })

  it('says how many windows it has and needs', async () => {
    const run = trainNetwork(smallTraining('lstm', { trainRows: Int32Array.of(10, 11) }))
    await expect(run).rejects.toMatchObject({ code: 'too_few_candles', message: expect.stringContaining('2 windows') })
  })

  it('refuses windows that reach before the first row', async () => {
    await expect(trainNetwork(smallTraining('lstm', { validationRows: Int32Array.of(3) }))).rejects.toThrow(
      'A window of 5 cannot end at row 3 of 400.',
    )
  })

  it('refuses a state of other settings, and one cut short', async () => {
    const { state } = await trainNetwork(smallTraining('lstm', { epochs: 1 }))
    const otherSeed = trainNetwork(smallTraining('lstm', { seed: 8, resume: state }))
    await expect(otherSeed).rejects.toMatchObject({ code: 'conflict' })
    const cut = trainNetwork(smallTraining('lstm', { resume: state.subarray(0, state.length - 4) }))
    await expect(cut).rejects.toMatchObject({ code: 'unprocessable' })
  })

  it('says so when the loss is no longer a number', async () => {
    const training = smallTraining('lstm')
    training.features[20 * 3] = Number.NaN
    await expect(trainNetwork(training)).rejects.toMatchObject({ code: 'unprocessable' })
  })
})
