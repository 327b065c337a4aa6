import type { RandomEntries } from '@shapecast/contracts/backtest-results'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCounted, formatFixed } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { frameClass } from '#kit/ui/card.tsx'
import { Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import css from './entries-verdict.module.css'
import { ValueTable } from './value-table.tsx'

const DRAWS = 1000

/** What is said of the entries of a rule: a title, and the sentence below it. */
export function entriesWords({ code, trades, isUnseenPart, p }: RandomEntries): { title: string; text: string } {
  const counted = `${formatCounted(trades, 'trade')}${isUnseenPart ? ' on unseen candles' : ''}`
  if (code === 'too_few_trades' || p === null)
    return {
      title: `${counted}: too few to tell`,
      text: 'At least 30 closed trades are needed to compare its entries with random ones.',
    }
  const asGood = `With the same exits and as many trades, ${formatFixed(p * DRAWS, 0)} of 1,000 random entries earned as much or more: p = ${formatFixed(p, 3)}.`
  return code === 'better_than_random'
    ? {
        title: `${counted}: better than random entries`,
        text: `${asGood} Of twenty rules without any edge one looks like this by luck.`,
      }
    : {
        title: `${counted}: cannot tell from random entries`,
        text: `${asGood} That is no proof of no skill: a small edge does not show in so few trades.`,
      }
}

/** A verdict in sentences: never green; with a sign where luck explains what is seen. */
export const VerdictWords = ({
  title,
  sentences,
  isLuck,
}: {
  title: string
  sentences: readonly string[]
  isLuck: boolean
}) => (
  <Row gap={1.25} align="start">
    {isLuck && <TriangleAlert size={18} className={css.icon} aria-hidden />}
    <div>
      <Text size="h2" as="h2">
        {title}
      </Text>
      {sentences.map((sentence) => (
        <Text key={sentence} tone="text2" above={0.5}>
          {sentence}
        </Text>
      ))}
    </div>
  </Row>
)

/** The verdict on a rule: its trades beside random entries with the same exits. Never green; amber where luck explains it. */
export function EntriesVerdict({
  entries,
  isBusy = false,
  children,
}: {
  entries: RandomEntries
  isBusy?: boolean
  /** Figures below the words. */
  children?: ReactNode
}) {
  const { title, text } = entriesWords(entries)
  const isLuck = entries.code !== 'better_than_random'
  return (
    <section
      aria-label="Against random entries"
      aria-busy={isBusy}
      className={`${frameClass(isLuck)} ${css.card}`}
      style={isBusy ? { opacity: 0.5 } : undefined}
    >
      <div className={css.words}>
        <VerdictWords title={title} sentences={[text]} isLuck={isLuck} />
        {children !== undefined && (
          <Columns gap={1.5} at={{ xs: 2, sm: 4 }}>
            {children}
          </Columns>
        )}
      </div>
      {entries.random !== null && <RandomBars {...entries} random={entries.random} />}
    </section>
  )
}

const HEIGHT_PX = 80
const WIDTH = 260

/** How many random draws came to what, and where the rule stands among them. */
function RandomBars({
  random: { fromPct, toPct, counts },
  netReturnPct,
}: Pick<RandomEntries, 'netReturnPct'> & { random: NonNullable<RandomEntries['random']> }) {
  // The rule may stand beside all draws.
  const [low, high] = [Math.min(fromPct, netReturnPct), Math.max(toPct, netReturnPct)]
  const x = (pct: number) => (high === low ? WIDTH / 2 : (WIDTH * (pct - low)) / (high - low))
  const step = (toPct - fromPct) / counts.length
  const most = Math.max(1, ...counts)
  const own = x(netReturnPct)
  return (
    <figure className={css.bars}>
      <Row gap={1} between wrap>
        <Note as="span" tone="text2">
          Trades compounded, of{' '}
          {formatCounted(
            counts.reduce((sum, count) => sum + count, 0),
            'random entry',
            'random entries',
          )}
        </Note>
        <Note as="span" tone="text">
          of this rule {formatChangePct(netReturnPct)}
        </Note>
      </Row>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT_PX}`}
        preserveAspectRatio="none"
        height={HEIGHT_PX}
        width="100%"
        aria-hidden="true"
      >
        {counts.map((count, k) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
            key={k}
            className={css.bar}
            x={x(fromPct + k * step)}
            width={Math.max(1, x(fromPct + (k + 1) * step) - x(fromPct + k * step) - 1)}
            y={HEIGHT_PX * (1 - count / most)}
            height={(HEIGHT_PX * count) / most}
          />
        ))}
        <line x1={own} x2={own} y1={0} y2={HEIGHT_PX} className={css.own} vectorEffect="non-scaling-stroke" />
      </svg>
      <Row gap={1} between>
        <Note as="span">{formatChangePct(low)}</Note>
        <Note as="span">{formatChangePct(high)}</Note>
      </Row>
      <ValueTable
        caption="Random entries by what their trades compound to"
        heads={['Trades compounded', 'Entries']}
        rows={counts.map((count, key) => ({
          key,
          cells: [
            `${formatChangePct(fromPct + key * step)} to ${formatChangePct(fromPct + (key + 1) * step)}`,
            String(count),
          ],
        }))}
      />
    </figure>
  )
}
