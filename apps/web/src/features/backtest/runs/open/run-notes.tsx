import type { BacktestRun } from '@shapecast/contracts/backtest'
import { Info, TriangleAlert } from 'lucide-react'
import { postedWords } from '#entities/bots/costs.ts'
import { fundingNote } from '#entities/runs/funding-line.tsx'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatDate } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'

/** What a reader of the figures must know, line by line. Nothing where there is nothing to say. */
export function RunNotesList({ run }: { run: BacktestRun }) {
  const notes = runNotes(run)
  if (notes.length === 0) return null
  return (
    <Column as="ul" gap={0.5} aria-label="About this run" className={layout.list}>
      {notes.map(({ id, text, caution }) => (
        <Row as="li" gap={1} align="stretch" key={id} style={{ color: caution ? colors.warn : colors.text3 }}>
          <div className={layout.byWords}>{caution ? <TriangleAlert size={14} /> : <Info size={14} />}</div>
          <Text size="small" tone={caution ? 'text' : 'text2'}>
            {text}
          </Text>
        </Row>
      ))}
    </Column>
  )
}

/** Why an order was not made, by the engine's names. */
const SKIP_WORDS: Readonly<Record<string, string>> = {
  same_bar_reentry: 'at that price a stop had just closed a position',
  no_balance: 'no balance was left',
  below_lot_size: 'smaller than the least that the market trades',
  below_min_notional: 'worth less than the market’s smallest order',
  volatility_unknown: 'too few candles yet to size it by their volatility',
}

/** What a reader of the figures must know about where they come from. */
export function runNotes(run: Pick<BacktestRun, 'market' | 'venue' | 'meta' | 'params' | 'symbol' | 'symbols'>) {
  const notes: { id: string; text: string; caution: boolean }[] = []
  const note = (id: string, text: string) => notes.push({ id, text, caution: false })
  // Amber: the figures mean less than they seem to.
  const warn = (id: string, text: string) => notes.push({ id, text, caution: true })
  const { meta } = run
  if (meta.caveat !== undefined) warn('caveat', meta.caveat)
  if (run.symbols !== undefined)
    note(
      'pairs',
      `${run.symbols.join(', ')} on one balance. Candles and forecast in the chart are those of ${run.symbol}; buy and hold is all of them in equal shares.`,
    )
  if (run.market === 'simulated') warn('market', 'Prices are simulated. They follow no real market.')
  if (run.market === 'replay') note('market', `Prices are imported history (venue ${run.venue}), played back.`)
  if (meta.candlesFrom === 'request') warn('candles', 'The candles came with the request, not from the stored ones.')
  if (meta.haltedAt !== null)
    warn('halted', `Max drawdown was reached on ${formatDate(meta.haltedAt)}. No position was opened after it.`)
  if (meta.reducedEntries !== undefined && meta.reducedEntries > 0)
    warn(
      'reduced',
      `${formatCount(meta.reducedEntries)} of ${formatCounted(meta.entries, 'position')} were opened smaller than asked for: the balance carried no more.`,
    )
  if (meta.gaps.count > 0)
    note(
      'gaps',
      `The range has ${formatCounted(meta.gaps.count, 'gap')}, ${formatCounted(meta.gaps.missingCandles, 'candle')} in all. Nothing is filled inside a gap.`,
    )
  if (meta.bothReached !== undefined) note('both reached', bothReachedWords(meta.bothReached))
  if (meta.posted !== undefined) note('post-only', postedWords(meta.posted))
  const funding = run.params.marketType === 'futures' ? fundingNote(meta.fundingAssumed ?? null) : null
  if (funding !== null) notes.push({ id: 'funding', ...funding })
  for (const { reason, count } of meta.skippedOrders)
    note(`skipped ${reason}`, `${formatCounted(count, 'order')} skipped: ${SKIP_WORDS[reason] ?? reason}.`)
  return notes
}

function bothReachedWords({ candles, told, by }: NonNullable<BacktestRun['meta']['bothReached']>): string {
  const reached = `${formatCounted(candles, 'candle')} reached both stop and target.`
  if (by === null) return `${reached} The stop is assumed: no smaller candles are stored that tell which came first.`
  if (told === candles) return `${reached} The ${by} candles within told which came first.`
  return `${reached} The ${by} candles within told which came first in ${formatCount(told)}; in the others the stop is assumed.`
}
