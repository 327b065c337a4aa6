import { type Alert, alerts, changeAlert, deleteAlert, restoreAlert } from '@shapecast/contracts/alerts'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatCounted } from '#kit/format/number.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/primitives.tsx'
import { SettingRow, Switch } from '#kit/ui/setting-row.tsx'
import { Snackbar } from '#kit/ui/snackbar.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { AlertDialog } from './alert-dialog.tsx'

const UNDO_MS = 10_000
const NEW = 'new'

/** The alert that the address opens: `?edit=ID`, or `?edit=new`. */
function useEdited() {
  const [search, setSearch] = useSearchParams()
  const edit = (id: string | null) =>
    setSearch((now) => {
      if (id === null) now.delete('edit')
      else now.set('edit', id)
      return now
    })
  return { edited: search.get('edit'), edit }
}

interface AlertRowProps {
  alert: Alert
  onEdit: () => void
  onDeleted: () => void
}

function AlertRow({ alert, onEdit, onDeleted }: AlertRowProps) {
  const { id, about, note, isOn, rangAt, timesRung, restMinutes } = alert
  const change = useEndpointMutation(changeAlert)
  const remove = useEndpointMutation(deleteAlert, { onSuccess: onDeleted })
  return (
    <>
      <SettingRow
        title={about}
        action={
          <Row gap={1}>
            <Switch
              checked={isOn}
              aria-label={`Watch: ${about}`}
              {...busyButton(change.isPending)}
              onChange={(next) => change.mutate({ params: { id }, body: { isOn: next } })}
            />
            <Button size="small" variant="text" aria-label={`Change ${about}`} onClick={onEdit}>
              Change
            </Button>
            <Button
              size="small"
              variant="text"
              aria-label={`Delete ${about}`}
              {...busyButton(remove.isPending, () => remove.mutate({ params: { id } }))}
            >
              Delete
            </Button>
          </Row>
        }
      >
        {note !== '' && <div>{note}</div>}
        <div>
          {isOn ? '' : 'Paused. '}
          {rangAt === null ? (
            'Has not rung yet'
          ) : (
            <>
              Rang {formatCounted(timesRung, 'time')}, last <Ago ms={rangAt} />
            </>
          )}
          , rests {restMinutes} min after it
        </div>
      </SettingRow>
      <FailedChange change={change.isError ? change : remove} text="The alert was not changed." />
    </>
  )
}

/** A person's alerts; which one is edited stands in the address. */
export function AlertsPage() {
  const reply = useEndpointQuery(alerts, {})
  const { edited, edit } = useEdited()
  const [deleted, setDeleted] = useState<Alert | null>(null)
  const restore = useEndpointMutation(restoreAlert, { onSuccess: () => setDeleted(null) })
  const all = reply.data
  const found = all?.find(({ id }) => id === edited) ?? null
  return (
    <div className={layout.formColumn}>
      <Card
        title="Alerts"
        facts={all?.length}
        flush
        actions={
          <Button size="small" startIcon={<Plus />} onClick={() => edit(NEW)}>
            New alert
          </Button>
        }
      >
        <FailedChange change={restore} text="The alert was not restored." />
        <QueryBoundary reply={reply} of="the alerts" px={44} rows={3} inset />
        {all?.length === 0 && (
          <EmptyLine>No alerts yet. One rings when a price, a condition or a silence passes its level.</EmptyLine>
        )}
        {all?.map((alert) => (
          <AlertRow key={alert.id} alert={alert} onEdit={() => edit(alert.id)} onDeleted={() => setDeleted(alert)} />
        ))}
      </Card>
      {(edited === NEW || found !== null) && <AlertDialog key={edited} alert={found} onClose={() => edit(null)} />}
      {deleted !== null && (
        <Snackbar
          durationMs={UNDO_MS}
          onClose={() => setDeleted(null)}
          action={
            <Button variant="text" size="small" onClick={() => restore.mutate({ params: { id: deleted.id } })}>
              Undo
            </Button>
          }
        >
          Deleted: {deleted.about}
        </Snackbar>
      )}
    </div>
  )
}
