import { Button } from '@mui/material'
import { isVotingOpen, type Task } from '@shapecast/contracts/tasks'
import { ArrowBigUp, Check } from 'lucide-react'
import { formatCount } from '#kit/format/number.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import type { TaskActions } from './use-tasks.ts'
import css from './vote-button.module.css'

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
      <Row gap={0.75} className={css.closed}>
        <ArrowBigUp size={14} aria-hidden />
        <Text size="label">{count}</Text>
        <Text as="span" size="small">
          Voting closed
        </Text>
      </Row>
    )
  const isVoted = task.myVote === 'for'
  return (
    <Button
      size="small"
      aria-pressed={isVoted}
      startIcon={isVoted ? <Check /> : <ArrowBigUp />}
      title={isVoted ? 'Take the vote back' : 'Vote for this task'}
      {...busyPress(isBusy, () => actions.vote(task, isVoted ? null : 'for'), isVoted ? css.voted : '')}
    >
      {isVoted ? 'Voted' : task.myVote === 'against' ? 'Against' : 'Vote'} {count}
    </Button>
  )
}
