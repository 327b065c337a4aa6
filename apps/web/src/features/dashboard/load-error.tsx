import { errorDetail, errorText } from '../../shared/api/error-text.ts'
import { useHealth } from '../../shared/api/use-health.ts'
import { useTicker } from '../../shared/api/use-ticker.ts'
import { formatClock } from '../../shared/format/time.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { RetryButton } from '../../shared/ui/retry-button.tsx'
import { LEAD } from './lead-series.ts'

/** Without the state of the system or the price the dashboard cannot be trusted: says why, and how old its figures are. */
export function LoadError() {
  const health = useHealth()
  const price = useTicker(LEAD.symbol)
  const failed = health.isError ? health : price.isError ? price : null
  if (failed === null) return null
  const age = failed.dataUpdatedAt === 0 ? '' : ` Figures as of ${formatClock(failed.dataUpdatedAt)}.`
  return (
    <Banner kind="error" title={errorText(failed.error, 'Data loading error')} action={<RetryButton reply={failed} />}>
      {errorDetail(failed.error)}
      {age}
    </Banner>
  )
}
