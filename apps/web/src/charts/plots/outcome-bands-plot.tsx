import { formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { PlotFrame } from './plot-frame.tsx'
import { REFERENCE } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

/** Quantiles of outcomes, percent over the beginning. */
interface OutcomeBand {
  readonly p5: number
  readonly p25: number
  readonly median: number
  readonly p75: number
  readonly p95: number
}

const OUTER = { fill: tint(colors.accent, 0.13) } as const
const MIDDLE = { fill: tint(colors.accent, 0.2) } as const
const MEDIAN = { stroke: colors.accent, strokeWidth: 2, fill: 'none' } as const
const HOLD = { stroke: chartColors.emaSlow, strokeWidth: 1.5, fill: 'none' } as const
const HOLD_EDGE = { ...HOLD, strokeWidth: 1, strokeDasharray: '3 3' } as const
const START: OutcomeBand = { p5: 0, p25: 0, median: 0, p75: 0, p95: 0 }

const between = (low: number, high: number) => `${formatChangePct(low)} to ${formatChangePct(high)}`

/**
 * Returns from many starting days by the months held: median, middle half and 90 % of them. Of holding, whose 90 % would
 * press the rest flat, median and middle half are drawn; the figures have all of it.
 */
export function OutcomeBandsPlot({
  label,
  name,
  own,
  hold,
}: {
  label: string
  /** Of what is beside holding. */
  name: string
  /** After each month, the first after one. */
  own: readonly OutcomeBand[]
  hold: readonly OutcomeBand[]
}) {
  const ownBands = [START, ...own]
  const holdBands = [START, ...hold]
  const values = [...ownBands.flatMap(({ p5, p95 }) => [p5, p95]), ...holdBands.flatMap(({ p25, p75 }) => [p25, p75])]
  return (
    <PlotFrame
      label={label}
      xTitle="Months held"
      leftPx={52}
      x={{ from: 0, to: own.length, ticks: ownBands.map((_, month) => month) }}
      y={roundAxis(values, 5, [-100, Number.POSITIVE_INFINITY])}
      formatX={String}
      formatY={(value) => `${formatSigned(value, 0)}%`}
      legend={[
        { word: `${name}: median`, mark: <path d="M0 5h18" {...MEDIAN} /> },
        { word: 'middle half', mark: <BandMark {...MIDDLE} /> },
        { word: '90% of starts', mark: <path d="M0 0h18v10H0z" {...OUTER} /> },
        { word: 'Buy and hold: median', mark: <path d="M0 5h18" {...HOLD} /> },
        { word: 'its middle half', mark: <path d="M0 1h18M0 9h18" {...HOLD_EDGE} /> },
      ]}
      heads={[
        'Months held',
        `${name}: median`,
        'Middle half',
        '90% of starts',
        'Buy and hold: median',
        'Its middle half',
        'Its 90% of starts',
      ]}
      rows={own.map((band, i) => {
        const held = hold[i]!
        return {
          key: i,
          cells: [
            String(i + 1),
            formatChangePct(band.median),
            between(band.p25, band.p75),
            between(band.p5, band.p95),
            formatChangePct(held.median),
            between(held.p25, held.p75),
            between(held.p5, held.p95),
          ],
        }
      })}
    >
      {({ x, y }) => {
        const points = (bands: readonly OutcomeBand[], quantile: keyof OutcomeBand) =>
          bands.map((band, month) => `${x(month).toFixed(1)} ${y(band[quantile]).toFixed(1)}`)
        const line = (bands: readonly OutcomeBand[], quantile: keyof OutcomeBand) =>
          `M${points(bands, quantile).join('L')}`
        const area = (low: keyof OutcomeBand, high: keyof OutcomeBand) =>
          `M${[...points(ownBands, low), ...points(ownBands, high).toReversed()].join('L')}Z`
        return (
          <>
            <line x1={x(0)} x2={x(own.length)} y1={y(0)} y2={y(0)} {...REFERENCE} />
            <path d={area('p5', 'p95')} {...OUTER} />
            <path d={area('p25', 'p75')} {...MIDDLE} />
            <path d={line(holdBands, 'p25')} {...HOLD_EDGE} />
            <path d={line(holdBands, 'p75')} {...HOLD_EDGE} />
            <path d={line(holdBands, 'median')} {...HOLD} />
            <path d={line(ownBands, 'median')} {...MEDIAN} />
          </>
        )
      }}
    </PlotFrame>
  )
}

/** The middle half lies on the outer band. */
const BandMark = (middle: typeof MIDDLE) => (
  <>
    <path d="M0 0h18v10H0z" {...OUTER} />
    <path d="M0 0h18v10H0z" {...middle} />
  </>
)
