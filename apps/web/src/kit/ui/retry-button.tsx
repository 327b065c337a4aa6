import { busyButton } from './busy-button.ts'
import { Button } from './button.tsx'

/** Asks once more for what could not be loaded; the focus stays on it while that is on its way. */
export const RetryButton = ({ reply }: { reply: { isFetching: boolean; refetch: () => Promise<unknown> } }) => (
  <Button size="small" {...busyButton(reply.isFetching, () => void reply.refetch())}>
    {reply.isFetching ? 'Loading…' : 'Try again'}
  </Button>
)
