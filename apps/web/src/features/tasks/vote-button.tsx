import { Box, Button, Typography } from '@mui/material'
import { isVotingOpen, type Task } from '@shapecast/contracts/tasks'
import { ArrowBigUp, Check } from 'lucide-react'
import { formatCount } from '#kit/format/number.ts'
import { colors, TINT, tint } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import type { TaskActions } from './use-tasks.ts'

/** The vote on a card: cast with one press, taken back with another; where voting is closed, the count and why. */
export function VoteButton({
  task,
  actions,
  isBusy,
  isSignedIn,
}: {
  task: Task
  actions: TaskActions
  isBusy: boolean
  isSignedIn: boolean
}) {
  const count = formatCount(task.votesFor)
  if (!isSignedIn || !isVotingOpen(task.status))
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, height: 26, color: colors.text3 }}>
        <ArrowBigUp size={14} aria-hidden />
        <Typography variant="label" component="span">
          {count}
        </Typography>
        <Typography variant="small" component="span">
          Voting closed
        </Typography>
      </Box>
    )
  const isVoted = task.myVote === 'for'
  return (
    <Button
      size="small"
      aria-pressed={isVoted}
      startIcon={isVoted ? <Check /> : <ArrowBigUp />}
      title={isVoted ? 'Take the vote back' : 'Vote for this task'}
      sx={isVoted ? votedStyle : undefined}
      {...busyPress(isBusy, () => actions.vote(task, isVoted ? null : 'for'))}
    >
      {isVoted ? 'Voted' : task.myVote === 'against' ? 'Against' : 'Vote'} {count}
    </Button>
  )
}

const votedStyle = { color: colors.accentHi, backgroundColor: tint(colors.accent, TINT.accent) } as const
