import type { Model } from '@shapecast/contracts/ml'
import { Check, Equal } from 'lucide-react'
import { Chip } from '#kit/ui/chip.tsx'
import { directionVerdict } from './direction-verdict.ts'

/** Whether the direction of a version beats its baseline on every series that it was judged on. Nothing before that. */
export function ModelVerdict({ model }: { model: Model }) {
  const verdicts = model.artifacts
    .filter(({ accuracy }) => accuracy.outcomes > 0)
    .map(({ accuracy }) => directionVerdict(accuracy))
  const shown = verdicts.find(({ isBetter }) => !isBetter) ?? verdicts[0]
  if (shown === undefined) return null
  return (
    <Chip label={shown.chip} tone={shown.isBetter ? 'filled' : 'warn'} icon={shown.isBetter ? <Check /> : <Equal />} />
  )
}
