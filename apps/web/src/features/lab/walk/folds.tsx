import type { WalkFold, WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { shareWords } from '#entities/models/interval-words.ts'
import { directionOf, formatCount, formatCounted, formatRatio, formatUpTo, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'
import { formatDateRange, formatMonth } from '#kit/format/time.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { directionColor, Gain, Note, Row } from '#kit/ui/primitives.tsx'
import css from './folds.module.css'

/** A fold, or all of them together. */
interface FoldRow extends Omit<WalkFold, 'train' | 'test' | 'inSample'> {
  /** Null of all together. */
  readonly number: number | null
  readonly test?: WalkFold['test']
  readonly promised: number | null
  /** The settings of the fold before. */
  readonly before?: WalkFold['values'] | undefined
}

/** Fold by fold, and together: what was promised, what came true, what it made. */
export const FoldTable = ({ result }: { result: WalkForwardResult }) => (
  <DataTable
    label="Folds of the walk"
    columns={columnsOf(result)}
    rows={rowsOf(result)}
    rowKey={({ number }) => number ?? 'together'}
    rowName={({ number }) => (number === null ? 'all folds' : `fold ${number}`)}
  />
)

function rowsOf({ folds, metrics, inSampleSharpe, outOfSampleSharpe }: WalkForwardResult): FoldRow[] {
  const together = {
    number: null,
    values: {},
    promised: inSampleSharpe,
    outOfSample: {
      sharpe: outOfSampleSharpe,
      netReturnPct: metrics.totalReturnPct,
      holdPct: metrics.buyAndHoldReturnPct,
      trades: metrics.trades,
    },
  }
  const each = folds.map((fold, k) => ({
    ...fold,
    number: k + 1,
    promised: fold.inSample?.sharpe ?? null,
    before: folds[k - 1]?.values,
  }))
  return [...each, together]
}

function columnsOf({ folds, parameters, retrained, haltedAt }: WalkForwardResult): Column<FoldRow>[] {
  const mean = ({ number }: FoldRow, sharpe: number | null) =>
    number === null ? `mean ${formatRatio(sharpe)}` : formatRatio(sharpe)
  const ranCell = (fold: FoldRow) => mean(fold, fold.outOfSample.sharpe)
  const known = folds.flatMap(({ inSample, outOfSample }) => [inSample?.sharpe ?? 0, outOfSample.sharpe ?? 0])
  const scale = [Math.min(0, ...known), Math.max(0.01, ...known)] as const
  const promise: Column<FoldRow>[] = [
    { head: 'In-sample Sharpe', figure: true, keep: true, quiet: true, cell: (fold) => mean(fold, fold.promised) },
    { head: 'Out of sample', figure: true, keep: true, cell: ranCell },
    {
      head: 'Promised, came true',
      cell: ({ number, promised, outOfSample }) =>
        number !== null && <PromisePlot promised={promised} came={outOfSample.sharpe} scale={scale} />,
    },
  ]
  const called: Column<FoldRow>[] = [
    {
      head: 'Held out, right',
      figure: true,
      quiet: true,
      cell: ({ number, model }) => number !== null && formatShareRatio(model?.heldOut.accuracy),
    },
    {
      head: 'Stretch, right',
      figure: true,
      keep: true,
      cell: ({ number, model }) => {
        const { ahead } = (number === null ? retrained : model) ?? {}
        return ahead === undefined ? UNKNOWN : shareWords(ahead.accuracy, ahead.interval)
      },
    },
    { head: 'Sharpe', figure: true, cell: ranCell },
  ]
  return [
    { head: 'Fold', keep: true, cell: ({ number }) => number ?? 'All' },
    { head: 'Test', whole: true, cell: ({ test }) => test && formatDateRange(test.from, test.to) },
    ...parameters.map(
      ({ name, label }): Column<FoldRow> => ({
        head: label,
        figure: true,
        cell: ({ number, values, before }) => {
          if (number === null) return ''
          if (values === null) return UNKNOWN
          const text = formatUpTo(values[name], 4)
          const isOther = before != null && before[name] !== values[name]
          return isOther ? <Chip label={text} title="other than in the fold before" /> : text
        },
      }),
    ),
    ...(retrained === undefined ? promise : called),
    {
      head: 'Net return',
      figure: true,
      cell: ({ test, outOfSample: { netReturnPct } }) =>
        haltedAt != null && test !== undefined && haltedAt < test.from ? (
          <span title="Its drawdown limit had ended the walk">ended</span>
        ) : (
          <Gain of={netReturnPct} />
        ),
    },
    { head: 'Buy and hold', figure: true, quiet: true, cell: (fold) => formatChangePct(fold.outOfSample.holdPct) },
    { head: 'Trades', figure: true, cell: ({ outOfSample }) => formatCount(outOfSample.trades) },
  ]
}

const WIDTH = 96
const EDGE = 6

/** A ring where training promised, a dot where it came true, a stroke at 0. The figures stand beside it. */
function PromisePlot({
  promised,
  came,
  scale: [low, high],
}: {
  promised: number | null
  came: number | null
  scale: readonly [number, number]
}) {
  const x = (value: number) => EDGE + ((value - low) / (high - low)) * (WIDTH - 2 * EDGE)
  return (
    <svg width={WIDTH} height={16} aria-hidden="true" className={css.plot}>
      <line x1={EDGE} x2={WIDTH - EDGE} y1="8" y2="8" className={css.axis} />
      <line x1={x(0)} x2={x(0)} y1="3" y2="13" className={css.zero} />
      {promised !== null && <circle cx={x(promised)} cy="8" r="3" className={css.promised} />}
      {came !== null && <circle cx={x(came)} cy="8" r="3" className={css.came} />}
    </svg>
  )
}

const DAY_MS = 86_400_000
const TICKS = [0, 0.25, 0.5, 0.75, 1]

/** Where each fold was trained and what it traded; the kept part is hatched. Said in figures by the table of folds. */
export function FoldBars({
  folds,
  walked,
  kept,
  haltedAt,
}: Pick<WalkForwardResult, 'folds' | 'walked' | 'kept' | 'haltedAt'>) {
  const start = walked.from
  const end = (kept ?? walked).to
  const pct = (ms: number) => (100 * (ms - start)) / Math.max(1, end - start)
  const span = (from: number, to: number) => ({ left: `${pct(from)}%`, width: `${pct(to) - pct(from)}%` })
  const days = ({ from, to }: { from: number; to: number }) => formatCounted(Math.round((to - from) / DAY_MS), 'day')
  const isOver = (from: number) => haltedAt != null && haltedAt < from
  return (
    <div>
      <Row gap={2} wrap lineGap={0.5}>
        <Note tone="text2">
          <span className={`${css.mark} ${css.train}`} aria-hidden /> train, {days(folds[0]!.train)}
        </Note>
        <Note tone="text2">
          <span className={`${css.mark} ${css.test}`} aria-hidden /> test, {days(folds[0]!.test)}, with its net return
        </Note>
        {kept !== null && (
          <Note tone="text2">
            <span className={`${css.mark} ${css.kept}`} aria-hidden /> kept unseen
          </Note>
        )}
      </Row>
      <div className={css.chart} aria-hidden>
        <div className={css.grid}>
          {TICKS.slice(1, -1).map((share) => (
            <span key={share} style={{ left: `${100 * share}%` }} />
          ))}
        </div>
        {kept !== null && <div className={css.kept} style={span(kept.from, kept.to)} />}
        {folds.map(({ train, test, outOfSample }, k) => (
          <Row key={train.to} gap={1}>
            <span className={css.number}>{k + 1}</span>
            <div className={css.line}>
              <div className={css.train} style={span(train.from, train.to)} />
              <div className={css.test} style={span(test.from, test.to)} />
              <span
                className={css.figure}
                style={{
                  left: `${pct(test.to)}%`,
                  color: directionColor(directionOf(outOfSample.netReturnPct, 1)),
                  ...(pct(test.to) > 80 && { transform: 'translateX(-100%)', top: -1 }),
                }}
              >
                {isOver(test.from) ? 'ended' : formatChangePct(outOfSample.netReturnPct)}
              </span>
            </div>
          </Row>
        ))}
      </div>
      <Row gap={1} between>
        {TICKS.map((share) => (
          <Note key={share}>{formatMonth(start + share * (end - start))}</Note>
        ))}
      </Row>
    </div>
  )
}
