import { useEffect, useRef, useState } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { reasonOf } from './start-backtest.ts'
import type { BacktestJobControl } from './use-backtest-job.ts'
import type { PartProps } from './use-parameters.ts'

const BOTS_FAILED = 'Failed to load bots list'

/** What failed in red, to be dismissed; what did not stop the test in amber. */
export function BacktestMessages({
  form: { errors, submitCount },
  choices: { botList },
  job,
}: Pick<PartProps, 'form' | 'choices'> & { job: BacktestJobControl }) {
  const top = useRef<HTMLDivElement>(null)
  const [dismissed, setDismissed] = useState<{ error: Error | null; atSubmit: number }>({ error: null, atSubmit: -1 })
  const dismiss = (part: Partial<typeof dismissed>) => setDismissed({ ...dismissed, ...part })
  const botsError = botList.data === undefined && botList.error !== dismissed.error ? botList.error : null
  const refusal = dismissed.atSubmit === submitCount ? null : (errors.botId ?? errors.version ?? null)
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
          onDismiss={() => dismiss({ error: botsError })}
          action={<RetryButton reply={botList} />}
        >
          {reasonOf(botsError)}
        </Banner>
      )}
      {refusal !== null && <Banner kind="error" title={refusal} onDismiss={() => dismiss({ atSubmit: submitCount })} />}
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
