import { Box, Typography } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import { useMemo } from 'react'
import { formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { colors, TINT, tint } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { DataTable } from '#kit/ui/data-table.tsx'
import { comparedMonths } from './compared-months.ts'
import { type Course, comparedNames, settingRows } from './compared-runs.ts'

/** How the line of a run is drawn. */
export interface Look {
  readonly color: string
  readonly isDashed: boolean
}

/** A run, or holding the coin, with its name and its line. */
export interface NamedCourse {
  readonly key: string
  readonly name: string
  readonly course: Course
  readonly look: Look
}

export const LinePattern = ({ look: { isDashed, color } }: { look: Look }) => (
  <Box
    component="span"
    aria-hidden
    sx={{
      flexShrink: 0,
      display: 'inline-block',
      width: 18,
      borderTop: `2px ${isDashed ? 'dashed' : 'solid'} ${color}`,
    }}
  />
)

export const NameCell = ({ name, look }: { name: string; look: Look | undefined }) => (
  <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
    {look !== undefined && <LinePattern look={look} />}
    {name}
  </Box>
)

/** The return of each month; those that a model had seen stand apart. */
export function MonthsCard({ courses, from }: { courses: readonly NamedCourse[]; from: number }) {
  const found = useMemo(
    () =>
      comparedMonths(
        courses.map(({ course }) => course),
        from,
      ),
    [courses, from],
  )
  const rows = courses.map(({ key, name, look }, i) => ({ key, name, look, returnsPct: found.returnsPct[i] ?? [] }))
  return (
    <Card title="Months" facts="percent, after costs" flush>
      <DataTable
        label="Months"
        columns={[
          { id: 'run', head: 'Run', keep: true, cell: (row: (typeof rows)[number]) => <NameCell {...row} /> },
          ...found.months.map(({ name, isSeen }, i) => ({
            id: name,
            head: isSeen ? `${name}, seen` : name,
            figure: true,
            quiet: isSeen,
            keep: i === found.months.length - 1,
            cell: ({ returnsPct }: (typeof rows)[number]) => formatSigned(returnsPct[i] ?? null, 1),
          })),
        ]}
        rows={rows}
        rowKey={({ key }) => key}
        rowName={({ name }) => name}
      />
    </Card>
  )
}

/** What the runs were set to: what differs first, then in one line what is the same. */
export function Differences({ runs }: { runs: readonly BacktestRun[] }) {
  const rows = settingRows(runs)
  const names = comparedNames(runs)
  const differing = rows.filter(({ differs }) => differs)
  const same = rows.filter(({ differs }) => !differs)
  return (
    <Card title="What differs" flush>
      {differing.length > 0 && (
        <DataTable
          label="What differs"
          columns={[
            { id: 'label', head: 'Setting', keep: true, quiet: true, cell: ({ label }) => label },
            ...runs.map((run, i) => ({
              id: run._id,
              head: names[i]!,
              keep: i < 2,
              cell: ({ values }: (typeof differing)[number]) => (
                <Box component="span" sx={differingStyle}>
                  {values[i] ?? UNKNOWN}
                </Box>
              ),
            })),
          ]}
          rows={differing}
          rowKey={({ label }) => label}
          rowName={({ label }) => label}
        />
      )}
      <Typography variant="small" sx={{ px: 2, py: 1.5, color: colors.text2 }}>
        The same: {same.map(({ label, values }) => `${label.toLowerCase()} ${values[0]}`).join(', ')}.
      </Typography>
    </Card>
  )
}

/** A cell that differs: as tinted as a chip, but of two lines where there is no room. */
const differingStyle = {
  display: 'inline-block',
  px: 1,
  py: '2px',
  borderRadius: '6px',
  typography: 'label',
  color: colors.accentHi,
  backgroundColor: tint(colors.accent, TINT.accent),
} as const
