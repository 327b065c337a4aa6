import { Button } from '@mui/material'
import { busyPress } from './busy-press.ts'

/** Asks once more for what could not be loaded; the focus stays on it while that is on its way. */
export const RetryButton = ({ reply }: { reply: { isFetching: boolean; refetch: () => Promise<unknown> } }) => (
  <Button size="small" {...busyPress(reply.isFetching, () => void reply.refetch())}>
    {reply.isFetching ? 'Loading…' : 'Try again'}
  </Button>
)
