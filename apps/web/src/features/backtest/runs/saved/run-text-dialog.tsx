import { type BacktestRunSummary, changeBacktestRun } from '@shapecast/contracts/backtest'
import { runName } from '@shapecast/contracts/run-name'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import { TextField, useTyped } from '#kit/ui/text-field.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const WORDS = {
  name: { title: 'Rename the run', label: 'Name', help: 'Leave it empty for the name of its bot or model.' },
  note: { title: 'Note on the run', label: 'Note', help: 'For yourself, and for everybody who sees the run.' },
} as const

/** Takes a name or a note for a run. */
export function RunTextDialog({
  run,
  what,
  onClose,
}: {
  run: BacktestRunSummary
  what: 'name' | 'note'
  onClose: () => void
}) {
  const typed = useTyped((what === 'name' ? (run.name ?? runName(run)) : run.note) ?? '')
  const save = useEndpointMutation(changeBacktestRun, { onSuccess: onClose })
  const { title, label, help } = WORDS[what]
  const submit = () => save.mutate({ params: { id: run._id }, body: { [what]: typed.text.trim() || null } })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <DialogActions
          label={save.isPending ? 'Saving…' : 'Save'}
          isBusy={save.isPending}
          onCancel={onClose}
          onConfirm={submit}
        />
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={label}
          help={help}
          {...typed.field}
          autoFocus
          {...(what === 'note' && { rows: 3 })}
          error={save.isError ? errorText(save.error, 'It could not be saved.') : undefined}
        />
      </form>
    </Dialog>
  )
}
