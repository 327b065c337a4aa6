import { Banner } from '../../shared/ui/banner.tsx'
import type { BacktestJobControl } from './job/use-backtest-job.ts'

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
  return (
    <>
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
    </>
  )
}
