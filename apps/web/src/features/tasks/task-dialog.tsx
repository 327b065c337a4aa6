import { Box, Button, Typography } from '@mui/material'
import { activities } from '@shapecast/contracts/activities'
import { isVotingOpen, type Task } from '@shapecast/contracts/tasks'
import { taskVotes } from '@shapecast/contracts/votes'
import { ArrowBigDown, ArrowBigUp, Check, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { TaskStatusChip } from '#entities/tasks/task-status-chip.tsx'
import { formatCount } from '#kit/format/number.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { activityWords } from './activity-words.ts'
import { COLUMNS, type ColumnId, columnOf, statusOfDrop, whyFixed } from './columns.ts'
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
          <Box sx={{ flex: 1, display: 'flex', alignItems: 'center', gap: 2 }}>
            <Button
              variant="text"
              startIcon={<Trash2 />}
              sx={{ ml: '-13px', color: colors.down }}
              disabled={whyFixed(task) !== undefined}
              title={whyFixed(task)}
              {...busyPress(isBusy, () => {
                actions.remove(task)
                onClose()
              })}
            >
              Delete
            </Button>
            <Box sx={{ ml: 'auto', width: 180 }}>
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
            </Box>
          </Box>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
          <TaskStatusChip status={task.status} />
          <Chip label={task.priority} tone="outline" />
          <Typography variant="small" sx={{ color: colors.text2 }}>
            by {task.author?.username ?? 'a deleted account'} · {formatDateTimeYear(task.createdAt)}
          </Typography>
        </Box>
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{task.description}</Typography>
        {task.tags.length > 0 && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
            {task.tags.map((tag) => (
              <Chip key={tag} label={tag} />
            ))}
          </Box>
        )}
        <Votes task={task} actions={actions} isBusy={isBusy} canVote={isSignedIn && isVotingOpen(task.status)} />
        <History task={task} />
      </Box>
    </Dialog>
  )
}

function Votes({ task, actions, isBusy, canVote }: Omit<TaskDialogProps, 'onClose'> & { canVote: boolean }) {
  const user = useUser()
  const [comment, setComment] = useState('')
  const [limit, setLimit] = useState(FIRST_COMMENTS)
  const reply = useEndpointQuery(taskVotes, { params: { taskId: task._id }, query: { limit } })
  const all = task.votesFor + task.votesAgainst
  const said = reply.data?.votes.filter((vote) => vote.comment !== '') ?? []
  const ofMine = reply.data?.votes.find((vote) => vote.user.id === user?.id)?.comment
  const cast = (voteType: 'for' | 'against') => actions.vote(task, voteType, ofMine)
  return (
    <Box
      component="section"
      aria-label="Votes"
      sx={{ display: 'grid', gap: 1.25, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography variant="h3">Votes</Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        <Typography variant="h3" component="span">
          {formatCount(task.votesFor)}
        </Typography>
        <Typography variant="small">for</Typography>
        <Box aria-hidden sx={{ flex: 1, display: 'flex', gap: '2px', height: 4, '& > *': { borderRadius: 1 } }}>
          <Box
            sx={{ flexGrow: all === 0 ? 1 : task.votesFor, backgroundColor: all === 0 ? colors.well : colors.accent }}
          />
          <Box sx={{ flexGrow: task.votesAgainst, backgroundColor: colors.text3 }} />
        </Box>
        <Typography variant="small">against</Typography>
        <Typography variant="h3" component="span">
          {formatCount(task.votesAgainst)}
        </Typography>
      </Box>
      {canVote ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
          <Button
            size="small"
            aria-pressed={task.myVote === 'for'}
            startIcon={task.myVote === 'for' ? <Check /> : <ArrowBigUp />}
            {...busyPress(isBusy, () => cast('for'))}
          >
            {task.myVote === 'for' ? 'Voted for' : 'For'}
          </Button>
          <Button
            size="small"
            aria-pressed={task.myVote === 'against'}
            startIcon={task.myVote === 'against' ? <Check /> : <ArrowBigDown />}
            {...busyPress(isBusy, () => cast('against'))}
          >
            {task.myVote === 'against' ? 'Voted against' : 'Against'}
          </Button>
          {task.myVote !== null && (
            <Button variant="text" size="small" {...busyPress(isBusy, () => actions.vote(task, null))}>
              Withdraw
            </Button>
          )}
          <Typography variant="small" sx={{ ml: 'auto', color: colors.text3 }}>
            One vote each; it can be changed while voting is open.
          </Typography>
        </Box>
      ) : (
        <Typography variant="small" sx={{ color: colors.text3 }}>
          Voting closed
        </Typography>
      )}
      {canVote && task.myVote !== null && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-end' }}>
          <TextField
            label="Comment with your vote"
            value={comment}
            onChange={(event) => setComment(event.target.value)}
            placeholder={ofMine || 'Why?'}
          />
          <Button
            disabled={comment.trim() === ''}
            {...busyPress(isBusy, () => actions.vote(task, task.myVote, comment, () => setComment('')))}
          >
            Save
          </Button>
        </Box>
      )}
      <Awaited reply={reply} title="The comments could not be loaded" />
      {said.map((vote) => (
        <Box key={vote.user.id} sx={{ pt: 1, borderTop: 1, borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'baseline' }}>
            <Typography component="span" sx={{ fontWeight: 500 }}>
              {vote.user.username}
            </Typography>
            <Typography variant="small" component="span" sx={{ color: colors.text2 }}>
              {vote.user.id === user?.id ? 'you, ' : ''}
              {vote.voteType}
            </Typography>
            <Typography variant="small" component="span" sx={{ ml: 'auto', color: colors.text3 }}>
              <Ago ms={vote.updatedAt} />
            </Typography>
          </Box>
          <Typography variant="small" component="p" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
            {vote.comment}
          </Typography>
        </Box>
      ))}
      {(reply.data?.comments ?? 0) > said.length && (
        <Button variant="text" size="small" sx={{ justifySelf: 'start' }} onClick={() => setLimit(MOST_VOTES)}>
          Show {formatCount((reply.data?.comments ?? 0) - said.length)} more comments
        </Button>
      )}
    </Box>
  )
}

function History({ task }: { task: Task }) {
  const reply = useEndpointQuery(activities, { query: { subject: task._id, limit: 20 } })
  return (
    <Box component="section" aria-label="Activity" sx={{ display: 'grid', gap: 0.75 }}>
      <Typography variant="h3">Activity</Typography>
      <Awaited reply={reply} title="The activity could not be loaded" />
      {reply.data?.activities.map((one) => (
        <Box key={one._id} sx={{ display: 'flex', gap: 1 }}>
          <Typography variant="small" component="span" sx={{ flex: 1, color: colors.text2 }}>
            <b>{one.actor?.username ?? 'A deleted account'}</b> {activityWords(one).verb} it {activityWords(one).after}
          </Typography>
          <Typography variant="small" component="span" sx={{ color: colors.text3 }}>
            {one.marketAt === null ? <Ago ms={one.createdAt} /> : formatDateTimeYear(one.marketAt)}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
