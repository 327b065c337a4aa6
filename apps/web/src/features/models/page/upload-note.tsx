import { modelDetail } from '@shapecast/contracts/ml'
import type { UploadFacts } from '@shapecast/contracts/uploaded-model'
import { deleteUpload } from '@shapecast/contracts/uploads'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatExactTime } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { endpointKey, useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { confirming } from '#wire/ui/failed-change.tsx'
import { OtherSeries } from '../upload/other-series.tsx'
import { useArtifact } from './artifact-list.tsx'

/** Whose model it is that was uploaded, and what is known of what it has seen: before any figure. */
export function UploadNote({ upload }: { upload: UploadFacts }) {
  const { symbol, timeframe } = useArtifact().artifact
  const isManager = useIsManager()
  const mayDelete = useUser()?.id === upload.uploadedBy || isManager
  const { name, author, description, holdoutSeen, seenWords, ownLabel } = upload
  return (
    <Card title={name} actions={mayDelete && <DeleteUpload />}>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 8 }}>
        <Row gap={0.75} align="stretch" wrap>
          <Chip label="Uploaded" tone="outline" />
          <Chip label={author === null ? 'author not told' : `by ${author}`} />
          {holdoutSeen !== 'no' && (
            <Chip label={holdoutSeen === 'yes' ? 'in-sample figures' : 'training not told'} tone="warn" />
          )}
        </Row>
        {description !== null && (
          <Text size="small" tone="text2" breaks style={{ whiteSpace: 'pre-line' }}>
            {description}
          </Text>
        )}
        <Text size="small" tone={holdoutSeen === 'no' ? 'text2' : 'warn'}>
          {seenWords}
        </Text>
        {ownLabel !== null && (
          <Text size="small" tone="text2">
            {ownLabel}
          </Text>
        )}
        <OtherSeries symbol={symbol} timeframe={timeframe} beside={upload.beside} />
      </div>
    </Card>
  )
}

const ConfirmDialog = onDemand(async () => (await import('#kit/ui/dialog.tsx')).ConfirmDialog)

function DeleteUpload() {
  const { version, artifact, artifacts } = useArtifact()
  const isOnly = artifacts.length === 1
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deletion = useEndpointMutation(deleteUpload, {
    onSuccess: async () => {
      setIsAsking(false)
      await navigate(isOnly ? paths.dataCenter : paths.model(version))
      // Its page is being left: the version that is gone is not asked for.
      if (isOnly) queryClient.removeQueries({ queryKey: endpointKey(modelDetail) })
    },
  })
  const close = () => {
    setIsAsking(false)
    deletion.reset()
  }
  return (
    <>
      <Button variant="text" size="small" style={{ marginRight: -8 }} onClick={() => setIsAsking(true)}>
        Delete upload
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Delete this upload?"
          text={`Its file, its card and its figures are lost. What it has said on the track record stays there.${artifact.active ? ' The newest other one of its series predicts then, or none.' : ''}`}
          subject={`${version} on ${artifact.symbol} ${artifact.timeframe}, uploaded ${formatExactTime(artifact.createdAt)}`}
          {...confirming(deletion, 'Delete', 'Deleting…', 'It could not be deleted.')}
          onConfirm={() => deletion.mutate({ params: { id: artifact.id } })}
          onClose={close}
        />
      )}
    </>
  )
}
