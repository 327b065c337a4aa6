import { describe, expect, it } from 'vitest'
import { ForeignCard } from './foreign-card.ts'
import { probe } from './probe.ts'
import { runWindows } from './run-windows.ts'
import type { Sandbox } from './sandbox.ts'

const card = ForeignCard.parse({
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'by hand',
  timeframe: '1h',
  lookback: 2,
  inputs: [{ name: 'return_1' }, { name: 'range' }, { name: 'close' }],
})

type Outputs = Awaited<ReturnType<Sandbox['run']>>

/** A model whose every number for a window is the window's first, as `change` leaves it. */
const model = (change: (made: Outputs, batch: number) => void = () => {}): Sandbox => ({
  alive: true,
  limit: () => () => {},
  async run(windows, [batch, lookback, inputs]) {
    expect(windows).toHaveLength(batch * 6)
    expect([lookback, inputs]).toEqual([2, 3])
    const first = (k: number) => windows[k * 6]!
    const made = {
      quantiles: Float32Array.from({ length: batch * 40 }, (_, c) => first(Math.floor(c / 40))),
      upLogit: Float32Array.from({ length: batch }, (_, k) => first(k)),
    }
    change(made, batch)
    return made
  },
  close: () => {},
})

describe('a try with seven windows', () => {
  it('is passed by a model that answers each window by itself', () => probe(model(), card))

  it.each([
    ['first', 'quantiles', 0],
    ['first', 'quantiles', 39],
    ['first', 'upLogit', 0],
    ['last', 'quantiles', 240],
    ['last', 'quantiles', 279],
    ['last', 'upLogit', 6],
  ] as const)('is not, where the %s window has other %s among others: number %d', async (_window, output, at) => {
    const peeking = model((made, batch) => {
      if (batch === 7) made[output][at]! += 0.01
    })
    await expect(probe(peeking, card)).rejects.toThrow('a window gives other numbers alone than among others')
  })

  it('allows for the last digits of a float32: a ten-thousandth, of large numbers of their size', async () => {
    const sums = (small: number, large: number) =>
      model((made, batch) => {
        made.quantiles.fill(batch === 7 ? small : 0)
        made.upLogit.fill(batch === 7 ? 1000 + large : 1000)
      })
    await probe(sums(0.00009, 0.09), card)
    await expect(probe(sums(0.00011, 0), card)).rejects.toThrow('among others')
    await expect(probe(sums(0, 0.11), card)).rejects.toThrow('among others')
  })

  it.each([
    ['quantiles', 'quantiles', Number.POSITIVE_INFINITY],
    ['up_logit', 'upLogit', Number.NaN],
  ] as const)('is not passed where %s is not finite, among others or alone', async (name, output, none) => {
    for (const when of [7, 1]) {
      const broken = model((made, batch) => {
        if (batch === when) made[output][0] = none
      })
      await expect(probe(broken, card)).rejects.toMatchObject({
        code: 'unprocessable',
        message: `This ONNX file cannot be used: ${name} is not finite on ordinary inputs.`,
      })
    }
  })
})

it('outputs have the size of the windows: 3 × 40 quantiles and 3 logits', async () => {
  const windows = new Float32Array(18)
  expect((await runWindows(model(), card, windows)).quantiles).toHaveLength(120)
  const cut = (output: keyof Outputs, length: number) =>
    model((made) => {
      made[output] = new Float32Array(length)
    })
  for (const length of [0, 119, 121])
    await expect(runWindows(cut('quantiles', length), card, windows)).rejects.toThrow(
      `quantiles has ${length} numbers for 3 windows and should have 120`,
    )
  for (const length of [2, 4])
    await expect(runWindows(cut('upLogit', length), card, windows)).rejects.toThrow(
      `up_logit has ${length} numbers for 3 windows and should have 3`,
    )
})
