import { Box, Typography } from '@mui/material'
import type { UploadFacts } from '@shapecast/contracts/uploaded-model'
import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'

/** Whose model it is that was uploaded, and what is known of what it has seen: before any figure. */
export function UploadNote({ upload, actions }: { upload: UploadFacts; actions?: ReactNode }) {
  const { name, author, description, holdoutSeen, seenWords } = upload
  return (
    <Card title={name} actions={actions}>
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
          <Chip label="Uploaded" tone="outline" />
          <Chip label={author === null ? 'author not told' : `by ${author}`} />
          {holdoutSeen !== 'no' && (
            <Chip label={holdoutSeen === 'yes' ? 'in-sample figures' : 'training not told'} tone="warn" />
          )}
        </Box>
        {description !== null && (
          <Typography variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {description}
          </Typography>
        )}
        <Typography variant="small" sx={{ color: holdoutSeen === 'no' ? colors.text2 : colors.warn }}>
          {seenWords}
        </Typography>
      </Box>
    </Card>
  )
}
