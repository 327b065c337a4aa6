import type { WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { directionOf, formatCounted } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatMonth } from '#kit/format/time.ts'
import { Row } from '#kit/ui/layout.tsx'
import { directionColor, Note } from '#kit/ui/text.tsx'
import css from './fold-bars.module.css'

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
          <div key={train.to} className={css.row}>
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
          </div>
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
