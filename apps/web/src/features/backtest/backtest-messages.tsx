import { Box } from '@mui/material'
import { useEffect, useRef } from 'react'
import { Banner } from '../../shared/ui/banner.tsx'
import type { BacktestJobControl } from './job/use-backtest-job.ts'

const NAV_PX = 72

/** What failed in red, to be dismissed; what did not stop the test in amber. */
export function BacktestMessages({
  job,
  refusal,
  onDismissRefusal,
}: {
  job: BacktestJobControl
  refusal: string | null
  onDismissRefusal: () => void
}) {
  const top = useRef<HTMLDivElement>(null)
  const newest = refusal ?? job.failure?.title ?? null
  useEffect(() => {
    if (newest !== null) top.current?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  if (newest === null && job.warning === null) return null
  return (
    <Box ref={top} sx={{ display: 'grid', gap: 1.5, scrollMarginTop: NAV_PX, scrollMarginBottom: 16 }}>
      {refusal !== null && <Banner kind="error" title={refusal} onDismiss={onDismissRefusal} />}
      {job.failure !== null && (
        <Banner kind="error" title={job.failure.title} onDismiss={job.dismissFailure}>
          {job.failure.detail}
        </Banner>
      )}
      {job.warning !== null && (
        <Banner kind="warning" title={job.warning.title} onDismiss={job.dismissWarning}>
          {job.warning.detail} The backtest goes on without them.
        </Banner>
      )}
    </Box>
  )
}
