import { describe, expect, it } from 'vitest'
import { seriesOfFileName } from './import-card.tsx'

describe('the name of a file of candles', () => {
  it.each([
    ['BTCUSDT-1h-2017-2024.csv', 'BTCUSDT', '1h'],
    ['BTCUSDT-1m-2023-01.zip', 'BTCUSDT', '1m'],
    ['Binance_ETHUSDT_1h.csv', 'ETHUSDT', '1h'],
    ['solusdt_4H.csv.gz', 'SOLUSDT', '4h'],
  ])('%s is of %s %s', (name, symbol, timeframe) => expect(seriesOfFileName(name)).toEqual({ symbol, timeframe }))
  it('leaves the fields alone when it says nothing', () =>
    expect(seriesOfFileName('history.csv')).toEqual({ symbol: null, timeframe: null }))
})
