import { Button } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { useRef, useState } from 'react'
import { PromoteDialog } from './promote-dialog.tsx'
import { useStage } from './use-stage.ts'

/**
 * 'Set Staging' on a production version, 'Production' on any other. For managers. `onStaged` hears of a move out of
 * production: the error, or null. The focus stays on the button, which moves with its row.
 */
export function StageButton({
  model,
  variant = 'text',
  onStaged,
}: {
  model: Model
  variant?: 'text' | 'secondary'
  onStaged: (version: string, error: unknown) => void
}) {
  const [isAsking, setIsAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const stage = useStage()
  const isProduction = model.stage === 'production'
  const keepFocus = () => {
    if (document.activeElement === null || document.activeElement === document.body) button.current?.focus()
  }
  const setStaging = () => {
    // Not `disabled` meanwhile: that would take the focus from whoever uses the keyboard.
    if (stage.isPending) return
    stage.mutate(
      { params: { id: model.version }, body: { stage: 'staging' } },
      {
        onSettled: (_, error) => {
          onStaged(model.version, error)
          requestAnimationFrame(keepFocus)
        },
      },
    )
  }
  return (
    <>
      <Button
        ref={button}
        size={variant === 'text' ? 'small' : 'medium'}
        variant={variant}
        aria-disabled={stage.isPending}
        aria-label={`${isProduction ? 'Set Staging' : 'Production'}: ${model.version}`}
        onClick={isProduction ? setStaging : () => setIsAsking(true)}
      >
        {stage.isPending ? 'Moving…' : isProduction ? 'Set Staging' : 'Production'}
      </Button>
      {isAsking && (
        <PromoteDialog
          model={model}
          onClose={() => {
            setIsAsking(false)
            requestAnimationFrame(keepFocus)
          }}
        />
      )}
    </>
  )
}
