import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalVenue } from '../testing/open-local-venue.ts'
import { fetchFunding } from './funding-source.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
let local: Awaited<ReturnType<typeof openLocalVenue>>
beforeAll(async () => {
  local = await openLocalVenue()
})
afterAll(() => local.close())

/** Settlements every so many hours from the start, stamped 4 ms late. */
const settle = (symbol: string, everyHours: number, count: number) =>
  local.exchange.futures.fundingRates.push(
    ...Array.from({ length: count }, (_, k) => ({
      symbol,
      fundingTime: START + k * everyHours * HOUR + 4,
      fundingRate: ((k + 1) / 1e6).toFixed(8),
      markPrice: k === 1 ? '' : '42000.5',
    })),
  )
const fetched = (symbol: string, fromMs: number, untilMs: number) =>
  fetchFunding('binance', { symbol, fromMs, untilMs }, { urls: local.exchange.urls, unlimited: true })

describe('funding rates of an exchange', () => {
  it('come in pages, by the minute, with their mark where there is one, each once', async () => {
    settle('BTCUSDT', 8, 500)
    const found = await fetched('BTCUSDT', START - 1, START + 499 * 8 * HOUR)
    expect(found).toHaveLength(500)
    expect(found[0]).toEqual({ timeMs: START, rate: 0.000001, mark: 42_000.5, intervalMs: null })
    expect(found[1]).toMatchObject({ timeMs: START + 8 * HOUR, mark: Number.NaN })
    expect(found.at(-1)).toMatchObject({ timeMs: START + 499 * 8 * HOUR, rate: 0.0005 })
  })

  it('come after the beginning of the range and up to its end', async () => {
    const found = await fetched('BTCUSDT', START, START + 16 * HOUR)
    expect(found.map(({ timeMs }) => (timeMs - START) / HOUR)).toEqual([8, 16])
  })

  it('of a contract that settles every hour leave none out', async () => {
    settle('ETHUSDT', 1, 900)
    expect(await fetched('ETHUSDT', START - 1, START + 899 * HOUR)).toHaveLength(900)
  })

  it('of a coin without a contract say so', () =>
    expect(fetched('NOPEUSDT', START, START + HOUR)).rejects.toMatchObject({ code: 'unknown_symbol' }))
})
