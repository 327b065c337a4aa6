import { useTicker } from '#entities/markets/use-ticker.ts'
import { formatClock } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useLastError } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { DEFAULT_SERIES } from './lead-series.ts'

/** Without the state of the system or the price the dashboard cannot be trusted: says why, and how old its figures are. */
export function LoadError() {
  const health = useHealth()
  const price = useTicker(DEFAULT_SERIES.symbol)
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
