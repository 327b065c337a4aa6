import { type DownloadJob, downloadCandles, downloadJob, seriesList } from '@shapecast/contracts/market'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CloudDownload } from 'lucide-react'
import { useEffect } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange, timeLeft } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { call } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'
import { endpointKey, isUnderWay, untilEnded, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { CancelJob } from '#wire/ui/job-buttons.tsx'
import type { DataChoice } from '../data/use-data-choice.ts'

/** Fetches the chosen range of the chosen coins from the exchange. Managers, where the market is an exchange. */
export function DownloadCard({ choice, venue }: { choice: DataChoice; venue: string }) {
  const { coins, timeframe, window } = choice
  const { fromMs, toMs } = window
  const start = useMutation({
    mutationFn: async () => {
      const jobs: { symbol: string; jobId: string }[] = []
      if (fromMs === null || toMs === null) return jobs
      const range = { timeframe, from: fromMs, to: toMs - 1 }
      for (const symbol of coins)
        jobs.push({ symbol, ...(await call(downloadCandles, { body: { symbol, ...range } })) })
      return jobs
    },
  })
  const isReady = coins.length > 0 && fromMs !== null && toMs !== null && choice.error === undefined
  return (
    <Card title="Download candles" facts={`from ${venue}, at the speed that it allows`}>
      <Column gap={1.5}>
        <Row gap={1.5} wrap>
          <Text size="small" tone="text2" style={{ flex: '1 1 240px', minWidth: 0 }}>
            {isReady
              ? `${coins.join(', ')} · ${timeframe} · ${formatDateRange(fromMs, toMs - 1)}`
              : 'Choose coins and both dates above'}
          </Text>
          <Button
            startIcon={<CloudDownload />}
            disabled={!isReady}
            {...busyButton(start.isPending, () => start.mutate())}
          >
            {start.isPending ? 'Starting…' : 'Download candles'}
          </Button>
        </Row>
        <FailedChange change={start} text="The download could not be started" />
        {start.data?.map(({ symbol, jobId }) => (
          <DownloadRow key={jobId} jobId={jobId} symbol={symbol} />
        ))}
      </Column>
    </Card>
  )
}

/** One coin's download, followed until it ends. */
export function DownloadRow({ jobId, symbol }: { jobId: string; symbol: string }) {
  const queryClient = useQueryClient()
  const followed = { staleTime: 0, refetchInterval: untilEnded() }
  const { data, error } = useEndpointQuery(downloadJob, { params: { id: jobId } }, followed)
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
      <div className={layout.grow}>
        <ProgressBar
          words={`${name}: ${downloadWords(data)}`}
          pct={status === 'completed' ? 100 : Math.floor(data.progress * 100)}
        />
      </div>
      {isUnderWay(data) && <CancelJob id={jobId} job={`download of ${name}`} />}
    </Row>
  )
}

/** How far a download is, as a sentence. */
export function downloadWords({
  status,
  candles,
  error,
  leftS,
}: Pick<DownloadJob, 'status' | 'candles' | 'error' | 'leftS'>): string {
  const counted = formatCounted(candles, 'candle')
  return {
    queued: 'Queued…',
    running: `Downloading, ${counted} so far${timeLeft(leftS)}`,
    completed: `Completed, ${counted}`,
    failed: error ?? 'The download failed',
    cancelled: `Cancelled, ${counted} kept`,
  }[status]
}
