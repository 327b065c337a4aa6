import { models } from '@shapecast/contracts/ml'
import { lazy, Suspense, useEffect, useState } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { SkeletonGroup } from '#kit/ui/card.tsx'
import { FoldedForm } from '#kit/ui/folded.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { isSettled, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useDraft } from '#wire/session/kept-draft.ts'
import type { DataFormProps } from './data-form.tsx'
import type { TrainingOptions } from './training-options.tsx'

const loadForm = () => import('./data-form.tsx')
const DataForm = lazy(async () => ({ default: (await loadForm()).DataForm }))

/** Of the form on a wide page, px. */
const FORM_HEIGHT = 206

/** The form of candles and what is done with them; on a phone in one line until somebody works here. */
export function DataCard(form: DataFormProps) {
  const { coins, timeframe, counts } = form.choice
  const modelReply = useEndpointQuery(models, {})
  const draft = useDraft<TrainingOptions>('training')
  // On a phone the models that there are come first, unless somebody was at work here.
  const isNarrow = useIsNarrow()
  const [wasUnfolded, setWasUnfolded] = useState(draft !== null)
  // Folded until it is known that there is none. A form that comes asks again, which must not fold it.
  const mayHaveModels = !isSettled(modelReply) || (modelReply.data?.models.length ?? 0) > 0
  const isFolded = isNarrow && !wasUnfolded && mayHaveModels
  useEffect(() => {
    if (!isFolded) loadForm().catch(() => undefined)
  }, [isFolded])
  if (isFolded)
    return (
      <FoldedForm
        title="Data and training"
        note={[coins.join(', '), timeframe, formatCounted(counts.candles, 'candle')].filter(Boolean).join(' · ')}
        onUnfold={() => setWasUnfolded(true)}
      />
    )
  return (
    <Suspense fallback={<SkeletonGroup label="Loading the form" height={FORM_HEIGHT} />}>
      <DataForm {...form} />
    </Suspense>
  )
}
