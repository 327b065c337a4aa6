import { formatInterval, formatShareRatio, formatShareRatioShort } from '#kit/format/percent.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE, WhiskerPoint } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

export interface ShareColumn {
  /** A version, a month. */
  readonly name: string
  readonly share: number | null
  readonly interval: readonly [number, number] | null
}

export interface ShareLine {
  readonly word: string
  readonly share: number
}

/** Shares with their intervals side by side, against lines that they are to beat. */
export function SharesPlot({
  label,
  xTitle,
  columns,
  lines,
  shareWord = 'accuracy',
}: {
  label: string
  xTitle: string
  columns: readonly ShareColumn[]
  lines: readonly ShareLine[]
  /** What is shared out, in a word. */
  shareWord?: string
}) {
  const values = columns.flatMap(({ share, interval }) => [...(share === null ? [] : [share]), ...(interval ?? [])])
  const axis = roundAxis([...values, ...lines.map((line) => line.share)], 4, [0, 1])
  const places = columns.map((_, i) => i + 1)
  const end = columns.length + 0.5
  return (
    <PlotFrame
      label={label}
      xTitle={xTitle}
      x={{ from: 0.5, to: end, ticks: places }}
      y={axis}
      formatX={(place) => columns[place - 1]?.name ?? ''}
      formatY={formatShareRatioShort}
      legend={[
        { word: `${shareWord}, with 95% interval`, mark: MARKS.point },
        ...lines.map(({ word, share }, i) => ({
          word: `${word} ${formatShareRatio(share)}`,
          mark: <path d="M0 5h18" {...REFERENCE} strokeDasharray={DASHES[i % DASHES.length]} />,
        })),
      ]}
      heads={[xTitle, shareWord, 'Interval']}
      rows={columns.map(({ name, share, interval }, i) => ({
        key: i,
        cells: [name, formatShareRatio(share), formatInterval(interval === null ? null : [interval[0], interval[1]])],
      }))}
    >
      {({ x, y }) => (
        <>
          {lines.map(({ word, share }, i) => (
            <line
              key={word}
              x1={x(0.5)}
              x2={x(end)}
              y1={y(share)}
              y2={y(share)}
              {...REFERENCE}
              strokeDasharray={DASHES[i % DASHES.length]}
            />
          ))}
          {columns.map(({ name, share, interval }, i) =>
            share === null ? null : (
              <WhiskerPoint
                key={name}
                x={x(i + 1)}
                y={y(share)}
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

/** Lines are told apart by their pattern. */
const DASHES = ['4 3', '1.5 2.5'] as const
