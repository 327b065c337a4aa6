import { Button } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { errorText } from '../../../shared/api/error-text.ts'
import { useStage } from '../models/use-stage.ts'

/** Puts a staging version aside, or takes an archived one back. A production version goes to staging first. */
export function ArchiveButton({ model }: { model: Model }) {
  const stage = useStage()
  if (model.stage === 'production') return null
  const target = model.stage === 'archived' ? 'staging' : 'archived'
  return (
    <Button
      variant="text"
      disabled={stage.isPending}
      title={stage.isError ? errorText(stage.error, 'The stage could not be changed.') : undefined}
      onClick={() => stage.mutate({ params: { id: model.version }, body: { stage: target } })}
    >
      {target === 'archived' ? 'Archive' : 'Set Staging'}
    </Button>
  )
}
