import { Box, Link } from '@mui/material'
import { type Task, TaskDraft } from '@shapecast/contracts/tasks'
import { type FormEvent, useId, useState } from 'react'
import { Link as RouterLink } from 'react-router'
import { formatCount } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { DialogActions } from '#kit/ui/dialog-actions.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { likeTitle } from './columns.ts'

interface TaskText {
  readonly title: string
  readonly description: string
}

/** What is wrong with each text, as the service says it. */
function wrongIn(task: TaskText) {
  const issues = TaskDraft.safeParse(task).error?.issues ?? []
  const wrong = (name: keyof TaskText) => issues.find(({ path }) => path[0] === name)?.message
  return { title: wrong('title'), description: wrong('description') }
}

export interface AddTaskDialogProps {
  tasks: readonly Task[]
  onCreate: (draft: TaskText) => Promise<void>
  onClose: () => void
}

/** A new task. What is wrong with it is said once it was sent or left. */
export function AddTaskDialog({ tasks, onCreate, onClose }: AddTaskDialogProps) {
  const formId = useId()
  const draft = useDraft<TaskText>('task')
  const [title, setTitle] = useState(draft?.title ?? '')
  const [description, setDescription] = useState(draft?.description ?? '')
  useKeepDraft('task', title === '' && description === '' ? null : { title, description })
  const [left, setLeft] = useState({ title: false, description: false })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const { title: wrongTitle, description: wrongDescription } = wrongIn({ title, description })
  const similar = wrongTitle !== undefined ? null : likeTitle(title, tasks)

  async function send(event: FormEvent) {
    event.preventDefault()
    setLeft({ title: true, description: true })
    if (wrongTitle !== undefined || wrongDescription !== undefined || busy) return
    setBusy(true)
    setError(null)
    try {
      await onCreate({ title: title.trim(), description: description.trim() })
      onClose()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Create New Task"
      onClose={onClose}
      actions={
        <DialogActions
          label="Create"
          note="Starts in Backlog as ‘proposed’."
          isBusy={busy}
          onCancel={onClose}
          formId={formId}
        />
      }
    >
      <Box component="form" id={formId} onSubmit={send} noValidate sx={{ display: 'grid', gap: 2 }}>
        <TextField
          label="Title"
          autoFocus
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          onBlur={() => setLeft((old) => ({ ...old, title: old.title || title !== '' }))}
          error={left.title ? wrongTitle : undefined}
        />
        <TextField
          label="Description"
          rows={5}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          onBlur={() => setLeft((old) => ({ ...old, description: old.description || description !== '' }))}
          help="What is missing, and for whom. At least 10 characters."
          error={left.description ? wrongDescription : undefined}
        />
        {similar !== null && (
          <Banner kind="info" title="There is a task like it">
            <Link component={RouterLink} to={`?task=${similar._id}`} onClick={onClose}>
              {similar.title}
            </Link>{' '}
            · {formatCount(similar.votesFor)} votes. Vote there instead?
          </Banner>
        )}
        {error !== null && <FailureBanner error={error} text="Failed to create task" />}
      </Box>
    </Dialog>
  )
}
