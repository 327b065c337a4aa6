import { Button } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { useStage } from '#entities/models/use-stage.ts'
import { busyPress } from '#kit/ui/busy-press.ts'

/** Puts a staging version aside, or takes an archived one back. A production version goes to staging first. */
export function ArchiveButton({
  model,
  onStaged,
}: {
  model: Model
  /** Hears of the move: the error, or null. */
  onStaged: (model: Model, error: unknown) => void
}) {
  const stage = useStage()
  if (model.stage === 'production') return null
  const target = model.stage === 'archived' ? 'staging' : 'archived'
  const move = () =>
    stage.mutate(
      { params: { id: model.version }, body: { stage: target } },
      { onSettled: (_, error) => onStaged(model, error) },
    )
  return (
    <Button variant="text" {...busyPress(stage.isPending, move)}>
      {target === 'archived' ? 'Archive' : 'Set Staging'}
    </Button>
  )
}
