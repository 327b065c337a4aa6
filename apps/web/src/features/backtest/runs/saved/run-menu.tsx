import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { runName } from '@shapecast/contracts/run-name'
import { useMutation } from '@tanstack/react-query'
import { Download, Ellipsis, GitCompareArrows, Pencil, StickyNote, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '#kit/ui/button.tsx'
import { Menu, MenuDivider, MenuItem } from '#kit/ui/menu.tsx'
import { Text } from '#kit/ui/text.tsx'
import { saveFile } from '#wire/calls/save-file.ts'
import { fetchTrades, tradesName } from '../save-trades.ts'

const RunTextDialog = lazy(async () => ({ default: (await import('./run-text-dialog.tsx')).RunTextDialog }))

export interface RunComparison {
  readonly disabledReason: string | null
  readonly start: () => void
}

/** What can be done with a saved run: rename it, note something, compare it, take its trades along, delete it. */
export function RunMenu({
  run,
  comparison,
  onDelete,
}: {
  run: BacktestRunSummary
  /** With the run that is open, and why not; undefined where no other one is. */
  comparison: RunComparison | undefined
  onDelete: () => void
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'name' | 'note' | null>(null)
  const ask = (what: typeof asking) => () => {
    setAnchor(null)
    setAsking(what)
  }
  const save = useMutation({
    mutationFn: () => fetchTrades(run._id),
    onSuccess: (file) => {
      setAnchor(null)
      saveFile(file, tradesName(run._id))
    },
  })
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
      <Menu anchor={anchor} onClose={() => setAnchor(null)}>
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
        {comparison !== undefined && (
          <MenuItem
            disabled={comparison.disabledReason !== null}
            onClick={() => {
              setAnchor(null)
              comparison.start()
            }}
          >
            <GitCompareArrows />
            <span>
              Compare with the opened run
              {comparison.disabledReason !== null && (
                <Text as="span" size="label" weight={400} style={{ display: 'block' }}>
                  {comparison.disabledReason}
                </Text>
              )}
            </span>
          </MenuItem>
        )}
        <MenuItem onClick={() => save.mutate()} disabled={save.isPending}>
          <Download />
          {save.isError ? 'Not saved, again' : 'Trades as CSV'}
        </MenuItem>
        {run.own === true && <MenuDivider />}
        {run.own === true && (
          <MenuItem
            danger
            onClick={() => {
              setAnchor(null)
              onDelete()
            }}
          >
            <Trash2 />
            Delete run
          </MenuItem>
        )}
      </Menu>
      {asking !== null && (
        <Suspense>
          <RunTextDialog run={run} what={asking} onClose={() => setAsking(null)} />
        </Suspense>
      )}
    </>
  )
}
