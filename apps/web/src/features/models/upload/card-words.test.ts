import { expect, it } from 'vitest'
import { CARD_TEMPLATE, cardLines, readCard, sortFiles, versionOfFileName } from './use-upload.ts'

const read = (card: object) => {
  const found = readCard(JSON.stringify(card))
  if ('error' in found) throw new Error(found.error)
  return found.card
}

it('the template is a card that fits', () => {
  expect(cardLines(read(CARD_TEMPLATE)).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Name: My model',
    'Sees: 30 candles of 1h',
    '3 inputs: return_1, log_sigma, close, clipped at ± 5',
    'Quantiles: 5, 25, 50, 75, 95 %, in volatilities (σ √h)',
    'Signal: next candle, P(up) ½ ± 0.02',
    'Trained on: 1 Jan – 31 Dec 2024',
  ])
})

it('where nothing is said of its training, that is said', () => {
  const { trained: _told, ...untold } = CARD_TEMPLATE
  const line = cardLines(read({ ...untold, author: 'Ada', inputs: 'ours', clip: null })).at(-1)
  expect(line).toMatchObject({ label: 'Trained on', isWarning: true })
  expect(cardLines(read({ ...untold, author: 'Ada' }))[0]!.value).toBe('My model, by Ada')
})

it('tells a model without a range of its own', () => {
  const line = (card: object) => cardLines(read({ ...CARD_TEMPLATE, ...card }))[3]
  expect(line({ output: 'classes' })).toEqual({ label: 'Says', value: "P(up) alone; its range is our volatility's" })
  expect(line({ output: 'return' })?.value).toMatch(/^the expected return, in volatilities/)
  const deciles = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
  expect(line({ quantiles: deciles })?.value).toMatch(/^10, 20, .*90 %, in/)
  expect(line({ quantiles: [...deciles, 0.95] })?.value).toMatch(/^10 levels, in/)
})

it('names the field that does not fit', () => {
  expect(readCard('{')).toEqual({ error: 'This is not a JSON file.' })
  expect(readCard(JSON.stringify({ ...CARD_TEMPLATE, lookback: 0 }))).toEqual({
    error: 'The card does not fit: lookback must be at least 1.',
  })
  expect(readCard(' '.repeat(70_000))).toEqual({ error: 'The card is larger than 64 KB.' })
})

it('a file’s name becomes a version’s', () => {
  expect(versionOfFileName('my net (2).onnx')).toBe('my-net-2')
  expect(versionOfFileName('..onnx')).toBe('')
  expect(versionOfFileName(`${'x'.repeat(60)}.onnx`)).toHaveLength(40)
})

it('files find their places by their names', () => {
  const [net, card] = [new File([''], 'NET.ONNX'), new File([''], 'card.json')]
  expect(sortFiles([card, net])).toEqual({ onnx: net, card })
  expect(sortFiles([new File([''], 'notes.txt')])).toEqual({ onnx: undefined, card: undefined })
})
