import { expect, it } from 'vitest'
import { sampleRun } from '../../../../testing/sample-run.ts'
import { comparedNames, monthName, settingRows } from './run-tables.tsx'

const plain = sampleRun()
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date)

it('says which settings differ', () => {
  const rows = settingRows([plain, { ...plain, params: { ...plain.params, leverage: 3, marketType: 'spot' } }])
  expect(rows.filter(({ differs }) => differs).map(({ label }) => label)).toEqual(['Market'])
})

it('tells runs of one name apart by a setting, or by their place', () => {
  const deep = { ...plain, params: { ...plain.params, positionSize: 0.1 } }
  expect(comparedNames([plain, deep, { ...plain, name: 'Own' }])).toEqual([
    'Northwind BTC, position size 0.015',
    'Northwind BTC, position size 0.1',
    'Own',
  ])
  expect(comparedNames([plain, plain])).toEqual(['Northwind BTC (1)', 'Northwind BTC (2)'])
})

it('names a month by the day on which the unseen part begins in its midst', () => {
  expect([day(2, 1), day(2, 6)].map((from) => monthName(from, day(2, 6)))).toEqual(['Feb 2026', 'from 6 Feb'])
  expect(monthName(day(3, 1), day(3, 1))).toBe('Mar 2026')
})
