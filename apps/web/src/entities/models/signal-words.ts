import type { Prediction, SignalVerdict } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { FEWEST_OUTCOMES, type WorthCalls } from '@shapecast/contracts/track-record'
import { directionOf, formatCounted, formatFixed } from '#kit/format/number.ts'
import { formatChangePct, formatInterval } from '#kit/format/percent.ts'
import { formatSpan } from '#kit/format/time.ts'

const TITLES = {
  worth_trading: { up: 'Worth a long', down: 'Worth a short' },
  not_worth_trading: { up: 'Not worth trading', down: 'Not worth trading' },
  no_direction: { up: 'No direction called', down: 'No direction called' },
} as const satisfies Record<SignalVerdict['code'], Record<SignalVerdict['leans'], string>>

/** Whether the costs take what a forecast expects: its signal is then shown without its colour. */
export const isPoor = (verdict: SignalVerdict | null): verdict is SignalVerdict => verdict?.code === 'not_worth_trading'

export const verdictTitle = ({ code, leans }: SignalVerdict): string => TITLES[code][leans]

/** `Not worth trading: −0.19% after costs` */
export const shortVerdict = (verdict: SignalVerdict): string =>
  `${verdictTitle(verdict)}: ${formatChangePct(verdict.edgeBps / 100)} after costs`

/** The sentence below the title, with what is left after costs. */
export function verdictSentence({ code, leans, edgeBps, horizon }: SignalVerdict, timeframe: Timeframe): string {
  const edge = formatChangePct(edgeBps / 100)
  const over = horizon === null ? '' : `, over the next ${formatSpan(horizon * TIMEFRAME_MS[timeframe])}`
  if (code === 'not_worth_trading') return `It leans ${leans}, but would not pay its cost: ${edge}${over}`
  if (code === 'no_direction') return `It leans ${leans}, too little to call: ${edge} expected after costs${over}`
  return `${edge} expected after costs${over}`
}

/** `61 of 104 such calls paid their cost 95% CI 49.1–67.7` */
export function paidWords({ made, paid, interval }: WorthCalls): string {
  if (interval === null) return 'No such call has come to its outcome yet'
  const words = `${paid} of ${formatCounted(made, 'such call')} paid ${made === 1 ? 'its' : 'their'} cost`
  return made < FEWEST_OUTCOMES ? `${words}: too few to tell` : `${words}, ${formatInterval(interval)}`
}

/** A cost in percent, without a sign: 22 bps is `0.22%`. */
export const formatCostPct = (bps: number): string => `${formatFixed(bps / 100, 2)}%`

/** What both networks say of the next close, and whether that pays a round trip; for a forecast whose own words were not kept. */
export function forecastWords(
  said: Pick<Prediction, 'current_price' | 'lstm_prediction' | 'transformer_prediction' | 'verdict'>,
): string {
  const changes = [said.lstm_prediction, said.transformer_prediction].map(
    (price) => 100 * (price / said.current_price - 1),
  )
  const directions = new Set(changes.map((pct) => directionOf(pct)))
  const both = changes.map(formatChangePct).join(' and ')
  const networks =
    directions.size === 1 && !directions.has('flat')
      ? `Both networks expect a ${directions.has('up') ? 'higher' : 'lower'} close.`
      : `The networks ${directions.has('flat') ? 'expect' : 'disagree:'} ${both}.`
  const { costBps = null, expectedBps = null } = said.verdict ?? {}
  if (costBps === null || expectedBps === null) return networks
  return expectedBps > costBps
    ? `${networks} The expected move of ${formatChangePct(expectedBps / 100)} pays the round trip of ${formatCostPct(costBps)}.`
    : `${networks} A trade would need ${formatCostPct(costBps)} to break even.`
}
