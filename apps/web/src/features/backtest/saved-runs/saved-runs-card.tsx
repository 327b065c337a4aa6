import { Box, Button, Typography } from '@mui/material'
import { GitCompareArrows, RefreshCw } from 'lucide-react'
import { errorText } from '../../../shared/api/error-text.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { EmptyLine } from '../../../shared/ui/empty-state.tsx'
import { SkeletonBox, SkeletonGroup } from '../../../shared/ui/skeleton.tsx'
import { toggled, whyNotCompared } from '../compare/comparable-runs.ts'
import { SavedRunRow } from './saved-run-row.tsx'
import { useSavedRuns } from './use-saved-runs.ts'

const ROWS_WHILE_LOADING = ['a', 'b', 'c']

/** The newest saved runs, each a press away. */
export function SavedRunsCard({
  openRunId,
  compared,
  onOpen,
  onCompare,
  onDeleted,
}: {
  openRunId: string | null
  /** Runs that are ticked; null where nothing is being compared. */
  compared: readonly string[] | null
  onOpen: (runId: string) => void
  onCompare: (runIds: readonly string[] | null) => void
  onDeleted: (runId: string) => void
}) {
  const { runs, refresh } = useSavedRuns()
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
              onClick={() => onCompare(compared === null ? (openRunId === null ? [] : [openRunId]) : null)}
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
            sx={{ mr: -1, '& .MuiButton-startIcon': { mr: 0.75 } }}
          >
            Refresh
          </Button>
        </>
      }
    >
      {runs.data !== undefined && runs.data.length > 0 && (
        <Box component="ul" aria-label="Saved runs" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {runs.data.map((run) => (
            <SavedRunRow
              key={run._id}
              run={run}
              isOpen={run._id === openRunId}
              onOpen={() => onOpen(run._id)}
              onDeleted={() => onDeleted(run._id)}
              {...(compared !== null && {
                tick: {
                  isOn: compared.includes(run._id),
                  whyNot: whyNotCompared(run, runs.data, compared),
                  toggle: () => onCompare(toggled(compared, run._id)),
                },
              })}
            />
          ))}
        </Box>
      )}
      {compared !== null && (
        <Typography variant="label" component="p" sx={noteStyle}>
          Tick two to five runs of one market and range. They are ranked by the return of the unseen part.
        </Typography>
      )}
      {runs.data?.length === 0 && <EmptyLine>No saved runs</EmptyLine>}
      {runs.isPending && (
        <SkeletonGroup label="Loading saved runs">
          <Box sx={{ p: 2, display: 'grid', gap: 2 }}>
            {ROWS_WHILE_LOADING.map((row) => (
              <Box key={row} sx={{ display: 'grid', gap: 0.75 }}>
                <SkeletonBox width="60%" />
                <SkeletonBox width="80%" height={12} />
              </Box>
            ))}
          </Box>
        </SkeletonGroup>
      )}
      {runs.isError && runs.data === undefined && (
        <EmptyLine>
          {errorText(runs.error, 'The saved runs could not be loaded.')} Press Refresh to try again.
        </EmptyLine>
      )}
    </Card>
  )
}

const noteStyle = {
  m: 0,
  px: 2,
  py: 1.25,
  fontWeight: 400,
  color: colors.text3,
  borderTop: `1px solid ${colors.divider}`,
} as const
