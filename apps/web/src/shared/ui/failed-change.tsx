import { errorText } from '../api/error-text.ts'
import { Banner } from './banner.tsx'

/** Why a change failed, until it is dismissed; `text` where the server said nothing. */
export const FailedChange = ({
  change,
  text,
}: {
  change: { isError: boolean; error: Error | null; reset: () => void }
  text: string
}) => change.isError && <Banner kind="error" title={errorText(change.error, text)} onDismiss={() => change.reset()} />
