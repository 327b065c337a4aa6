import { Box, Button } from '@mui/material'
import { RefreshCw } from 'lucide-react'
import { errorText } from '../../../shared/api/error-text.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { EmptyLine } from '../../../shared/ui/empty-state.tsx'
import { SkeletonBox, SkeletonGroup } from '../../../shared/ui/skeleton.tsx'
import { SavedRunRow } from './saved-run-row.tsx'
import { useSavedRuns } from './use-saved-runs.ts'

const ROWS_WHILE_LOADING = ['a', 'b', 'c']

/** The newest saved runs, each a press away. */
export function SavedRunsCard({
  openRunId,
  nowMs,
  onOpen,
}: {
  openRunId: string | null
  nowMs: number
  onOpen: (runId: string) => void
}) {
  const { runs, refresh } = useSavedRuns()
  return (
    <Card
      title="Saved Runs"
      flush
      actions={
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
      }
    >
      {runs.data !== undefined && runs.data.length > 0 && (
        <Box component="ul" aria-label="Saved runs" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {runs.data.map((run) => (
            <SavedRunRow
              key={run._id}
              run={run}
              isOpen={run._id === openRunId}
              nowMs={nowMs}
              onOpen={() => onOpen(run._id)}
            />
          ))}
        </Box>
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
