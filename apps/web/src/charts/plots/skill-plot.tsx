import { formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE, WhiskerPoint } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

export interface SkillColumn {
  readonly name: string
  /** Ratio: 0.01 is one percent of the baseline's loss saved. */
  readonly skill: number | null
  readonly interval: readonly [number, number] | null
}

const pctOf = (ratio: number): string => `${formatSigned(ratio * 100, 0)}%`
const endsOf = (interval: readonly [number, number] | null): string =>
  interval === null ? '—' : `${formatSigned(interval[0] * 100, 1)} to ${formatSigned(interval[1] * 100, 1)}%`

/** Skills with their intervals side by side, against knowing nothing at 0. `columns` must not be without any skill. */
export function SkillPlot({
  label,
  xTitle,
  columns,
}: {
  label: string
  xTitle: string
  columns: readonly SkillColumn[]
}) {
  const values = columns.flatMap(({ skill, interval }) => [...(skill === null ? [] : [skill]), ...(interval ?? [])])
  const end = columns.length + 0.5
  return (
    <PlotFrame
      label={label}
      xTitle={xTitle}
      x={{ from: 0.5, to: end, ticks: columns.map((_, i) => i + 1) }}
      y={roundAxis([...values, 0], 4, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])}
      formatX={(place) => columns[place - 1]?.name ?? ''}
      formatY={pctOf}
      legend={[
        { word: 'Brier skill, with 95% interval', mark: MARKS.point },
        { word: 'knowing nothing', mark: MARKS.reference },
      ]}
      heads={[xTitle, 'Brier skill', '95% interval']}
      rows={columns.map(({ name, skill, interval }, key) => ({
        key,
        cells: [name, formatChangePct(skill === null ? null : skill * 100), endsOf(interval)],
      }))}
    >
      {({ x, y }) => (
        <>
          <line x1={x(0.5)} x2={x(end)} y1={y(0)} y2={y(0)} {...REFERENCE} />
          {columns.map(({ name, skill, interval }, i) =>
            skill === null ? null : (
              <WhiskerPoint
                key={name}
                x={x(i + 1)}
                y={y(skill)}
                lowY={interval === null ? null : y(interval[0])}
                highY={interval === null ? null : y(interval[1])}
              />
            ),
          )}
        </>
      )}
    </PlotFrame>
  )
}
