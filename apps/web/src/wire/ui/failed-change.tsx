import { Banner } from '#kit/ui/banner.tsx'
import layout from '#kit/ui/layout.module.css'
import { errorDetail, errorInFull, errorText } from '../calls/error-text.ts'

interface Failed {
  text: string
  /** In a card whose body reaches the edges. */
  inset?: boolean
}

/** Why something failed: the server's words, or `text` and why there are none. Nothing without an error. */
export function FailureBanner({
  error,
  text,
  inset = false,
  onDismiss,
}: Failed & { error: unknown; onDismiss?: () => void }) {
  if (error === null) return null
  return (
    <div className={inset ? layout.inset : undefined}>
      <Banner kind="error" title={errorText(error, text)} {...(onDismiss !== undefined && { onDismiss })}>
        {errorDetail(error)}
      </Banner>
    </div>
  )
}

/** Why a change failed, until it is dismissed. */
export const FailedChange = ({
  change,
  ...failed
}: Failed & { change: { error: Error | null; reset: () => void } }) => (
  <FailureBanner {...failed} error={change.error} onDismiss={() => change.reset()} />
)

/** What a ConfirmDialog shows of the change that it asks about: its button, and why it failed. */
export const confirming = (
  { isPending, error }: { isPending: boolean; error: Error | null },
  label: string,
  busyLabel: string,
  failed: string,
) => ({
  confirmLabel: isPending ? busyLabel : label,
  busy: isPending,
  error: error === null ? undefined : errorInFull(error, failed),
})
