import { batch as batchEndpoint, batches } from '@shapecast/contracts/batch'
import { useLocation, useSearchParams } from 'react-router'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { LabPage, OpenedJob, PastJobs, pollWhileOpen } from '../lab-parts.tsx'
import { BatchResult } from './batch-result.tsx'
import { BatchSetup, startIn } from './batch-setup.tsx'

/** Batch: a new one and those before, or the one that the address names. */
export function BatchPage() {
  const [search, setSearch] = useSearchParams()
  const id = search.get('batch')
  const { state } = useLocation()
  return (
    <LabPage
      title="Batch"
      what="batch"
      opened={id !== null && <OpenedBatch key={id} id={id} />}
      past={<PastJobs title="Batches" list={batches} pathOf={paths.batch} />}
    >
      <BatchSetup start={startIn(state)} onStarted={(batch) => setSearch({ batch })} />
    </LabPage>
  )
}

function OpenedBatch({ id }: { id: string }) {
  const reply = useEndpointQuery(batchEndpoint, { params: { id } }, { refetchInterval: pollWhileOpen })
  return (
    <OpenedJob reply={reply} what="batch" unit="run" newPath={paths.batch()}>
      {(batch, result) => <BatchResult batch={batch} result={result} />}
    </OpenedJob>
  )
}
