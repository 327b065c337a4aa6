import type { Evaluation, ModelVerdict } from '@shapecast/contracts/evaluation'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { Check, Equal } from 'lucide-react'
import type { Basket } from '#entities/bots/basket.ts'
import { directionWords } from '#entities/models/direction-verdict.ts'
import { spanWords } from '#entities/models/interval-words.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import card from '#kit/ui/card.module.css'
import { Chip } from '#kit/ui/chip.tsx'
import { Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useArtifact } from './artifact-list.tsx'
import css from './model-page.module.css'

/** What a model is worth, before anything else: range, direction, and its signal traded plainly. */
export function VerdictCard() {
  const { version, artifact } = useArtifact()
  const { verdict, holdoutFrom, holdoutTo, upload, symbol, timeframe } = artifact
  const state = { basket: { tradingPairs: [symbol], timeframe, version } satisfies Basket }
  const rows = modelVerdicts(artifact)
  return (
    <section aria-label="Verdict">
      <Text size="small" tone="text2" style={{ marginBottom: 8 }}>
        {upload === null && <>Seen (training and validation) up to {formatDateTimeYear(holdoutFrom)}. </>}
        Judged on the candles after that, {formatDateRange(holdoutFrom, holdoutTo)}.
      </Text>
      <div className={card.card}>
        {rows.map(({ name, chip, isCaution, sentence, figure, basis }) => (
          <Columns
            key={name}
            gap={3}
            lineGap={0.75}
            align="center"
            at={{ md: '120px 270px minmax(0, 1fr) auto' }}
            className={css.finding}
          >
            <Text size="h2">{name}</Text>
            <div>
              <Chip label={chip} tone={isCaution ? 'warn' : 'filled'} icon={isCaution ? <Equal /> : <Check />} />
            </div>
            <Text tone="text2">{sentence}</Text>
            <div className={css.figure}>
              <Text as="div" size="numberM">
                {figure}
              </Text>
              <Note tone="text2">{basis}</Note>
            </div>
          </Columns>
        ))}
        <Row gap={2} lineGap={0.5} wrap style={{ padding: '8px 16px' }}>
          <Text size="small" tone="text2" style={{ flex: 1, minWidth: 220 }}>
            What follows: {NEXT[verdict.next]}
          </Text>
          <LinkButton variant="text" size="small" to={paths.backtest} state={state}>
            Backtest it
          </LinkButton>
          <LinkButton variant="secondary" size="small" to={paths.createBot} state={state}>
            Create a bot
          </LinkButton>
        </Row>
      </div>
    </section>
  )
}

const RANGE: Readonly<Record<NonNullable<ModelVerdict['range']>['code'], string>> = {
  kept_promise: 'Kept its promise',
  too_narrow: 'Too narrow',
  too_wide: 'Too wide',
}

function rangeRow({ range }: ModelVerdict, { fan: [near] }: Evaluation) {
  if (range === null || near === undefined) return null
  return {
    name: 'Range',
    chip: RANGE[range.code],
    isCaution: !range.holdsUp,
    sentence: `Nine of ten closes should land inside its 90% range: ${formatCount(range.inside)} of ${formatCount(range.outcomes)} did.`,
    figure: formatShareRatio(near.coverage90),
    basis: `of 90% promised · ${formatInterval(near.coverage90Interval)}`,
  }
}

function directionRow({ direction }: ModelVerdict, { accuracy }: Evaluation) {
  const { words } = directionWords(direction)
  const rule =
    direction.rule === 'reversal'
      ? 'Always betting against the last candle'
      : 'Always betting on the more frequent direction'
  return {
    name: 'Direction',
    chip: words.charAt(0).toUpperCase() + words.slice(1),
    isCaution: !direction.holdsUp,
    sentence: `${rule} was right ${formatShareRatio(direction.ruleRatio)} of the time.`,
    figure: formatShareRatio(accuracy.accuracy),
    basis: `right · ${formatInterval(accuracy.interval)}`,
  }
}

const TRADING: Readonly<Record<ModelVerdict['trading']['code'], string>> = {
  lost_money: 'Lost money',
  may_be_luck: 'May be luck',
  made_money: 'Made money',
}

function tradingRow({ trading: verdict }: ModelVerdict, { trading, uncertainty }: Evaluation) {
  const { code, holdsUp, aheadPct, isApartFromHold } = verdict
  const interval = uncertainty?.tradedNetPct ?? null
  const hold = formatChangePct(trading.buyAndHold.netPct)
  return {
    name: 'Traded plainly',
    chip: TRADING[code],
    isCaution: !holdsUp,
    sentence: `Buy and hold over the same ${formatCounted(trading.candles, 'candle')}: ${hold}.${isApartFromHold ? '' : ' Too few to tell them apart.'}`,
    figure: formatChangePct(trading.signal.netPct),
    basis:
      interval === null
        ? `net · ${Math.abs(aheadPct).toFixed(2)} points ${aheadPct < 0 ? 'less' : 'more'}`
        : `net · 95% CI ${spanWords(interval)}`,
  }
}

/** What a model is worth, in three rows: its range, its direction, and its signal traded plainly. */
export const modelVerdicts = ({ verdict, evaluation }: Pick<ArtifactDetail, 'verdict' | 'evaluation'>) =>
  [rangeRow, directionRow, tradingRow].flatMap((rowOf) => rowOf(verdict, evaluation) ?? [])

/** What follows from the verdict for somebody who trades. */
export const NEXT: Readonly<Record<ModelVerdict['next'], string>> = {
  backtest: 'Backtest it over other months before a bot trades on it.',
  size_only: 'Let it set the size, not the side: a bot with Model as brake does that.',
  train_again: 'Train it again on more candles, or do not trade on it.',
}
