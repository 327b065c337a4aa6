import { ApiError } from '@shapecast/contracts/client'
import {
  changeRule,
  createRule,
  deleteRule,
  RuleNaming,
  type RuleWithVersions,
  type StoredRule,
  saveRule,
  storedRule,
} from '@shapecast/contracts/stored-rules'
import { useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Globe, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { ConfirmDialog, FormDialog } from '#kit/ui/dialog.tsx'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { Note } from '#kit/ui/primitives.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { endpointKey, useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { confirming } from '#wire/ui/failed-change.tsx'
import { begunFrom, isChanged, NO_NAME, useEditor } from './rule-form.ts'

type Act = 'store' | 'change' | 'delete'
const CHOICES = [
  { value: 'store', label: 'Save as another rule…', icon: CopyPlus },
  { value: 'change', label: 'Name and visibility…', icon: Globe },
  { value: 'delete', label: 'Delete…', icon: Trash2, isDanger: true },
] as const

/** Saves what is typed: as a new rule, as the next version, or as a copy of somebody else's; and what else is done with a stored one. */
export function RuleSaving() {
  const { id, stored, typed, typedRules, read } = useEditor()
  const user = useUser()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<Act | null>(null)
  const show = (rule: RuleWithVersions) =>
    client.setQueryData(endpointKey(storedRule, { params: { id: rule.id } }), rule)
  const save = useEndpointMutation(saveRule, {
    onSuccess: (rule) => {
      show(rule)
      // What was typed since is a change of it.
      typedRules.change(rule.id, (now) => now && { ...now, base: { version: rule.version, text: rule.text } })
    },
    // Shows the version that was saved meanwhile.
    onError: () => client.invalidateQueries({ queryKey: endpointKey(storedRule) }),
  })
  const mayChange = user !== null && stored !== undefined && (user.role === 'admin' || stored.userId === user.id)
  const isConflict = save.error instanceof ApiError && save.error.code === 'conflict'
  const store = useEndpointMutation(createRule, {
    onSuccess: (rule) => {
      close()
      show(rule)
      // Its text stands at its own address now.
      typedRules.change(id, () => undefined)
      void navigate(paths.storedRule(rule.id))
    },
  })
  const rename = useEndpointMutation(changeRule, {
    onSuccess: (rule) => {
      show(rule)
      close()
    },
  })
  const remove = useEndpointMutation(deleteRule, {
    onSuccess: () => {
      // What was typed stays, as a rule that is not stored.
      typedRules.change('', () => begunFrom(typed.text, null, typed.name, typed.past))
      typedRules.change(id, () => undefined)
      void navigate(paths.rule, { replace: true })
    },
  })
  const close = () => {
    setDialog(null)
    for (const send of [store, rename, remove]) send.reset()
  }
  return (
    <>
      {user === null ? (
        <Button variant="contained" disabled>
          Sign in to save
        </Button>
      ) : !mayChange ? (
        <Button
          variant="contained"
          startIcon={stored === undefined ? <Save size={16} /> : <CopyPlus size={16} />}
          disabled={read.problem !== null}
          onClick={() => setDialog('store')}
        >
          {stored === undefined ? 'Save rule' : 'Copy'}
        </Button>
      ) : (
        <Button
          variant="contained"
          startIcon={<Save size={16} />}
          disabled={read.problem !== null || !isChanged(typed)}
          {...busyButton(save.isPending, () =>
            save.mutate({
              params: { id: stored.id },
              body: { text: typed.text, after: typed.base.version ?? stored.version },
            }),
          )}
        >
          {isChanged(typed) ? `Save version ${stored.version + 1}` : 'Saved'}
        </Button>
      )}
      {mayChange && (
        <MenuSelect<Act | ''>
          label="More with this rule"
          look="more"
          value=""
          choices={CHOICES}
          onChange={(act) => act !== '' && setDialog(act)}
        />
      )}
      {save.isError && !isConflict && (
        <Note tone="down" role="alert">
          {errorInFull(save.error, 'The rule could not be saved.')}
        </Note>
      )}
      {dialog === 'store' && (
        <NamingDialog
          title="Save as a rule"
          label="Save rule"
          start={{
            name: typed.name === NO_NAME ? '' : stored === undefined ? typed.name : `${typed.name.slice(0, 55)} copy`,
            visibility: 'private',
          }}
          send={store}
          onSend={(naming) => store.mutate({ body: { ...naming, text: typed.text } })}
          onClose={close}
        />
      )}
      {dialog === 'change' && stored !== undefined && (
        <NamingDialog
          title="Name and visibility"
          label="Save"
          start={{ name: stored.name, visibility: stored.visibility }}
          send={rename}
          onSend={(naming) => rename.mutate({ params: { id: stored.id }, body: naming })}
          onClose={close}
        />
      )}
      {dialog === 'delete' && stored !== undefined && (
        <ConfirmDialog
          title={`Delete ${stored.name}?`}
          text={`${formatCounted(stored.versions.length, 'version')} will be gone for good. Bots and runs keep the text that they have.`}
          {...confirming(remove, 'Delete rule', 'Delete rule', 'The rule could not be deleted.')}
          onConfirm={() => remove.mutate({ params: { id: stored.id } })}
          onClose={close}
        />
      )}
    </>
  )
}

/** Where another version was saved since this text was begun: what is typed stays, and one chooses. */
export function NewerVersion() {
  const { stored, typed, keep } = useEditor()
  const { base } = typed
  if (stored === undefined || base.version === null || base.version >= stored.version) return null
  const { version, text } = stored
  return (
    <Banner
      kind="warning"
      title={`Version ${version} was saved meanwhile, in another tab or by an admin`}
      action={
        <>
          <Button size="small" onClick={() => keep({ ...typed, base: { version, text } })}>
            Go on with mine
          </Button>{' '}
          <Button size="small" onClick={() => keep(begunFrom(text, version, typed.name, [...typed.past, typed.text]))}>
            Take version {version}
          </Button>
        </>
      }
    >
      Yours was begun from version {base.version} and is still here, not saved. Versions shows what differs; go on with
      yours and it can be saved as version {version + 1}.
    </Banner>
  )
}

type Naming = Pick<StoredRule, 'name' | 'visibility'>

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
  const form = useContractForm(RuleNaming, { start, refusal: error })
  return (
    <FormDialog
      title={title}
      label={label}
      isBusy={isPending}
      onClose={onClose}
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
    </FormDialog>
  )
}
