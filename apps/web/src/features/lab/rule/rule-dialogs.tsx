import {
  changeRule,
  createRule,
  deleteRule,
  RuleNaming,
  type RuleWithVersions,
  type StoredRule,
} from '@shapecast/contracts/stored-rules'
import { useId } from 'react'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { SwitchRow } from '#kit/ui/switch-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

type Naming = Pick<StoredRule, 'name' | 'visibility'>
interface Done {
  onDone: (rule: RuleWithVersions) => void
  onClose: () => void
}

/** Stores a text under a name. */
export function StoreRuleDialog({ name, text, onDone, onClose }: { name: string; text: string } & Done) {
  const send = useEndpointMutation(createRule, { onSuccess: onDone })
  return (
    <NamingDialog
      title="Save as a rule"
      label="Save rule"
      start={{ name, visibility: 'private' }}
      send={send}
      onSend={(naming) => send.mutate({ body: { ...naming, text } })}
      onClose={onClose}
    />
  )
}

/** Renames a rule, shows it to everybody, or keeps it private. */
export function ChangeRuleDialog({ rule, onDone, onClose }: { rule: StoredRule } & Done) {
  const send = useEndpointMutation(changeRule, { onSuccess: onDone })
  return (
    <NamingDialog
      title="Name and visibility"
      label="Save"
      start={{ name: rule.name, visibility: rule.visibility }}
      send={send}
      onSend={(naming) => send.mutate({ params: { id: rule.id }, body: naming })}
      onClose={onClose}
    />
  )
}

function NamingDialog({
  title,
  label,
  start,
  send: { isPending, error },
  onSend,
  onClose,
}: {
  title: string
  label: string
  start: Naming
  send: { readonly isPending: boolean; readonly error: Error | null }
  onSend: (naming: Naming) => void
  onClose: () => void
}) {
  const formId = useId()
  const form = useContractForm(RuleNaming, { start, refusal: error })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={<DialogActions label={label} isBusy={isPending} onCancel={onClose} formId={formId} />}
    >
      <Column
        as="form"
        gap={2}
        id={formId}
        noValidate
        onSubmit={form.submit((naming) => isPending || onSend(naming))}
        onBlur={form.onBlur}
      >
        <TextField label="Name" autoFocus autoComplete="off" {...form.text('name')} />
        <SwitchRow
          title="Public"
          text={
            form.values.visibility === 'public'
              ? 'Everybody sees it with all its versions, also without an account, and may copy it. Only you and admins change it.'
              : 'Only you and admins see it.'
          }
          checked={form.values.visibility === 'public'}
          onChange={(isShared) => form.change({ visibility: isShared ? 'public' : 'private' })}
        />
        {form.failure !== null && (
          <Banner kind="error" title={errorInFull(form.failure, 'The rule could not be saved.')} />
        )}
      </Column>
    </Dialog>
  )
}

export function DeleteRuleDialog({
  rule,
  onDone,
  onClose,
}: {
  rule: RuleWithVersions
  onDone: () => void
  onClose: () => void
}) {
  const send = useEndpointMutation(deleteRule, { onSuccess: onDone })
  return (
    <ConfirmDialog
      title={`Delete ${rule.name}?`}
      text={`${formatCounted(rule.versions.length, 'version')} will be gone for good. Bots and runs keep the text that they have.`}
      confirmLabel="Delete rule"
      onConfirm={() => send.mutate({ params: { id: rule.id } })}
      onClose={onClose}
      busy={send.isPending}
      error={send.isError ? errorInFull(send.error, 'The rule could not be deleted.') : undefined}
    />
  )
}
