import { Divider, IconButton, Menu, MenuItem } from '@mui/material'
import { type BacktestRunSummary, backtestRun, backtestRuns, deleteBacktestRun } from '@shapecast/contracts/backtest'
import { useQueryClient } from '@tanstack/react-query'
import { Download, Ellipsis, Pencil, StickyNote, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { endpointKey, endpointQuery, useEndpointMutation } from '../../../shared/api/use-endpoint.ts'
import { formatDateRange } from '../../../shared/format/time.ts'
import { runName } from '../../../shared/runs/run-name.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx'
import { saveTrades } from '../results/save-trades.ts'
import { runResult, runSetup } from './run-summary.ts'
import { RunTextDialog } from './run-text-dialog.tsx'

/** What can be done with a saved run: rename it, note something, take its trades along, delete it. */
export function RunMenu({ run, onDeleted }: { run: BacktestRunSummary; onDeleted: () => void }) {
  const queryClient = useQueryClient()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'name' | 'note' | 'delete' | null>(null)
  const remove = useEndpointMutation(deleteBacktestRun, {
    onSuccess: async () => {
      setAsking(null)
      onDeleted()
      await queryClient.invalidateQueries({ queryKey: endpointKey(backtestRuns) })
    },
  })
  const ask = (what: typeof asking) => () => {
    setAnchor(null)
    setAsking(what)
  }
  const saveCsv = async () => {
    setAnchor(null)
    saveTrades(await queryClient.fetchQuery(endpointQuery(backtestRun, { params: { id: run._id } })))
  }
  const name = runName(run)
  return (
    <>
      <IconButton
        size="small"
        aria-label={`More for the run ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {run.own === true && (
          <MenuItem onClick={ask('name')}>
            <Pencil />
            Rename
          </MenuItem>
        )}
        {run.own === true && (
          <MenuItem onClick={ask('note')}>
            <StickyNote />
            Edit note
          </MenuItem>
        )}
        <MenuItem onClick={() => void saveCsv()}>
          <Download />
          Trades as CSV
        </MenuItem>
        {run.own === true && <Divider component="li" sx={{ my: '3px !important', borderColor: colors.buttonEdge }} />}
        {run.own === true && (
          <MenuItem onClick={ask('delete')} sx={{ color: colors.down }}>
            <Trash2 />
            Delete run
          </MenuItem>
        )}
      </Menu>
      {(asking === 'name' || asking === 'note') && (
        <RunTextDialog run={run} what={asking} onClose={() => setAsking(null)} />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title="Delete this run?"
          text="Its trades, its curve and its note are deleted. This action cannot be undone."
          subject={`${name} · ${runSetup(run)} · ${formatDateRange(run.startTime, run.endTime)} · ${runResult(run)}`}
          confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
          busy={remove.isPending}
          error={remove.isError ? errorText(remove.error, 'The run could not be deleted.') : undefined}
          onConfirm={() => remove.mutate({ params: { id: run._id } })}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}
