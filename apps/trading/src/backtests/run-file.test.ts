import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import type { Trade } from '@shapecast/contracts/backtest-results'
import { parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { csvPieces, parquetOf } from '../ground/table-file.ts'
import { comparisonColumns, runColumns } from './run-file.ts'

const HOUR = 3_600_000
const trade: Trade = {
  side: 'long',
  entryTime: 0,
  exitTime: 59 * HOUR,
  entryPrice: 100,
  exitPrice: 101.5,
  quantity: 2,
  netPnL: 2.88,
  fees: 0.12,
  funding: 0,
  exitReason: 'stop_loss',
}
const curve = [
  { t: 0, equity: 1000 },
  { t: HOUR, equity: 1002.88 },
]
const csv = (trades: Trade[], part: 'trades' | 'equity') =>
  [...csvPieces(runColumns({ trades, equityCurve: curve }, part))].join('')
const parquet = async (trades: Trade[], part: 'trades' | 'equity') => {
  const bytes = parquetOf(runColumns({ trades, equityCurve: curve }, part))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  return parquetReadObjects({ file })
}

it('writes trades for a spreadsheet, with their pair where there are several', () => {
  expect(csv([trade], 'trades')).toBe(
    'side,entry_time,exit_time,entry_price,exit_price,quantity,fees,funding,net_pnl,exit_reason\n' +
      'long,1970-01-01T00:00:00.000Z,1970-01-03T11:00:00.000Z,100,101.5,2,0.12,0,2.88,stop_loss\n',
  )
  expect(csv([{ ...trade, symbol: 'ETHUSDT' }], 'trades')).toMatch(/exit_reason,pair\n.*stop_loss,ETHUSDT\n$/)
  expect(csv([], 'trades')).toMatch(/^side,.*exit_reason\n$/)
})

it('writes the equity with its times', () =>
  expect(csv([], 'equity')).toBe('time,equity\n1970-01-01T00:00:00.000Z,1000\n1970-01-01T01:00:00.000Z,1002.88\n'))

it('writes the same as Parquet, times as timestamps', async () => {
  const [row, ...more] = await parquet([trade], 'trades')
  expect(more).toEqual([])
  expect(row).toMatchObject({ side: 'long', exit_time: new Date(59 * HOUR), net_pnl: 2.88, exit_reason: 'stop_loss' })
  expect(await parquet([], 'equity')).toEqual(curve.map(({ t, equity }) => ({ time: new Date(t), equity })))
  expect(await parquet([], 'trades')).toEqual([])
})

it('writes compared runs side by side: a gap without a candle, the end of the id where two have one name', () => {
  const [a, b, c] = ['run-00000001', 'run-00000002', 'run-00000003'] as const
  const run = (_id: string, name: string | null) =>
    ({ _id, name, symbol: 'BTCUSDT', params: { botName: 'Half', mlModelVersion: null } }) as BacktestRunSummary
  const curve = (runId: string | null, pct: readonly number[], from = 0) => ({
    runId,
    points: pct.map((value, i): [number, number] => [(from + i) * HOUR, value]),
    monthsPct: [],
  })
  const columns = comparisonColumns({
    runs: [run(a, null), run(b, 'Half'), run(c, '=Small, slow')],
    curves: [curve(a, [0, 10, -5]), curve(b, [0.25], 1), curve(c, [1.5], 2), curve(null, [0, -20, 0])],
  })
  expect([...csvPieces(columns)].join('').split('\n')).toEqual([
    `time,Half 00000001,Half 00000002,"'=Small, slow",Buy and hold`,
    '1970-01-01T00:00:00.000Z,0,,,0',
    '1970-01-01T01:00:00.000Z,10,0.25,,-20',
    '1970-01-01T02:00:00.000Z,-5,,1.5,0',
    '',
  ])
})
