import type { BacktestRun } from '@shapecast/contracts/backtest'
import { Info, TriangleAlert } from 'lucide-react'
import { colors } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Column, Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { runNotes } from './run-notes.ts'

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
