import { botsOnModel, type Model } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** Before a version leaves production: which bots trade on it, and whether they go on. */
export function DemoteDialog({
  model,
  busy,
  onConfirm,
  onClose,
}: {
  model: Model
  busy: boolean
  onConfirm: (bots: 'keep' | 'pause') => void
  onClose: () => void
}) {
  const [isPausing, setIsPausing] = useState(false)
  const using = useEndpointQuery(botsOnModel, { params: { id: model.version } })
  const count = (using.data?.bots.length ?? 0) + (using.data?.others ?? 0)
  return (
    <ConfirmDialog
      title={`${model.version} to staging?`}
      text={`${model.version} no longer answers where no version is named. Bots that trade on it go on with the model of their start.`}
      subject={
        <>
          <Text>{wordsOf(using.data, using.isError ? using.error : null)}</Text>
          {count > 0 && (
            <Checkbox
              checked={isPausing}
              onChange={setIsPausing}
              label="Pause these bots: they keep what they hold and open nothing"
            />
          )}
        </>
      }
      confirmLabel={busy ? 'Moving…' : 'Set Staging'}
      tone="contained"
      busy={busy}
      error={undefined}
      onConfirm={() => onConfirm(isPausing ? 'pause' : 'keep')}
      onClose={onClose}
    />
  )
}

function wordsOf(
  using: { bots: readonly { name: string; isVirtual: boolean }[]; others: number } | undefined,
  error: unknown,
): string {
  if (error !== null) return errorInFull(error, 'Its bots could not be read.')
  if (using === undefined) return 'Looking for its bots…'
  const named = using.bots.map(({ name, isVirtual }) => (isVirtual ? name : `${name} (real money)`))
  const others = using.others === 0 ? [] : [`${using.others} private ${using.others === 1 ? 'bot' : 'bots'} of others`]
  const all = [...named, ...others]
  return all.length === 0 ? 'No running bot trades on it.' : `Trading on it: ${all.join(', ')}.`
}
