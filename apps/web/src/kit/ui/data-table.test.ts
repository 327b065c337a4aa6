import { describe, expect, it } from 'vitest'
import { fittingColumns } from './data-table.tsx'

const column = (widthPx: number, keep = false) => ({ keep, widthPx })

describe('columns of a table', () => {
  it('are all there where they fit to the pixel', () =>
    expect(fittingColumns([column(200, true), column(300), column(100)], 600)).toEqual([true, true, true]))

  it('make room for the button that opens the rest: 46 of 599 px', () =>
    // 553 px are left: 200 for the one that is kept, 300 for the next, not the last 100.
    expect(fittingColumns([column(200, true), column(300), column(100)], 599)).toEqual([true, true, false]))

  it('leave out nothing that is kept, however narrow it is', () =>
    expect(fittingColumns([column(200, true), column(80), column(200, true)], 300)).toEqual([true, false, true]))
})
