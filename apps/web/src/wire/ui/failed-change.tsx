import { Banner } from '#kit/ui/banner.tsx'
import { errorDetail, errorText } from '../calls/error-text.ts'

/** Why something failed: the server's words, or `text` and why there are none. */
export const FailureBanner = ({ error, text, onDismiss }: { error: unknown; text: string; onDismiss?: () => void }) => (
  <Banner kind="error" title={errorText(error, text)} {...(onDismiss !== undefined && { onDismiss })}>
    {errorDetail(error)}
  </Banner>
)

/** Why a change failed, until it is dismissed. */
export const FailedChange = ({
  change,
  text,
}: {
  change: { isError: boolean; error: Error | null; reset: () => void }
  text: string
}) => change.isError && <FailureBanner error={change.error} text={text} onDismiss={() => change.reset()} />
