import { activities } from '@shapecast/contracts/activities'
import { isVotingOpen, type Task } from '@shapecast/contracts/tasks'
import { taskVotes } from '@shapecast/contracts/votes'
import { ArrowBigDown, ArrowBigUp, Check, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { TaskStatusChip } from '#entities/users/chips.tsx'
import { formatCount } from '#kit/format/number.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField, useTyped } from '#kit/ui/text-field.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { activityWords } from './activity-feed.tsx'
import { COLUMNS, type ColumnId, columnOf, statusOfDrop, whyFixed } from './columns.ts'
import css from './task-board.module.css'
import type { TaskActions } from './use-tasks.ts'

const FIRST_COMMENTS = 5
const MOST_VOTES = 1_000

interface TaskDialogProps {
  task: Task
  actions: TaskActions
  /** Whether something is being done with the task. */
  isBusy: boolean
  onClose: () => void
}

/** A task in full: its text, votes with their comments, what happened to it, and where it can be moved. */
export function TaskDialog({ task, actions, isBusy, onClose }: TaskDialogProps) {
  const isSignedIn = useUser() !== null
  return (
    <Dialog
      title={task.title}
      widthPx={680}
      onClose={onClose}
      actions={
        isSignedIn && (
          <Row gap={2} className={layout.grow}>
            <Button
              variant="text"
              startIcon={<Trash2 />}
              style={{ marginLeft: -13 }}
              disabled={whyFixed(task) !== undefined}
              title={whyFixed(task)}
              {...busyButton(
                isBusy,
                () => {
                  actions.remove(task)
                  onClose()
                },
                css.delete,
              )}
            >
              Delete
            </Button>
            <div style={{ marginLeft: 'auto', width: 180 }}>
              <SelectField<ColumnId>
                label="Move to"
                value={columnOf(task)}
                disabled={isBusy || whyFixed(task) !== undefined}
                onChange={(id) => {
                  const status = statusOfDrop(task, COLUMNS.find((column) => column.id === id)!)
                  if (status !== null) actions.move(task, status)
                }}
                options={COLUMNS.map(({ id, label }) => ({ value: id, label }))}
              />
            </div>
          </Row>
        )
      }
    >
      <Column gap={2.5}>
        <Row gap={1} wrap>
          <TaskStatusChip status={task.status} />
          <Chip label={task.priority} tone="outline" />
          <Text size="small" tone="text2">
            by {task.author?.username ?? 'a deleted account'} · {formatDateTimeYear(task.createdAt)}
          </Text>
        </Row>
        <Text breaks style={{ whiteSpace: 'pre-wrap' }}>
          {task.description}
        </Text>
        {task.tags.length > 0 && (
          <Row gap={0.75} wrap align="stretch">
            {task.tags.map((tag) => (
              <Chip key={tag} label={tag} />
            ))}
          </Row>
        )}
        <Votes task={task} actions={actions} isBusy={isBusy} canVote={isSignedIn && isVotingOpen(task.status)} />
        <History task={task} />
      </Column>
    </Dialog>
  )
}

function Votes({ task, actions, isBusy, canVote }: Omit<TaskDialogProps, 'onClose'> & { canVote: boolean }) {
  const user = useUser()
  const comment = useTyped()
  const [limit, setLimit] = useState(FIRST_COMMENTS)
  const reply = useEndpointQuery(taskVotes, { params: { taskId: task._id }, query: { limit } })
  const all = task.votesFor + task.votesAgainst
  const said = reply.data?.votes.filter((vote) => vote.comment !== '') ?? []
  const ofMine = reply.data?.votes.find((vote) => vote.user.id === user?.id)?.comment
  const cast = (voteType: 'for' | 'against') => actions.vote(task, voteType, ofMine)
  return (
    <Column as="section" gap={1.25} aria-label="Votes">
      <Text size="h3">Votes</Text>
      <Row gap={1.5}>
        <Text as="span" size="h3">
          {formatCount(task.votesFor)}
        </Text>
        <Text size="small">for</Text>
        <div aria-hidden className={css.share}>
          <div
            style={{
              flexGrow: all === 0 ? 1 : task.votesFor,
              backgroundColor: all === 0 ? colors.well : colors.accent,
            }}
          />
          <div className={css.against} style={{ flexGrow: task.votesAgainst }} />
        </div>
        <Text size="small">against</Text>
        <Text as="span" size="h3">
          {formatCount(task.votesAgainst)}
        </Text>
      </Row>
      {canVote ? (
        <Row gap={1} wrap>
          <Button
            size="small"
            aria-pressed={task.myVote === 'for'}
            startIcon={task.myVote === 'for' ? <Check /> : <ArrowBigUp />}
            {...busyButton(isBusy, () => cast('for'))}
          >
            {task.myVote === 'for' ? 'Voted for' : 'For'}
          </Button>
          <Button
            size="small"
            aria-pressed={task.myVote === 'against'}
            startIcon={task.myVote === 'against' ? <Check /> : <ArrowBigDown />}
            {...busyButton(isBusy, () => cast('against'))}
          >
            {task.myVote === 'against' ? 'Voted against' : 'Against'}
          </Button>
          {task.myVote !== null && (
            <Button variant="text" size="small" {...busyButton(isBusy, () => actions.vote(task, null))}>
              Withdraw
            </Button>
          )}
          <Text size="small" tone="text3" className={layout.end}>
            One vote each; it can be changed while voting is open.
          </Text>
        </Row>
      ) : (
        <Text size="small" tone="text3">
          Voting closed
        </Text>
      )}
      {canVote && task.myVote !== null && (
        <Row gap={1} align="end">
          <TextField label="Comment with your vote" placeholder={ofMine || 'Why?'} {...comment.field} />
          <Button
            disabled={comment.text.trim() === ''}
            {...busyButton(isBusy, () => actions.vote(task, task.myVote, comment.text, () => comment.set('')))}
          >
            Save
          </Button>
        </Row>
      )}
      <QueryBoundary reply={reply} of="the comments" />
      {said.map((vote) => (
        <div key={vote.user.id} className={css.comment}>
          <Row gap={1} align="baseline">
            <Text as="span" weight={500}>
              {vote.user.username}
            </Text>
            <Text as="span" size="small" tone="text2">
              {vote.user.id === user?.id ? 'you, ' : ''}
              {vote.voteType}
            </Text>
            <Text as="span" size="small" tone="text3" className={layout.end}>
              <Ago ms={vote.updatedAt} />
            </Text>
          </Row>
          <Text breaks size="small" tone="text2">
            {vote.comment}
          </Text>
        </div>
      ))}
      {(reply.data?.comments ?? 0) > said.length && (
        <Button variant="text" size="small" style={{ justifySelf: 'start' }} onClick={() => setLimit(MOST_VOTES)}>
          Show {formatCount((reply.data?.comments ?? 0) - said.length)} more comments
        </Button>
      )}
    </Column>
  )
}

function History({ task }: { task: Task }) {
  const reply = useEndpointQuery(activities, { query: { subject: task._id, limit: 20 } })
  return (
    <Column as="section" gap={0.75} aria-label="Activity">
      <Text size="h3">Activity</Text>
      <QueryBoundary reply={reply} of="the activity" />
      {reply.data?.activities.map((one) => (
        <Row gap={1} align="stretch" key={one._id}>
          <Text as="span" size="small" tone="text2" className={layout.grow}>
            <b>{one.actor?.username ?? 'A deleted account'}</b> {activityWords(one).verb} it {activityWords(one).after}
          </Text>
          <Text as="span" size="small" tone="text3">
            {one.marketAt === null ? <Ago ms={one.createdAt} /> : formatDateTimeYear(one.marketAt)}
          </Text>
        </Row>
      ))}
    </Column>
  )
}
