import { Card as MuiCard } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { Check, Equal } from 'lucide-react'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { modelVerdicts, whatFollows } from './model-verdicts.ts'
import css from './verdict-card.module.css'

/** What a model is worth, before anything else: range, direction, and its signal traded plainly. */
export function VerdictCard({ artifact }: { artifact: ArtifactDetail }) {
  const { verdict, holdoutFrom, holdoutTo, upload } = artifact
  const rows = modelVerdicts(artifact)
  return (
    <section aria-label="Verdict">
      <Text size="small" tone="text2" style={{ marginBottom: 8 }}>
        {upload === null && <>Seen (training and validation) up to {formatDateTimeYear(holdoutFrom)}. </>}
        Judged on the candles after that, {formatDateRange(holdoutFrom, holdoutTo)}.
      </Text>
      <MuiCard>
        {rows.map(({ name, chip, isCaution, sentence, figure, basis }) => (
          <div key={name} className={css.row}>
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
          </div>
        ))}
        <Row gap={2} lineGap={0.5} wrap style={{ padding: '8px 16px' }}>
          <Text size="small" tone="text2" style={{ flex: 1, minWidth: 220 }}>
            What follows: {whatFollows(verdict)}
          </Text>
          <LinkButton variant="secondary" size="small" to={paths.createBot}>
            Create a bot
          </LinkButton>
        </Row>
      </MuiCard>
    </section>
  )
}
