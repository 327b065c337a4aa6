import { Button } from '@mui/material'
import { downloadCandles } from '@shapecast/contracts/market'
import { useMutation } from '@tanstack/react-query'
import { CloudDownload } from 'lucide-react'
import { formatDateRange } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { Column, Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { call } from '#wire/calls/client.ts'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import type { DataChoice } from '../data/use-data-choice.ts'
import { DownloadRow } from './download-row.tsx'

interface Started {
  readonly symbol: string
  readonly jobId: string
}

/** Fetches the chosen range of the chosen coins from the exchange. Managers, where the market is an exchange. */
export function DownloadCard({ choice, venue }: { choice: DataChoice; venue: string }) {
  const { coins, timeframe, window } = choice
  const { fromMs, toMs } = window
  const start = useMutation({
    mutationFn: async (): Promise<Started[]> => {
      if (fromMs === null || toMs === null) return []
      const jobs: Started[] = []
      for (const symbol of coins) {
        const { jobId } = await call(downloadCandles, { body: { symbol, timeframe, from: fromMs, to: toMs - 1 } })
        jobs.push({ symbol, jobId })
      }
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
            {...busyPress(start.isPending, () => start.mutate())}
          >
            {start.isPending ? 'Starting…' : 'Download candles'}
          </Button>
        </Row>
        {start.isError && (
          <Banner
            kind="error"
            title={errorText(start.error, 'The download could not be started')}
            onDismiss={start.reset}
          >
            {errorDetail(start.error)}
          </Banner>
        )}
        {start.data?.map(({ symbol, jobId }) => (
          <DownloadRow key={jobId} jobId={jobId} symbol={symbol} />
        ))}
      </Column>
    </Card>
  )
}
