import { Link } from '@mui/material'
import { formatDateRange } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { datasetName } from '../saved/dataset-words.ts'
import { DATASETS_ID } from '../saved/datasets-card.tsx'
import type { SaveOutcome } from './use-save-datasets.ts'

/** What came of 'Save dataset': what is kept now, and what could not be. */
export function SaveMessages({ outcome, onDismiss }: { outcome: SaveOutcome | undefined; onDismiss: () => void }) {
  if (outcome === undefined) return null
  const { saved, failures } = outcome
  const [first] = saved
  return (
    <>
      {first !== undefined && (
        <Banner kind="info" title={`Saved: ${saved.map(datasetName).join('; ')}`} onDismiss={onDismiss}>
          {formatDateRange(first.from, first.to)}, with the 400 candles after it kept apart to judge models by.{' '}
          <Link href={`#${DATASETS_ID}`}>See the datasets</Link>
        </Banner>
      )}
      {failures[0] !== undefined && (
        <Banner
          kind="error"
          title={`${failures.map(({ symbol }) => symbol).join(', ')} could not be saved`}
          onDismiss={onDismiss}
        >
          {failures[0].text}
        </Banner>
      )}
    </>
  )
}
