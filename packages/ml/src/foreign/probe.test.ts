import { describe, expect, it } from 'vitest'
import { generateCandles } from '../testing/generated-candles.ts'
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
const model = (change: (made: Outputs) => void = () => {}): Sandbox => ({
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
    change(made)
    return made
  },
  close: () => {},
})

const candles = generateCandles({ candles: 150, seed: 5 })

it('the probe uses real prices, which a model of logarithms needs, and noise without candles', async () => {
  const seen: number[] = []
  const prices: Sandbox = {
    ...model(),
    async run(windows, [batch]) {
      // The close is the third input of the window's last candle.
      const last = Float32Array.from({ length: batch }, (_, k) => windows[k * 6 + 5]!)
      seen.push(...last)
      const logs = last.map(Math.log)
      return { quantiles: new Float32Array(batch * 40).fill(logs[0]!), upLogit: logs }
    },
  }
  await probe(prices, card, candles)
  expect(seen.slice(0, 7)).toEqual(Array.from(new Float32Array([...seen.slice(0, 6), candles.close[149]!])))
  await probe(prices, card)
  expect(Math.min(...seen.slice(14))).toBeLessThan(0)
})

describe('a try with seven windows', () => {
  it('is passed by a model that answers a window always alike', () => probe(model(), card, candles))

  it.each(['quantiles', 'upLogit'] as const)(
    'is not, where the second answer has other %s, however little',
    async (output) => {
      let runs = 0
      const fickle = model((made) => {
        if (++runs === 2) made[output][0]! += 1e-5
      })
      await expect(probe(fickle, card)).rejects.toThrow('it gives one window two answers')
    },
  )

  it.each([
    ['quantiles', 'quantiles', Number.POSITIVE_INFINITY],
    ['up_logit', 'upLogit', Number.NaN],
  ] as const)('is not passed where %s is not finite', async (name, output, none) => {
    const broken = model((made) => {
      made[output][0] = none
    })
    await expect(probe(broken, card, candles)).rejects.toMatchObject({
      code: 'unprocessable',
      message: `This ONNX file cannot be used: ${name} is not finite on candles of its series.`,
    })
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
