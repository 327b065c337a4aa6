import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Column, DataTable } from './data-table.tsx'

// Four columns of 100 px in a box of 250 px: the two that are kept stay.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(250)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'TABLE' ? 400 : 100
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const columns: readonly Column<string>[] = ['Side', 'Exit time', 'Fees', 'Exit reason'].map((head, i) => ({
  id: head,
  head,
  keep: i < 2,
  cell: (row) => `${head} of ${row}`,
}))

it('opens what has no room under its row, with what a press on the row does', () => {
  const press = vi.fn()
  render(
    <DataTable
      label="Trades"
      columns={columns}
      rows={['first']}
      rowKey={(row) => row}
      rowName={(row) => row}
      onRow={{ words: 'Show on the chart', press }}
    />,
  )
  expect(screen.queryByText('Fees of first')).toBeNull()
  expect(screen.queryByRole('button', { name: /Show on the chart/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'More about first' }))
  screen.getByText('Fees of first')
  expect(press).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Show on the chart' }))
  expect(press.mock.calls).toEqual([['first']])
})

it('lets words break where every column is kept and they have no room', () => {
  const kept = columns.slice(0, 3).map((column) => ({ ...column, keep: true }))
  render(<DataTable label="What differs" columns={kept} rows={['first']} rowKey={(row) => row} />)
  screen.getByText('Fees of first')
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('table').dataset.tight).toBe('true')
})
