import { useEffect, useRef, useState } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { RetryButton } from '#kit/ui/retry-button.tsx'
import { reasonOf } from './job/failure.ts'
import type { BacktestJobControl } from './job/use-backtest-job.ts'
import type { ParametersControl } from './parameters/use-parameters.ts'

const BOTS_FAILED = 'Failed to load bots list'

/** What failed in red, to be dismissed; what did not stop the test in amber. */
export function BacktestMessages({
  job,
  bots,
  refusal,
  onDismissRefusal,
}: {
  job: BacktestJobControl
  bots: ParametersControl['botList']
  refusal: string | null
  onDismissRefusal: () => void
}) {
  const top = useRef<HTMLDivElement>(null)
  const [dismissed, setDismissed] = useState<Error | null>(null)
  const botsError = bots.data === undefined && bots.error !== dismissed ? bots.error : null
  const newest = refusal ?? job.failure?.title ?? (botsError === null ? null : BOTS_FAILED)
  useEffect(() => {
    if (newest !== null) top.current?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  if (newest === null && job.warning === null) return null
  return (
    <Column gap={1.5} ref={top} style={{ scrollMarginBlock: '72px 16px' }}>
      {botsError !== null && (
        <Banner
          kind="error"
          title={BOTS_FAILED}
          onDismiss={() => setDismissed(botsError)}
          action={<RetryButton reply={bots} />}
        >
          {reasonOf(botsError)}
        </Banner>
      )}
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
    </Column>
  )
}
