import { formatInterval, formatShareRatio, formatShareRatioShort } from '#kit/format/percent.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE, WhiskerPoint } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

export interface CoveragePoint {
  /** Candles ahead. */
  readonly horizon: number
  readonly coverage90: number
  readonly interval: readonly [number, number]
  readonly coverage50: number | null
}

const NOMINAL = [0.9, 0.5] as const

/** How often the 90 % and the 50 % range held what came, by candles ahead, against what they promise. */
export function CoveragePlot({ label, points }: { label: string; points: readonly CoveragePoint[] }) {
  const has50 = points.some((point) => point.coverage50 !== null)
  const values = points.flatMap(({ coverage90, interval, coverage50 }) => [coverage90, ...interval, coverage50 ?? 0.9])
  const nominal = has50 ? NOMINAL : NOMINAL.slice(0, 1)
  const horizons = points.map((point) => point.horizon)
  const last = Math.max(...horizons)
  return (
    <PlotFrame
      label={label}
      xTitle="Candles ahead"
      x={{ from: 0.5, to: last + 0.5, ticks: horizons }}
      y={roundAxis([...values, ...nominal], 5, [0, 1])}
      formatX={String}
      formatY={formatShareRatioShort}
      legend={[
        { word: '90% range, with 95% interval', mark: MARKS.point },
        ...(has50 ? [{ word: '50% range', mark: MARKS.hollow }] : []),
        { word: 'promised', mark: MARKS.reference },
      ]}
      heads={['Candles ahead', 'Held by the 90% range', 'Interval', 'Held by the 50% range']}
      rows={points.map(({ horizon, coverage90, interval, coverage50 }) => ({
        key: horizon,
        cells: [
          String(horizon),
          formatShareRatio(coverage90),
          formatInterval([interval[0], interval[1]]),
          formatShareRatio(coverage50),
        ],
      }))}
    >
      {({ x, y }) => (
        <>
          {nominal.map((share) => (
            <line key={share} x1={x(0.5)} x2={x(last + 0.5)} y1={y(share)} y2={y(share)} {...REFERENCE} />
          ))}
          {points.map(({ horizon, coverage90, interval, coverage50 }) => (
            <g key={horizon}>
              <WhiskerPoint x={x(horizon)} y={y(coverage90)} lowY={y(interval[0])} highY={y(interval[1])} />
              {coverage50 !== null && <WhiskerPoint x={x(horizon)} y={y(coverage50)} lowY={null} highY={null} hollow />}
            </g>
          ))}
        </>
      )}
    </PlotFrame>
  )
}
