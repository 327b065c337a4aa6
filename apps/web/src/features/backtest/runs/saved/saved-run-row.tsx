import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { runName } from '@shapecast/contracts/run-name'
import { useMutation } from '@tanstack/react-query'
import { Download, Ellipsis, GitCompareArrows, Pencil, StickyNote, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { elsewhere } from '#entities/markets/market-label.ts'
import { judgedWords } from '#entities/runs/run-words.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button, IconButton } from '#kit/ui/button.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import layout from '#kit/ui/layout.module.css'
import { Menu, MenuDivider, MenuItem } from '#kit/ui/menu.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { directionColor, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { saveFile } from '#wire/calls/save-file.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { runResult, runSetup } from '../run-summary.ts'
import { fetchTrades, tradesName } from '../use-saved-runs.ts'
import css from './saved-runs.module.css'

/** One saved run: what was run on what, when, what the part to judge by returned, and the ways on; or a tick alone. */
export function SavedRunRow({
  run,
  isOpen,
  tick,
  onOpen,
  ...menu
}: {
  isOpen: boolean
  /** Given while runs are being chosen to be compared. */
  tick?: { isOn: boolean; disabledReason: string | null; toggle: () => void }
  onOpen: () => void
} & RunMenuProps) {
  const { judged } = run
  const name = runName(run)
  const where = elsewhere(run, useHealth().data?.venue)
  return (
    <Row as="li" gap={1} {...(isOpen && { 'aria-current': 'true' as const })} className={css.run}>
      {tick !== undefined && (
        <Checkbox
          checked={tick.isOn}
          disabled={tick.disabledReason !== null}
          onChange={tick.toggle}
          title={tick.disabledReason ?? undefined}
          aria-label={`Compare ${name}, ${runSetup(run)}`}
          className={css.tick}
        />
      )}
      <div className={layout.grow}>
        <Text weight={500} noWrap title={name}>
          {name}
        </Text>
        {[
          [runSetup(run), where].filter(Boolean).join(' · '),
          formatDateRange(run.startTime, run.endTime),
          runResult(run),
        ].map((line) => (
          <Note breaks tone="text2" key={line} className={css.line}>
            {line}
          </Note>
        ))}
        {run.note && (
          <Note breaks tone="text2" above={0.25} className={`${css.line} ${css.note}`}>
            <StickyNote size={13} aria-label="Note:" style={{ flexShrink: 0, marginTop: 1 }} />
            <span>{run.note}</span>
          </Note>
        )}
      </div>
      <div className={css.result}>
        <Text
          as="div"
          size="small"
          weight={500}
          title={judgedWords(judged)}
          style={{ color: directionColor(directionOf(judged.returnPct)) }}
        >
          {formatChangePct(judged.returnPct)}
        </Text>
        {tick === undefined && run.seenRatio > 0 && run.unseen !== undefined && (
          <Note tone="text2" title="Return of the whole range" className={css.line}>
            {formatChangePct(run.totalReturnPct)} in all
          </Note>
        )}
        {tick === undefined && (
          <Row gap={0.5} above={0.5} style={{ justifyContent: 'flex-end' }}>
            {isOpen ? (
              <Text size="label" style={{ color: colors.accentHi }}>
                opened
              </Text>
            ) : (
              <Button
                size="small"
                onClick={onOpen}
                aria-label={`Open the run ${name}, ${runSetup(run)}`}
                style={{ height: 26, paddingInline: 7 }}
              >
                Open
              </Button>
            )}
            <RunMenu run={run} {...menu} />
          </Row>
        )}
      </div>
    </Row>
  )
}

const RunTextDialog = onDemand(async () => (await import('./run-text-dialog.tsx')).RunTextDialog)

interface RunMenuProps {
  run: BacktestRunSummary
  /** With the run that is open, and why not; undefined where no other one is. */
  comparison?: { disabledReason: string | null; start: () => void }
  onDelete: () => void
}

function RunMenu({ run, comparison, onDelete }: RunMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'name' | 'note' | null>(null)
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
          <>
            <MenuItem onClick={() => setAsking('name')}>
              <Pencil />
              Rename
            </MenuItem>
            <MenuItem onClick={() => setAsking('note')}>
              <StickyNote />
              Edit note
            </MenuItem>
          </>
        )}
        {comparison !== undefined && (
          <MenuItem disabled={comparison.disabledReason !== null} onClick={comparison.start}>
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
        <MenuItem stays onClick={() => save.mutate()} disabled={save.isPending}>
          <Download />
          {save.isError ? 'Not saved, again' : 'Trades as CSV'}
        </MenuItem>
        {run.own === true && (
          <>
            <MenuDivider />
            <MenuItem danger onClick={onDelete}>
              <Trash2 />
              Delete run
            </MenuItem>
          </>
        )}
      </Menu>
      {asking !== null && <RunTextDialog run={run} what={asking} onClose={() => setAsking(null)} />}
    </>
  )
}
