import type { FeatureImportance, ImportanceRun, LossIncrease } from '@shapecast/contracts/importance'
import type { BarRow } from '#charts/plots/bar-rows.tsx'
import { formatCounted, formatFixed, formatSigned } from '#kit/format/number.ts'

/** Which loss is looked at: that of the fan or that of the direction. */
export type Loss = 'fan' | 'direction'

const DIGITS: Readonly<Record<Loss, number>> = { fan: 2, direction: 4 }
const NOTES = { plain: '', quiet: 'may be none', against: 'better without it' } as const
const SPOKEN = {
  plain: 'matters',
  quiet: 'indistinguishable from none',
  against: 'it would have been better without it here',
} as const

const lossOf = (item: { pinballBps: LossIncrease; logLoss: LossIncrease }, loss: Loss): LossIncrease =>
  loss === 'fan' ? item.pinballBps : item.logLoss

/** Whether the interval lies above 0, holds it, or lies below. */
export const toneOf = ({ interval: [low, high] }: LossIncrease): BarRow['tone'] =>
  low > 0 ? 'plain' : high < 0 ? 'against' : 'quiet'

export const HEADS = ['Input', 'Growth of the loss', '95% interval', 'Verdict'] as const

/** A growth as the card has it: `+2.79 bps`, `+0.0240`. */
export const formatGrowth = (value: number, loss: Loss): string =>
  `${formatSigned(value, DIGITS[loss])}${loss === 'fan' ? ' bps' : ''}`

interface Listed {
  name: string
  label: string
  pinballBps: LossIncrease
  logLoss: LossIncrease
}

/** Bars of groups or inputs, the most important for this loss first. */
export const barRows = (items: readonly Listed[], loss: Loss): BarRow[] =>
  items
    .map((item) => ({ item, grown: lossOf(item, loss) }))
    .sort((a, b) => b.grown.mean - a.grown.mean)
    .map(({ item: { name, label }, grown }) => {
      const tone = toneOf(grown)
      const text = formatGrowth(grown.mean, loss)
      const [low, high] = grown.interval.map((end) => formatSigned(end, DIGITS[loss]))
      return {
        key: name,
        label,
        value: grown.mean,
        interval: grown.interval,
        text,
        note: NOTES[tone],
        tone,
        cells: [label, text, `${low} to ${high}`, SPOKEN[tone]],
      }
    })

/** What the bars measure, in a sentence. */
export const measureWords = ({ baseline, horizon }: FeatureImportance, loss: Loss): string =>
  loss === 'fan'
    ? `How much worse its range gets without an input: the growth of its pinball loss (${formatFixed(baseline.pinballBps, 2)} bps) when that input is shuffled among the unseen candles.`
    : `How much worse its direction ${formatCounted(horizon, 'candle')} ahead gets without an input: the growth of its log loss (${formatFixed(baseline.logLoss, 4)}) when that input is shuffled among the unseen candles.`

export const isUnderWay = (run: Pick<ImportanceRun, 'status'> | null | undefined): boolean =>
  run?.status === 'queued' || run?.status === 'running'

/** Why there is nothing to show of what a model looks at. */
export function whyNothing(run: Pick<ImportanceRun, 'status' | 'error'> | null): string {
  if (isUnderWay(run)) return 'It is being measured. That takes half a minute or so.'
  return (
    run?.error ??
    'Not measured yet. Measure takes one input away after the other and sees how much worse the forecasts get.'
  )
}
