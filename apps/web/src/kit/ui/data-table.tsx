import { ChevronDown, Crosshair } from 'lucide-react'
import { Fragment, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { colors } from '../theme/tokens.ts'
import { Button, IconButton } from './button.tsx'
import css from './data-table.module.css'
import { Facts } from './facts.tsx'
import layout from './layout.module.css'

/** Px that the button takes which opens the rest of a row. */
const OPENER_PX = 46

interface MeasuredColumn {
  readonly keep: boolean
  /** Px that it takes with nothing broken. */
  readonly widthPx: number
}

/** Which columns stand in `roomPx`: all where they fit, else those that are kept and as many of the others, in order. */
export function fittingColumns(columns: readonly MeasuredColumn[], roomPx: number): boolean[] {
  const total = columns.reduce((sum, { widthPx }) => sum + widthPx, 0)
  if (total <= roomPx) return columns.map(() => true)
  let left = roomPx - OPENER_PX
  for (const { keep, widthPx } of columns) if (keep) left -= widthPx
  return columns.map(({ keep, widthPx }) => {
    if (keep) return true
    left -= widthPx
    return left >= 0
  })
}

/**
 * Which of a table's columns have room where it stands; null where all stand in it with nothing broken. The table is measured before it is
 * painted, with every column drawn, the first time that it is wider than its box.
 */
function useFittingColumns(keeps: readonly boolean[]): {
  box: RefObject<HTMLDivElement | null>
  shown: readonly boolean[] | null
} {
  const box = useRef<HTMLDivElement>(null)
  const measured = useRef<MeasuredColumn[] | null>(null)
  const [shown, setShown] = useState<readonly boolean[] | null>(null)
  const keepKey = keeps.map(Number).join('')
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (element == null || table == null) return
    const fit = () => {
      const roomPx = element.clientWidth
      if (shown === null) {
        if (roomPx === 0 || table.offsetWidth <= roomPx) return
        const heads = [...table.querySelectorAll<HTMLElement>(':scope > thead th')]
        measured.current = heads.map((head, i) => ({ keep: keepKey[i] === '1', widthPx: head.offsetWidth }))
      }
      const next = fittingColumns(measured.current ?? [], roomPx)
      const total = (measured.current ?? []).reduce((sum, { widthPx }) => sum + widthPx, 0)
      if (total <= roomPx) setShown(null)
      else if (shown === null || next.some((is, i) => is !== shown[i])) setShown(next)
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    observer.observe(table)
    return () => observer.disconnect()
  }, [shown, keepKey])
  return { box, shown }
}

export interface Column<Row> {
  /** With its unit where it is a figure: 'Fees, USDT'. */
  head: string
  cell: (row: Row) => ReactNode
  /** Figures stand at the right. */
  figure?: boolean
  /** Stays in sight where not all columns fit; what has no room opens under the row. */
  keep?: boolean
  /** A time or a range, which is never broken in two lines. Figures never are. */
  whole?: boolean
  /** A line before it: what follows is of something else. */
  split?: boolean
  /** text2 for what is read last. */
  quiet?: boolean
}

export interface DataTableProps<Row> {
  /** What the table holds, for a screen reader. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => string | number
  /** Names a row in the button that opens it; its key where that is words. */
  rowName?: (row: Row) => string
  /** What a press on a row does, in words, and the doing. */
  onRow?: { readonly words: string; readonly press: (row: Row) => void }
  /** The rows together: words, and sums by the head of their column. */
  sums?: { readonly words: ReactNode; readonly of: Readonly<Record<string, ReactNode>> } | undefined
}

/** Labels left, figures right, 36 px rows. Columns that have no room where the table stands open under their row. */
export function DataTable<Row>({ label, columns, rows, rowKey, rowName, onRow, sums }: DataTableProps<Row>) {
  const fitting = useFittingColumns(columns.map(({ keep }) => keep === true))
  const [opened, setOpened] = useState<string | number | null>(null)
  const hidden = columns.filter((_, i) => fitting.shown?.[i] === false)
  const shown = columns.filter((column) => !hidden.includes(column))
  const isCut = hidden.length > 0
  return (
    <div ref={fitting.box} className={css.box}>
      <table className={css.table} aria-label={label} data-tight={fitting.shown !== null}>
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={columns.indexOf(column)} scope="col" data-figure={column.figure} data-split={column.split}>
                {column.head}
              </th>
            ))}
            {onRow !== undefined && !isCut && (
              <th scope="col" data-open>
                <span className={layout.visuallyHidden}>{onRow.words}</span>
              </th>
            )}
            {isCut && (
              <th scope="col" data-open>
                <span className={layout.visuallyHidden}>More</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const key = rowKey(row, index)
            const name = rowName?.(row) ?? (typeof key === 'string' ? key : `row ${index + 1}`)
            const isOpen = opened === key
            return (
              <Fragment key={key}>
                <tr {...(onRow !== undefined && { onClick: () => onRow.press(row), style: { cursor: 'pointer' } })}>
                  {shown.map((column) => (
                    <td
                      key={columns.indexOf(column)}
                      data-figure={column.figure}
                      data-whole={column.whole}
                      data-quiet={column.quiet}
                      data-split={column.split}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                  {onRow !== undefined && !isCut && (
                    <td data-open>
                      <IconButton size="small" title={onRow.words} aria-label={`${onRow.words}: ${name}`}>
                        <Crosshair />
                      </IconButton>
                    </td>
                  )}
                  {isCut && (
                    <td data-open>
                      <IconButton
                        size="small"
                        aria-expanded={isOpen}
                        aria-label={`${isOpen ? 'Less' : 'More'} about ${name}`}
                        onClick={(event) => {
                          event.stopPropagation()
                          setOpened(isOpen ? null : key)
                        }}
                        style={{ transform: isOpen ? 'rotate(180deg)' : 'none' }}
                      >
                        <ChevronDown />
                      </IconButton>
                    </td>
                  )}
                </tr>
                {isOpen && isCut && (
                  <tr data-rest>
                    <td colSpan={shown.length + 1} style={{ backgroundColor: colors.well }}>
                      <Facts facts={hidden.map((column) => ({ label: column.head, value: column.cell(row) }))} />
                      {onRow !== undefined && (
                        <Button
                          size="small"
                          startIcon={<Crosshair size={14} />}
                          onClick={() => onRow.press(row)}
                          style={{ marginTop: 12 }}
                        >
                          {onRow.words}
                        </Button>
                      )}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
        {sums !== undefined && <Sums columns={shown} sums={sums} hasMore={isCut || onRow !== undefined} />}
      </table>
    </div>
  )
}

function Sums<Row>({
  columns,
  sums: { words, of },
  hasMore,
}: {
  columns: readonly Column<Row>[]
  sums: NonNullable<DataTableProps<Row>['sums']>
  hasMore: boolean
}) {
  const first = Math.max(
    1,
    columns.findIndex(({ head }) => head in of),
  )
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={first}>
          {words}
        </th>
        {columns.slice(first).map((column) => (
          <td key={columns.indexOf(column)} data-figure={column.figure}>
            {of[column.head]}
          </td>
        ))}
        {hasMore && <td />}
      </tr>
    </tfoot>
  )
}
