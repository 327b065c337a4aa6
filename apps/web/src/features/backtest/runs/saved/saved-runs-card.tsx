import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { MOST_COMPARED_RUNS, whyNotComparable } from '@shapecast/contracts/run-comparison'
import { runName } from '@shapecast/contracts/run-name'
import { GitCompareArrows, RefreshCw } from 'lucide-react'
import { Button, useFirstRows } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Note } from '#kit/ui/primitives.tsx'
import { Snackbar } from '#kit/ui/snackbar.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { errorText } from '#wire/calls/error-text.ts'
import { useBacktest } from '../../run/use-backtest.ts'
import { useDeletedRun, useSavedRuns } from '../use-saved-runs.ts'
import { SavedRunRow } from './saved-run-row.tsx'

const UNDO_MS = 10_000
const FIRST_ON_PHONES = 3
const ROWS_WHILE_LOADING = ['a', 'b', 'c']

/** The newest saved runs, each a press away. */
export function SavedRunsCard() {
  const { runId: openRunId, compared, open, compare, close } = useBacktest()
  const { runs, refresh } = useSavedRuns()
  const deleted = useDeletedRun()
  const all = runs.data?.filter(({ _id }) => !deleted.isGone(_id)) ?? []
  // Below an open run the list is what is read last.
  const isLast = useIsNarrow() && openRunId !== null
  const { shown, foot } = useFirstRows(all, isLast ? FIRST_ON_PHONES : all.length)
  return (
    <Card
      title="Saved Runs"
      flush
      actions={
        <>
          {(runs.data?.length ?? 0) > 1 && (
            <Button
              variant={compared === null ? 'text' : 'secondary'}
              size="small"
              startIcon={<GitCompareArrows size={14} />}
              aria-pressed={compared !== null}
              onClick={() => compare(compared === null ? (openRunId === null ? [] : [openRunId]) : null)}
            >
              Compare
            </Button>
          )}
          <Button
            variant="text"
            size="small"
            startIcon={<RefreshCw size={14} />}
            disabled={runs.isFetching}
            onClick={refresh}
            style={{ marginRight: -8 }}
          >
            Refresh
          </Button>
        </>
      }
    >
      {deleted.error !== null && <EmptyLine>{errorText(deleted.error, 'The run could not be deleted.')}</EmptyLine>}
      {all.length > 0 && (
        <ul aria-label="Saved runs" className={layout.list}>
          {shown.map((run) => (
            <SavedRunRow
              key={run._id}
              run={run}
              isOpen={run._id === openRunId}
              {...(openRunId !== null &&
                run._id !== openRunId && {
                  comparison: {
                    disabledReason: compareDisabledReason(run, all, [openRunId], 'the opened one'),
                    start: () => compare([openRunId, run._id]),
                  },
                })}
              onOpen={() => open(run._id)}
              onDelete={() => {
                deleted.delete(run)
                if (run._id === openRunId) close()
                if (compared?.includes(run._id)) compare(compared.filter((id) => id !== run._id))
              }}
              {...(compared !== null && {
                tick: {
                  isOn: compared.includes(run._id),
                  disabledReason: compareDisabledReason(run, all, compared),
                  toggle: () => compare(toggled(compared, run._id)),
                },
              })}
            />
          ))}
        </ul>
      )}
      {foot}
      {compared !== null && (
        <Note as="p" className={layout.listRow} style={{ borderTop: '1px solid var(--divider)' }}>
          Tick two to five runs of one market and range. They are ranked by the return of the unseen part.
        </Note>
      )}
      {runs.data !== undefined && all.length === 0 && <EmptyLine>No saved runs</EmptyLine>}
      {runs.isPending && (
        <SkeletonGroup label="Loading saved runs">
          <Column gap={2} className={layout.inset}>
            {ROWS_WHILE_LOADING.map((row) => (
              <Column gap={0.75} key={row}>
                <SkeletonBox width="60%" />
                <SkeletonBox width="80%" height={12} />
              </Column>
            ))}
          </Column>
        </SkeletonGroup>
      )}
      {runs.isError && runs.data === undefined && (
        <EmptyLine>
          {errorText(runs.error, 'The saved runs could not be loaded.')} Press Refresh to try again.
        </EmptyLine>
      )}
      {deleted.run !== null && (
        <Snackbar
          durationMs={UNDO_MS}
          onClose={deleted.end}
          action={
            <Button variant="text" size="small" onClick={deleted.undo}>
              Undo
            </Button>
          }
        >
          Deleted: {runName(deleted.run)}
        </Snackbar>
      )}
    </Card>
  )
}

type Comparable = Pick<BacktestRunSummary, '_id' | 'venue' | 'symbol' | 'timeframe' | 'startTime' | 'endTime'>

const WHY = { other_market: 'Another market or timeframe than', other_range: 'Another range than' } as const

/** Why a run cannot be compared with those that are ticked; null where it can. */
export function compareDisabledReason(
  run: Comparable,
  all: readonly Comparable[] | undefined,
  ticked: readonly string[],
  firstName = 'the first one',
): string | null {
  if (ticked.includes(run._id)) return null
  if (ticked.length >= MOST_COMPARED_RUNS) return `At most ${MOST_COMPARED_RUNS} runs are compared`
  const first = all?.find(({ _id }) => _id === ticked[0])
  if (first === undefined) return null
  const why = whyNotComparable(run, first)
  return why === null ? null : `${WHY[why]} ${firstName}`
}

export const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]
