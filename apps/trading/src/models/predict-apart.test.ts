import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Thread } from '@shapecast/platform/threads/open-thread'
import { expect, it } from 'vitest'
import type { ModelCalls } from './model-thread.ts'
import { openApart } from './predictors.ts'

const CANDLES = generateCandles({ candles: 400, seed: 5 })

/** A thread that notes what it is asked, and has a model that looks 100 candles back. */
async function opened() {
  const asked: [name: string, input: unknown][] = []
  const thread = {
    alive: true,
    async call(name: string, input: unknown) {
      asked.push([name, input])
      return name === 'open' ? { key: 7, traits: {}, historyCandles: 100 } : { pUp: 'of the thread' }
    },
  }
  const predictor = await openApart(thread as unknown as Thread<ModelCalls>, { bytes: new Uint8Array(1), card: {} })
  asked.length = 0
  return { predictor, thread, asked }
}

it('sends the candles of a range with the 100 before them alone, counted from there', async () => {
  const { predictor, asked } = await opened()
  const made = await predictor.predict(CANDLES, { from: 300, to: 310 })
  expect(made).toEqual({ pUp: 'of the thread', from: 300, to: 310 })
  expect(asked).toMatchObject([['predict', { key: 7, from: 100, to: 110 }]])
  const [[, sent]] = asked as [[string, { candles: typeof CANDLES }]]
  expect(sent.candles.ts).toEqual(CANDLES.ts.slice(200, 310))
  expect(sent.candles.close.buffer).not.toBe(CANDLES.close.buffer)
})

it('sends all that there are where fewer lie before', async () => {
  const { predictor, asked } = await opened()
  await predictor.predict(CANDLES, { from: 30, to: 40 })
  expect(asked).toMatchObject([['predict', { candles: { length: 40 }, from: 30, to: 40 }]])
})

it.each([
  [390, 401],
  [-1, 10],
  [20, 10],
  [Number.NaN, 10],
])('refuses the range %d … %d, in the numbers of who asks', async (from, to) => {
  const { predictor, asked } = await opened()
  const words = `The range ${from} … ${to} does not lie within the 400 candles.`
  await expect(predictor.predict(CANDLES, { from, to })).rejects.toThrow(words)
  expect(asked).toEqual([])
})

it('closes its model there, where the thread lives', async () => {
  const { predictor, thread, asked } = await opened()
  await predictor.close()
  expect(asked).toEqual([['close', 7]])
  thread.alive = false
  await predictor.close()
  expect(asked).toHaveLength(1)
})
