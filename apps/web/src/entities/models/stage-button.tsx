import type { Model } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Snackbar } from '#kit/ui/snackbar.tsx'
import { useStage } from './use-stage.tsx'

const DemoteDialog = onDemand(async () => (await import('./demote-dialog.tsx')).DemoteDialog)
const PromoteDialog = onDemand(async () => (await import('./promote-dialog.tsx')).PromoteDialog)

const UNDO_MS = 10_000

/**
 * 'Set Staging' on a production version, 'Production' on any other. For managers. Either asks first; a move out of
 * production can be undone for some seconds. `onStaged` hears of one: the error, or null.
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
  // Where to: the stage itself may change while the dialog is open.
  const [asking, setAsking] = useState<'staging' | 'production' | null>(null)
  const [isMoved, setIsMoved] = useState(false)
  const [hasPaused, setHasPaused] = useState(false)
  const stage = useStage()
  const isProduction = model.stage === 'production'
  const setStaging = (bots: 'keep' | 'pause') =>
    stage.mutate(
      { params: { id: model.version }, body: { stage: 'staging', bots } },
      {
        onSettled: (_, error) => {
          setAsking(null)
          setIsMoved(error === null)
          setHasPaused(bots === 'pause')
          onStaged(model, error)
        },
      },
    )
  const undo = () => {
    setIsMoved(false)
    stage.mutate(
      { params: { id: model.version }, body: { stage: 'production' } },
      { onSettled: (_, error) => onStaged(model, error) },
    )
  }
  return (
    <>
      <Button
        size={variant === 'text' ? 'small' : 'medium'}
        variant={variant}
        aria-label={`${isProduction ? 'Set Staging' : 'Production'}: ${model.version}`}
        {...busyButton(stage.isPending, () => setAsking(isProduction ? 'staging' : 'production'))}
      >
        {stage.isPending ? 'Moving…' : isProduction ? 'Set Staging' : 'Production'}
      </Button>
      {asking === 'staging' && (
        <DemoteDialog model={model} busy={stage.isPending} onConfirm={setStaging} onClose={() => setAsking(null)} />
      )}
      {asking === 'production' && <PromoteDialog model={model} onClose={() => setAsking(null)} />}
      {isMoved && (
        <Snackbar
          durationMs={UNDO_MS}
          onClose={() => setIsMoved(false)}
          action={
            <Button variant="text" size="small" onClick={undo}>
              Undo
            </Button>
          }
        >
          {`${model.version} is in staging${hasPaused ? '. Paused bots stay paused, after Undo too.' : ''}`}
        </Snackbar>
      )}
    </>
  )
}
