import { type ChartLine, ChartLines, Watchlist } from '@shapecast/contracts/charts'
import { AppError } from '@shapecast/contracts/errors'
import { afterAll, expect, it } from 'vitest'
import { createServiceBench } from '../../../test/support/service-bench.ts'
import { createChartService } from './chart-service.ts'
import { chartRoutes } from './routes.ts'

const bench = await createServiceBench()
afterAll(() => bench.close())
const on = (venue: string) =>
  createChartService({
    orm: bench.db.orm,
    venue,
    async requireSymbol(symbol) {
      if (!['BTCUSDT', 'ETHUSDT'].includes(symbol)) throw new AppError('unknown_symbol', `no ${symbol}`)
    },
  })
const app = bench.mount((service) => chartRoutes(service, on('test')))
const { owner, other } = bench.users

async function ask(method: 'GET' | 'POST', url: string, token: string | null, payload?: object) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
  const json = reply.json()
  return [reply.statusCode, json.data ?? json]
}
const BTC = { symbol: 'BTCUSDT', timeframe: '1h' }
const ETH = { symbol: 'ETHUSDT', timeframe: '4h' }
const LEVEL: ChartLine = { kind: 'level', price: 60_000 }
const TREND: ChartLine = { kind: 'trend', from: { t: 0, price: 1 }, to: { t: 3_600_000, price: 2 } }

it('the watchlist of each user is kept in its order, by market', async () => {
  const url = '/api/charts/watchlist'
  expect(await ask('GET', url, owner.token)).toEqual([200, { series: [] }])
  expect(await ask('POST', url, owner.token, { series: [ETH, BTC] })).toEqual([200, { series: [ETH, BTC] }])
  expect(await ask('POST', url, owner.token, { series: [BTC] })).toEqual([200, { series: [BTC] }])
  expect(await ask('GET', url, owner.token)).toEqual([200, { series: [BTC] }])
  expect(await ask('GET', url, other.token)).toEqual([200, { series: [] }])
  expect(await on('elsewhere').watchlist(owner.userId)).toEqual({ series: [] })
  expect((await ask('GET', url, null))[0]).toBe(401)
})

it('drawn lines are kept by user and symbol', async () => {
  const url = '/api/charts/BTCUSDT/lines'
  expect(await ask('POST', url, owner.token, { lines: [LEVEL, TREND] })).toEqual([200, { lines: [LEVEL, TREND] }])
  expect(await ask('GET', url, owner.token)).toEqual([200, { lines: [LEVEL, TREND] }])
  expect(await ask('GET', url, other.token)).toEqual([200, { lines: [] }])
  expect(await ask('GET', '/api/charts/ETHUSDT/lines', owner.token)).toEqual([200, { lines: [] }])
  expect(await ask('POST', url, owner.token, { lines: [] })).toEqual([200, { lines: [] }])
})

it('refuses symbols that the market does not have, and says what a list or a line must be', async () => {
  const series = [{ symbol: 'NOUSDT', timeframe: '1h' }]
  expect((await ask('POST', '/api/charts/watchlist', owner.token, { series }))[1]).toMatchObject({
    code: 'unknown_symbol',
  })
  expect((await ask('POST', '/api/charts/NOUSDT/lines', owner.token, { lines: [LEVEL] }))[1]).toMatchObject({
    code: 'unknown_symbol',
  })
  const wordsOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
    result.error?.issues[0]?.message
  expect(wordsOf(Watchlist.safeParse({ series: [BTC, BTC] }))).toBe('must name each series once')
  expect(wordsOf(ChartLines.safeParse({ lines: [{ kind: 'level', price: 0 }] }))).toBe('must be more than 0')
  expect(wordsOf(ChartLines.safeParse({ lines: [{ ...TREND, to: TREND.kind === 'trend' && TREND.from }] }))).toBe(
    'must end after it begins',
  )
  expect(wordsOf(ChartLines.safeParse({ lines: Array(51).fill(LEVEL) }))).toBe('must have at most 50 lines')
})
