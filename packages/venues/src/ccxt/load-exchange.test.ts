import { describe, expect, it } from 'vitest'
import type { ExchangeStreams } from './calls/exchange-calls.ts'
import { exchangeAnswers } from './live-markets.ts'
import { loadExchange } from './load-exchange.ts'

const load = (...args: Parameters<typeof loadExchange>) =>
  loadExchange(...args) as Promise<ExchangeStreams & { urls: { api: Record<string, string> } }>

describe('an exchange of ccxt', () => {
  it.each(['binance', 'bybit', 'okx', 'kraken', 'coinbase'])('is loaded by itself: %s', async (id) => {
    const exchange = await load(id)
    expect(exchange.id).toBe(id)
    expect(exchange.has.fetchOHLCV).toBe(true)
    expect(exchange.has.watchTicker).toBe(true)
    await exchange.close()
  })

  it('without a websocket side is loaded all the same', async () => {
    const exchange = await load('btcbox')
    expect(exchange.id).toBe('btcbox')
    expect(exchange.has.watchOHLCV).not.toBe(true)
  })

  it('loads the markets of one type only, by the names of the exchange', async () => {
    const typesOf = async (id: string, marketType: 'spot' | 'futures') =>
      ((await load(id, { marketType })).options.fetchMarkets as { types: string[] }).types
    expect(await typesOf('binance', 'spot')).toEqual(['spot'])
    expect(await typesOf('binance', 'futures')).toEqual(['linear'])
    expect(await typesOf('bitget', 'futures')).toEqual(['swap'])
    // It has futures only, whatever is asked for.
    expect(await typesOf('binanceusdm', 'spot')).toEqual(['linear'])
  })

  it('uses its sandbox where that is asked for, and says where there is none', async () => {
    expect((await load('binance', { testnet: true })).urls.api.private).toContain('//demo-api.')
    const futures = await load('binance', { testnet: true, marketType: 'futures' })
    expect(futures.urls.api.fapiPrivate).toContain('demo')
    const local = await load('binance', { testnet: true, urls: { api: { public: 'http://127.0.0.1:9' } } })
    expect(local.urls.api.public).toBe('http://127.0.0.1:9')
    expect(local.urls.api.private).toContain('//demo-api.')
    await expect(load('kraken', { testnet: true })).rejects.toMatchObject({ code: 'bad_input' })
  })

  it.each(['nosuchplace', '../binance', 'Binance', ''])('is refused by name where there is none: "%s"', async (id) => {
    await expect(load(id)).rejects.toMatchObject({ code: 'bad_input' })
  })

  it('does not answer where nothing is', async () => {
    const urls = { api: { public: 'http://127.0.0.1:9/api/v3' } }
    expect(await exchangeAnswers('binance', 2000, { urls })).toBe(false)
  })
})
