import { errorDetail, errorText } from '../../shared/api/error-text.ts'
import { useHealth } from '../../shared/api/use-health.ts'
import { useLastError } from '../../shared/api/use-last-error.ts'
import { useTicker } from '../../shared/api/use-ticker.ts'
import { formatClock } from '../../shared/format/time.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { RetryButton } from '../../shared/ui/retry-button.tsx'
import { LEAD } from './lead-series.ts'

/** Without the state of the system or the price the dashboard cannot be trusted: says why, and how old its figures are. */
export function LoadError() {
  const health = useHealth()
  const price = useTicker(LEAD.symbol)
  const healthError = useLastError(health)
  const priceError = useLastError(price)
  const error = healthError ?? priceError
  if (error === null) return null
  const failed = healthError === null ? price : health
  const age = failed.dataUpdatedAt === 0 ? '' : ` Figures as of ${formatClock(failed.dataUpdatedAt)}.`
  return (
    <Banner kind="error" title={errorText(error, 'Data loading error')} action={<RetryButton reply={failed} />}>
      {errorDetail(error)}
      {age}
    </Banner>
  )
}
