import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import css from './seen-bar.module.css'

/** How much of the range was seen in training and where it lies, as a bar with its words. */
export function SeenBar({ seenPct, span }: { seenPct: number; span: { fromPct: number; toPct: number } }) {
  return (
    <div>
      <div aria-hidden="true" className={css.bar}>
        {span.fromPct > 0 && <div className={css.before} style={{ width: `${span.fromPct}%` }} />}
        <div className={css.seen} style={{ width: `${span.toPct - span.fromPct}%` }} />
        {span.toPct < 100 && <div className={css.after} />}
      </div>
      <Row gap={0} between above={0.75}>
        <Text size="label" tone="warn">
          in-sample {seenPct}%
        </Text>
        <Text size="label" tone="text2">
          unseen {100 - seenPct}%
        </Text>
      </Row>
    </div>
  )
}
