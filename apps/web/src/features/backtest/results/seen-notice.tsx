import type { BacktestRun } from '@shapecast/contracts/backtest'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { SeenBar } from './seen-bar.tsx'
import { seenFacts } from './seen-facts.ts'
import css from './seen-notice.module.css'
import { SeenTable } from './seen-table.tsx'
import { unseenVerdict } from './unseen-verdict.ts'

/** Says which part of the range the model had learnt from, and how the rest did by itself. */
export function SeenNotice({ run, nextStep }: { run: BacktestRun; nextStep: ReactNode }) {
  const facts = seenFacts(run)
  if (facts.kind === 'none')
    return (
      <Column gap={0.75} className={css.start}>
        <Text size="small" tone="text2">
          {facts.text}
        </Text>
        <UnseenVerdict run={run} />
        {nextStep}
      </Column>
    )
  return (
    <section aria-label={facts.title} className={css.notice}>
      <div className={css.words}>
        <Row gap={1.25} align="stretch">
          <div className={layout.byWords} style={{ color: colors.warn }}>
            <TriangleAlert size={18} />
          </div>
          <div>
            <Text weight={500}>{facts.title}</Text>
            <Text size="small" tone="text2">
              {facts.text}
            </Text>
          </div>
        </Row>
        <SeenBar seenPct={facts.seenPct} span={facts.seenSpan} />
        <UnseenVerdict run={run} />
        <div className={css.next}>{nextStep}</div>
      </div>
      <div className={css.table}>
        <SeenTable run={run} />
      </div>
    </section>
  )
}

/** What the part to judge by is worth: too little to tell, or a result, and what to do next. */
function UnseenVerdict({ run }: { run: BacktestRun }) {
  const verdict = unseenVerdict(run)
  if (verdict === null) return null
  return (
    <Column gap={0.75} className={css.start}>
      {verdict.caution !== null && <Chip label={verdict.caution} tone="warn" />}
      <Text size="small" tone="text2">
        {verdict.text}
      </Text>
    </Column>
  )
}
