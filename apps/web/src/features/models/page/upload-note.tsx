import type { UploadFacts } from '@shapecast/contracts/uploaded-model'
import type { ReactNode } from 'react'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'

/** Whose model it is that was uploaded, and what is known of what it has seen: before any figure. */
export function UploadNote({ upload, actions }: { upload: UploadFacts; actions?: ReactNode }) {
  const { name, author, description, holdoutSeen, seenWords } = upload
  return (
    <Card title={name} actions={actions}>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 8 }}>
        <Row gap={0.75} align="stretch" wrap>
          <Chip label="Uploaded" tone="outline" />
          <Chip label={author === null ? 'author not told' : `by ${author}`} />
          {holdoutSeen !== 'no' && (
            <Chip label={holdoutSeen === 'yes' ? 'in-sample figures' : 'training not told'} tone="warn" />
          )}
        </Row>
        {description !== null && (
          <Text size="small" tone="text2" breaks style={{ whiteSpace: 'pre-line' }}>
            {description}
          </Text>
        )}
        <Text size="small" tone={holdoutSeen === 'no' ? 'text2' : 'warn'}>
          {seenWords}
        </Text>
      </div>
    </Card>
  )
}
