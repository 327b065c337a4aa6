import { formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio, formatShareRatioShort } from '#kit/format/percent.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE, WhiskerPoint } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

type Ends = readonly [number, number]

export interface ShareColumn {
  /** A version, a month. */
  readonly name: string
  readonly share: number | null
  readonly interval: Ends | null
}

export interface ShareLine {
  readonly word: string
  readonly share: number
}

/** A share from 0 to 1; or a skill, of which 0.01 is one percent of a baseline's loss saved. */
const KINDS = {
  share: {
    limits: [0, 1],
    tick: formatShareRatioShort,
    value: formatShareRatio,
    interval: formatInterval,
    line: ({ word, share }: ShareLine) => `${word} ${formatShareRatio(share)}`,
  },
  skill: {
    limits: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    tick: (skill: number) => `${formatSigned(skill * 100, 0)}%`,
    value: (skill: number | null) => formatChangePct(skill === null ? null : skill * 100),
    interval: (ends: Ends | null) =>
      ends === null ? UNKNOWN : `${formatSigned(ends[0] * 100, 1)} to ${formatSigned(ends[1] * 100, 1)}%`,
    line: ({ word }: ShareLine) => word,
  },
} as const

/** Shares with their intervals side by side, against lines that they are to beat. */
export function SharesPlot({
  of = 'share',
  label,
  xTitle,
  columns,
  lines,
  shareWord = 'accuracy',
}: {
  of?: keyof typeof KINDS
  label: string
  xTitle: string
  columns: readonly ShareColumn[]
  lines: readonly ShareLine[]
  /** What is shared out, in a word. */
  shareWord?: string
}) {
  const kind = KINDS[of]
  const values = columns.flatMap(({ share, interval }) => [...(share === null ? [] : [share]), ...(interval ?? [])])
  const end = columns.length + 0.5
  const dashed = lines.map((line, i) => ({ ...line, look: { ...REFERENCE, strokeDasharray: DASHES[i % 2] } }))
  return (
    <PlotFrame
      label={label}
      xTitle={xTitle}
      x={{ from: 0.5, to: end, ticks: columns.map((_, i) => i + 1) }}
      y={roundAxis([...values, ...lines.map((line) => line.share)], 4, kind.limits)}
      formatX={(place) => columns[place - 1]?.name ?? ''}
      formatY={kind.tick}
      legend={[
        { word: `${shareWord}, with 95% interval`, mark: MARKS.point },
        ...dashed.map(({ look, ...line }) => ({ word: kind.line(line), mark: <path d="M0 5h18" {...look} /> })),
      ]}
      heads={[xTitle, shareWord, '95% interval']}
      rows={columns.map(({ name, share, interval }, key) => ({
        key,
        cells: [name, kind.value(share), kind.interval(interval)],
      }))}
    >
      {({ x, y }) => (
        <>
          {dashed.map(({ word, share, look }) => (
            <line key={word} x1={x(0.5)} x2={x(end)} y1={y(share)} y2={y(share)} {...look} />
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
