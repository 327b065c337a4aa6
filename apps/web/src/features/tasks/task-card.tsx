import { useDraggable } from '@dnd-kit/core'
import { isVotingOpen, type Task } from '@shapecast/contracts/tasks'
import { ArrowBigUp, Check, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { formatCount } from '#kit/format/number.ts'
import { Button, busyButton, IconButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { useUser } from '#wire/session/auth-context.ts'
import { columnOf, previewOf, whyFixed } from './columns.ts'
import css from './task-board.module.css'
import type { TaskActions } from './use-tasks.ts'

interface TaskCardProps {
  task: Task
  actions: TaskActions
  isBusy: boolean
  onOpen: (id: string) => void
}

/** A card that is dragged by mouse, touch, and with Space and the arrow keys. */
export function DraggableCard(props: TaskCardProps) {
  const { task, isBusy } = props
  const isSignedIn = useUser() !== null
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, isDragging } = useDraggable({
    id: task._id,
    disabled: !isSignedIn || isBusy || whyFixed(task) !== undefined,
    attributes: { roleDescription: 'card that can be moved' },
  })
  return (
    <Column
      gap={1}
      ref={(node) => {
        setNodeRef(node)
        setActivatorNodeRef(node)
      }}
      {...attributes}
      {...listeners}
      role="group"
      aria-label={task.title}
      data-dragging={isDragging}
      data-busy={isBusy}
      className={css.card}
    >
      <CardContent {...props} />
    </Column>
  )
}

/** The card that follows the pointer. */
export const LiftedCard = (props: TaskCardProps) => (
  <Column gap={1} className={`${css.card} ${css.lifted}`}>
    <CardContent {...props} />
  </Column>
)

/** Drawn again where its task changes, not with every card that is moved. */
const CardContent = memo(function CardContent({ task, actions, isBusy, onOpen }: TaskCardProps) {
  const isSignedIn = useUser() !== null
  return (
    <>
      <Row gap={1} align="start">
        <button
          type="button"
          onClick={() => onOpen(task._id)}
          className={`${layout.grow} ${layout.touchAlone} ${css.taskTitle}`}
        >
          {task.title}
        </button>
        <IconButton
          size="small"
          aria-label={`Delete ${task.title}`}
          disabled={!isSignedIn || whyFixed(task) !== undefined}
          title={whyFixed(task)}
          style={{ margin: -4 }}
          {...busyButton(isBusy, () => actions.remove(task))}
        >
          <Trash2 />
        </IconButton>
      </Row>
      <Text breaks size="small" tone="text2">
        {previewOf(task.description)}
      </Text>
      <Row gap={1} between>
        <VoteButton task={task} actions={actions} isBusy={isBusy} />
        {columnOf(task) === 'backlog' && (
          <Text as="span" size="small" tone="text3">
            {task.status.replaceAll('_', ' ')}
          </Text>
        )}
      </Row>
    </>
  )
})

/** The vote on a card: cast with one press, taken back with another; where voting is closed, the count and why. */
function VoteButton({ task, actions, isBusy }: Omit<TaskCardProps, 'onOpen'>) {
  const isSignedIn = useUser() !== null
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
      {...busyButton(isBusy, () => actions.vote(task, isVoted ? null : 'for'), isVoted ? css.voted : '')}
    >
      {isVoted ? 'Voted' : task.myVote === 'against' ? 'Against' : 'Vote'} {count}
    </Button>
  )
}
