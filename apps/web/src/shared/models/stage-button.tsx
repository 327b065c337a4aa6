import { Button } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { busyPress } from '../ui/busy-press.ts'
import { lazily } from '../ui/lazily.tsx'
import { useStage } from './use-stage.ts'

const PromoteDialog = lazily(async () => (await import('./promote-dialog.tsx')).PromoteDialog)

/**
 * 'Set Staging' on a production version, 'Production' on any other. For managers. `onStaged` hears of a move out of
 * production: the error, or null.
 */
export function StageButton({
  model,
  variant = 'text',
  onStaged,
}: {
  model: Model
  variant?: 'text' | 'secondary'
  onStaged: (model: Model, error: unknown) => void
}) {
  const [isAsking, setIsAsking] = useState(false)
  const stage = useStage()
  const isProduction = model.stage === 'production'
  const setStaging = () => {
    stage.mutate(
      { params: { id: model.version }, body: { stage: 'staging' } },
      { onSettled: (_, error) => onStaged(model, error) },
    )
  }
  return (
    <>
      <Button
        size={variant === 'text' ? 'small' : 'medium'}
        variant={variant}
        aria-label={`${isProduction ? 'Set Staging' : 'Production'}: ${model.version}`}
        {...busyPress(stage.isPending, isProduction ? setStaging : () => setIsAsking(true))}
      >
        {stage.isPending ? 'Moving…' : isProduction ? 'Set Staging' : 'Production'}
      </Button>
      {isAsking && <PromoteDialog model={model} onClose={() => setIsAsking(false)} />}
    </>
  )
}
