import { formatCount } from '#kit/format/number.ts'
import { formatShareRatio, formatShareRatioShort } from '#kit/format/percent.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

export interface ReliabilityBin {
  readonly predicted: number
  readonly observed: number
  readonly outcomes: number
  /** Where 95 % of observed shares of a reliable forecast lie. */
  readonly band: readonly [number, number]
}

const isWithinBand = ({ observed, band }: Pick<ReliabilityBin, 'observed' | 'band'>): boolean =>
  observed >= band[0] && observed <= band[1]

/** What was forecast against what came, bin by bin. Only points outside their noise band speak against the model. */
export function ReliabilityPlot({ label, bins }: { label: string; bins: readonly ReliabilityBin[] }) {
  const values = bins.flatMap(({ predicted, observed, band }) => [predicted, observed, ...band])
  const axis = roundAxis(values, 5, [0, 1])
  const hasOutside = bins.some((bin) => !isWithinBand(bin))
  return (
    <PlotFrame
      label={label}
      xTitle="Said chance of a rise"
      x={axis}
      y={axis}
      formatX={formatShareRatioShort}
      formatY={formatShareRatioShort}
      legend={[
        { word: 'share that rose', mark: MARKS.dot },
        ...(hasOutside ? [{ word: 'more than luck', mark: MARKS.outside }] : []),
        { word: 'can be luck', mark: MARKS.band },
        { word: 'as said', mark: MARKS.reference },
      ]}
      heads={['Said', 'Rose', 'Outcomes', 'Can be luck', 'Reading']}
      rows={bins.map((bin, i) => ({
        key: i,
        cells: [
          formatShareRatio(bin.predicted),
          formatShareRatio(bin.observed),
          formatCount(bin.outcomes),
          `${formatShareRatio(bin.band[0])} to ${formatShareRatio(bin.band[1])}`,
          isWithinBand(bin) ? 'within its band' : 'outside its band',
        ],
      }))}
    >
      {({ x, y }) => (
        <>
          <path d={bandPath(bins, x, y)} fill={tint(colors.accent, 0.12)} />
          <line x1={x(axis.from)} y1={y(axis.from)} x2={x(axis.to)} y2={y(axis.to)} {...REFERENCE} />
          {bins.map((bin) => {
            const [cx, cy] = [x(bin.predicted), y(bin.observed)]
            return isWithinBand(bin) ? (
              <circle key={cx} cx={cx} cy={cy} r="4" fill={colors.accent} stroke={colors.surface} strokeWidth="1.5" />
            ) : (
              <path
                key={cx}
                d={`M${cx} ${cy - 5}L${cx + 5} ${cy + 4}H${cx - 5}Z`}
                fill={colors.warn}
                stroke={colors.surface}
              />
            )
          })}
        </>
      )}
    </PlotFrame>
  )
}

/** The bins' bands joined into one area; a single bin's is a bar. */
function bandPath(bins: readonly ReliabilityBin[], x: (v: number) => number, y: (v: number) => number): string {
  const [first] = bins
  if (first === undefined) return ''
  if (bins.length === 1) {
    const at = x(first.predicted)
    return `M${at - 5} ${y(first.band[0])}H${at + 5}V${y(first.band[1])}H${at - 5}Z`
  }
  const low = bins.map((bin) => `${x(bin.predicted)} ${y(bin.band[0])}`)
  const high = bins.toReversed().map((bin) => `${x(bin.predicted)} ${y(bin.band[1])}`)
  return `M${[...low, ...high].join('L')}Z`
}
