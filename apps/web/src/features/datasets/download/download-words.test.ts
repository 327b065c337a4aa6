import { expect, it } from 'vitest'
import { downloadWords } from './download-words.ts'

it('a download says how many candles came, or why it failed', () => {
  expect(downloadWords({ status: 'running', candles: 12_500, error: null })).toBe('Downloading, 12,500 candles so far')
  expect(downloadWords({ status: 'failed', candles: 0, error: 'Binance does not answer' })).toBe(
    'Binance does not answer',
  )
  expect(downloadWords({ status: 'failed', candles: 0, error: null })).toBe('The download failed')
})
