import { downloadJob, seriesList } from '@shapecast/contracts/market'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Row } from '#kit/ui/layout.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { Text } from '#kit/ui/text.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { CancelJob } from '#wire/ui/cancel-job.tsx'
import css from './download-row.module.css'
import { downloadWords, isDownloading } from './download-words.ts'

const POLL_MS = 1500

/** One coin's download, followed until it ends. */
export function DownloadRow({ jobId, symbol }: { jobId: string; symbol: string }) {
  const queryClient = useQueryClient()
  const { data, error } = useEndpointQuery(
    downloadJob,
    { params: { id: jobId } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data === undefined || isDownloading(state.data) ? POLL_MS : false),
    },
  )
  const status = data?.status
  useEffect(() => {
    if (status === 'completed') void queryClient.invalidateQueries({ queryKey: endpointKey(seriesList) })
  }, [queryClient, status])
  if (data === undefined)
    return (
      <Text size="small" tone="text2">
        {symbol}: {error === null ? 'Queued…' : errorText(error, 'its progress cannot be read')}
      </Text>
    )
  const name = `${data.symbol} ${data.timeframe}`
  return status === 'failed' ? (
    <Text role="alert" size="small" tone="down">
      {name}: {downloadWords(data)}
    </Text>
  ) : (
    <Row gap={1.5}>
      <div className={css.bar}>
        <ProgressBar
          words={`${name}: ${downloadWords(data)}`}
          pct={status === 'completed' ? 100 : Math.floor(data.progress * 100)}
        />
      </div>
      {isDownloading(data) && <CancelJob id={jobId} job={`download of ${name}`} />}
    </Row>
  )
}
