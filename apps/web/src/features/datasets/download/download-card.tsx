import { Box, Button, Typography } from '@mui/material'
import { downloadCandles } from '@shapecast/contracts/market'
import { useMutation } from '@tanstack/react-query'
import { CloudDownload } from 'lucide-react'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
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
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <Typography variant="small" sx={{ flex: '1 1 240px', minWidth: 0, color: colors.text2 }}>
            {isReady
              ? `${coins.join(', ')} · ${timeframe} · ${formatDateRange(fromMs, toMs - 1)}`
              : 'Choose coins and both dates above'}
          </Typography>
          <Button
            startIcon={<CloudDownload />}
            disabled={!isReady}
            {...busyPress(start.isPending, () => start.mutate())}
          >
            {start.isPending ? 'Starting…' : 'Download candles'}
          </Button>
        </Box>
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
      </Box>
    </Card>
  )
}
