import { formatFixed } from '#kit/format/number.ts'
import { chartColors, colors, FONT_FAMILY } from '#kit/theme/tokens.ts'
import { PlotFrame } from './plot-frame.tsx'
import { MARKS, REFERENCE } from './plot-marks.tsx'
import { roundAxis } from './scales.ts'

export interface EpochLosses {
  readonly trainLoss: number
  readonly validationLoss: number
}

const MOST_X_TICKS = 10

/** Training and validation loss by epoch; the epoch whose weights were kept is marked. */
export function LearningCurvePlot({
  label,
  history,
  bestEpoch,
}: {
  label: string
  /** From epoch 1. Must not be empty. */
  history: readonly EpochLosses[]
  bestEpoch: number
}) {
  const losses = history.flatMap(({ trainLoss, validationLoss }) => [trainLoss, validationLoss])
  const last = history.length
  const every = Math.ceil(last / MOST_X_TICKS)
  const epochs = history.map((_, i) => i + 1)
  const formatLoss = (value: number) => formatFixed(value, 3)
  return (
    <PlotFrame
      label={label}
      xTitle="Epoch"
      x={{
        from: last === 1 ? 0.5 : 1,
        to: last === 1 ? 1.5 : last,
        ticks: epochs.filter((epoch) => (epoch - 1) % every === 0),
      }}
      y={roundAxis(losses, 4, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])}
      formatX={String}
      formatY={formatLoss}
      legend={[
        { word: 'validation', mark: MARKS.first },
        { word: 'training', mark: MARKS.second },
        { word: `kept: epoch ${bestEpoch}`, mark: MARKS.reference },
      ]}
      heads={['Epoch', 'Training loss', 'Validation loss', 'Kept']}
      rows={history.map(({ trainLoss, validationLoss }, i) => ({
        key: i,
        cells: [
          String(i + 1),
          formatFixed(trainLoss, 4),
          formatFixed(validationLoss, 4),
          i + 1 === bestEpoch ? 'yes' : 'no',
        ],
      }))}
    >
      {({ x, y, bottomPx }) => {
        const path = (of: (losses: EpochLosses) => number) =>
          `M${history.map((losses, i) => `${x(i + 1)} ${y(of(losses))}`).join('L')}`
        const best = history[bestEpoch - 1]
        return (
          <>
            <line x1={x(bestEpoch)} x2={x(bestEpoch)} y1={8} y2={bottomPx} {...REFERENCE} />
            <path
              d={path((l) => l.trainLoss)}
              fill="none"
              stroke={chartColors.emaFast}
              strokeWidth="1.75"
              strokeDasharray="2 2.5"
            />
            <path d={path((l) => l.validationLoss)} fill="none" stroke={colors.accent} strokeWidth="1.75" />
            {best !== undefined && (
              <>
                <circle
                  cx={x(bestEpoch)}
                  cy={y(best.validationLoss)}
                  r="3.5"
                  fill={colors.accent}
                  stroke={colors.surface}
                />
                <text
                  x={x(bestEpoch) + (bestEpoch > last / 2 ? -8 : 8)}
                  y={y(best.validationLoss) - 8}
                  textAnchor={bestEpoch > last / 2 ? 'end' : 'start'}
                  fontFamily={FONT_FAMILY}
                  fontSize={11}
                  fill={colors.text2}
                >
                  {formatFixed(best.validationLoss, 4)}
                </text>
              </>
            )}
          </>
        )
      }}
    </PlotFrame>
  )
}
