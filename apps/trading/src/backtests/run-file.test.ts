import type { Trade } from '@shapecast/contracts/backtest'
import { parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { csvPieces, parquetOf } from '../ground/table-file.ts'
import { runColumns } from './run-file.ts'

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
