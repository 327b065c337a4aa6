import { Button } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { PromoteDialog } from './promote-dialog.tsx'
import { useStage } from './use-stage.ts'

/** 'Set Staging' on a production version, 'Production' on any other. For managers. */
export function StageButton({ model, variant = 'text' }: { model: Model; variant?: 'text' | 'secondary' }) {
  const [isAsking, setIsAsking] = useState(false)
  const stage = useStage()
  if (model.stage === 'production')
    return (
      <Button
        size={variant === 'text' ? 'small' : 'medium'}
        variant={variant}
        disabled={stage.isPending}
        title={stage.isError ? errorText(stage.error, 'The stage could not be changed.') : undefined}
        aria-label={`Set Staging: ${model.version}`}
        onClick={() => stage.mutate({ params: { id: model.version }, body: { stage: 'staging' } })}
      >
        {stage.isPending ? 'Moving…' : 'Set Staging'}
      </Button>
    )
  return (
    <>
      <Button
        size={variant === 'text' ? 'small' : 'medium'}
        variant={variant}
        aria-label={`Production: ${model.version}`}
        onClick={() => setIsAsking(true)}
      >
        Production
      </Button>
      {isAsking && <PromoteDialog model={model} onClose={() => setIsAsking(false)} />}
    </>
  )
}
