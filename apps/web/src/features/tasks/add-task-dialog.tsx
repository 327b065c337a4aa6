import { createTask, type Task, TaskDraft } from '@shapecast/contracts/tasks'
import { Link as RouterLink } from 'react-router'
import { formatCount } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { FormDialog } from '#kit/ui/dialog.tsx'
import { Link } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { likeTitle } from './columns.ts'

type TaskText = Pick<TaskDraft, 'title' | 'description'>
const EMPTY: TaskText = { title: '', description: '' }

export interface AddTaskDialogProps {
  tasks: readonly Task[]
  onClose: () => void
}

/** A new task. */
export function AddTaskDialog({ tasks, onClose }: AddTaskDialogProps) {
  const create = useEndpointMutation(createTask, { onSuccess: onClose })
  const form = useContractForm(TaskDraft, {
    start: EMPTY,
    draft: useDraft<TaskText>('task'),
    refusal: create.error,
  })
  const { title } = form.values
  const key = useRequestKey(JSON.stringify(form.values))
  useKeepDraft('task', form.isDirty ? form.values : null)
  const { leave, question } = useUnsaved(form.isDirty, onClose)
  const similar = TaskDraft.shape.title.safeParse(title).success ? likeTitle(title, tasks) : null

  return (
    <FormDialog
      title="Create New Task"
      label="Create"
      note="Starts in Backlog as ‘proposed’."
      isBusy={create.isPending}
      onClose={leave}
      onSubmit={form.submit((body) => create.isPending || create.mutate({ body, idempotencyKey: key }))}
      onBlur={form.onBlur}
    >
      <TextField label="Title" autoFocus {...form.text('title')} />
      <TextField
        label="Description"
        rows={5}
        help="What is missing, and for whom. At least 10 characters."
        {...form.text('description')}
      />
      {similar !== null && (
        <Banner kind="info" title="There is a task like it">
          <Link as={RouterLink} to={`?task=${similar._id}`} onClick={onClose}>
            {similar.title}
          </Link>{' '}
          · {formatCount(similar.votesFor)} votes. Vote there instead?
        </Banner>
      )}
      <FailureBanner error={form.failure} text="Failed to create task" />
      {question}
    </FormDialog>
  )
}
