import { Button } from '@mui/material'
import { Database } from 'lucide-react'
import layout from '#kit/ui/layout.module.css'
import { Text } from '#kit/ui/text.tsx'
import { datasetName } from '../saved/dataset-words.ts'
import type { DataChoice } from './use-data-choice.ts'

/** Tells that the pickers stand at the active dataset, or leads back to it. Nothing where there is none. */
export function StartNote({ choice: { start, isStart, reset } }: { choice: DataChoice }) {
  if (start === null) return null
  return (
    <Text as="div" size="small" tone="text2" above={-0.5} style={{ display: 'flex', alignItems: 'center', gap: 6 }}>
      <Database size={14} aria-hidden style={{ flexShrink: 0 }} />
      <span className={layout.shrinks}>
        {isStart ? `The active dataset: ${datasetName(start)}` : `Not the active dataset, ${datasetName(start)}`}
      </span>
      {!isStart && (
        <Button variant="text" size="small" onClick={reset}>
          Back to it
        </Button>
      )}
    </Text>
  )
}
