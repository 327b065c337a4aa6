import { Box, Button, OutlinedInput, Typography } from '@mui/material'
import { type AuditRecord, auditLog } from '@shapecast/contracts/users'
import { useState } from 'react'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { formatTableTimeYear } from '../../shared/format/time.ts'
import { Card } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { FailureNote } from '../../shared/ui/failure-note.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'

const A_PAGE = 50

const valuesOf = ({ before, after }: AuditRecord): string =>
  [before, after].map((value) => (value === null || value === undefined ? '' : JSON.stringify(value))).join(' → ')

/** What was done by whom. For admins. */
export function AuditPage() {
  const [action, setAction] = useState('')
  const [subject, setSubject] = useState('')
  const [before, setBefore] = useState<readonly string[]>([])
  const last = before.at(-1)
  const query = { action, subject, limit: A_PAGE, ...(last !== undefined && { before: last }) }
  const reply = useEndpointQuery(auditLog, { query }, { placeholderData: (old) => old })
  const entries = reply.data?.entries
  const filter = (label: string, value: string, onChange: (next: string) => void) => (
    <OutlinedInput
      size="small"
      value={value}
      placeholder={label}
      inputProps={{ 'aria-label': label }}
      onChange={(event) => {
        onChange(event.target.value)
        setBefore([])
      }}
    />
  )
  return (
    <Card
      title="Audit"
      facts="times in UTC"
      flush
      actions={
        <>
          {filter('Action, such as user.', action, setAction)}
          {filter('Id of the subject', subject, setSubject)}
        </>
      }
    >
      {reply.isPending && <ListSkeleton label="Loading the audit" rowHeightPx={36} rows={6} />}
      <FailureNote reply={reply} title="The audit could not be loaded" inset />
      {entries?.length === 0 && <EmptyLine>Nothing fits</EmptyLine>}
      {entries !== undefined && entries.length > 0 && (
        <DataTable
          label="Audit"
          rows={entries}
          rowKey={({ id }) => id}
          rowName={(entry) => entry.action}
          columns={[
            { id: 'at', head: 'Time', keep: true, cell: (entry) => formatTableTimeYear(entry.at) },
            {
              id: 'actor',
              head: 'Who',
              keep: true,
              cell: (entry) => (entry.actor === null ? 'system' : (entry.actor.username ?? 'deleted account')),
            },
            { id: 'action', head: 'What', keep: true, cell: (entry) => entry.action },
            { id: 'subject', head: 'Subject', quiet: true, cell: ({ subject: { type, id } }) => `${type} ${id}` },
            { id: 'address', head: 'From', quiet: true, cell: (entry) => entry.address ?? '—' },
            {
              id: 'values',
              head: 'Before → after',
              quiet: true,
              cell: (entry) => (
                <Typography variant="small" component="span" title={valuesOf(entry)} sx={valuesStyle}>
                  {valuesOf(entry)}
                </Typography>
              ),
            },
          ]}
        />
      )}
      <Box sx={{ display: 'flex', gap: 1, p: 1 }}>
        {before.length > 0 && (
          <Button variant="text" size="small" onClick={() => setBefore(before.slice(0, -1))}>
            Newer
          </Button>
        )}
        {reply.data?.hasMore && (
          <Button variant="text" size="small" onClick={() => setBefore([...before, entries!.at(-1)!.id])}>
            Older
          </Button>
        )}
      </Box>
    </Card>
  )
}

const valuesStyle = {
  display: 'inline-block',
  maxWidth: 360,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
} as const
