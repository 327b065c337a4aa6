import { Box } from '@mui/material'
import { useEffect, useState } from 'react'
import { useHealth } from '../../shared/api/use-health.ts'
import { BacktestMessages } from './backtest-messages.tsx'
import { BacktestStart } from './backtest-start.tsx'
import { ComparePanel } from './compare/compare-panel.tsx'
import { useBacktestJob } from './job/use-backtest-job.ts'
import { parametersOfRun } from './parameters/of-run.ts'
import { INITIAL_PARAMETERS } from './parameters/parameters.ts'
import { ParametersPanel } from './parameters/parameters-panel.tsx'
import { useParameters } from './parameters/use-parameters.ts'
import { OpenedRun } from './results/opened-run.tsx'
import { useOpenedRun } from './results/use-opened-run.ts'
import { useRun } from './results/use-run.ts'
import { SavedRunsCard } from './saved-runs/saved-runs-card.tsx'

const gap = { xs: 1.5, md: 2 } as const

/** One column on narrow screens, an opened run before the form; two from md on. */
const layoutOf = (isRunOpen: boolean) => ({
  display: 'grid',
  gap,
  alignItems: 'start',
  gridTemplateAreas: {
    xs: isRunOpen ? '"result" "parameters" "saved"' : '"parameters" "result" "saved"',
    md: '"parameters result" "saved result"',
  },
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '320px minmax(0, 1fr)' },
  gridTemplateRows: { md: 'auto 1fr' },
})

/** Backtest of a bot or of a model alone: parameters and saved runs at the left, the open run at the right. */
export function BacktestPage() {
  const { runId, compared, open, compare, close } = useOpenedRun()
  const control = useParameters()
  const job = useBacktestJob(open)
  const health = useHealth()
  const run = useRun(runId)
  const [refusal, setRefusal] = useState<string | null>(null)
  const market = control.marketList.data?.find((one) => one.id === run.data?.symbol)
  const { fill } = control
  const opened = run.data
  useEffect(() => {
    if (opened !== undefined) fill(parametersOfRun(opened))
  }, [opened, fill])
  const isOfJob = run.data !== undefined && job.job?.runId === run.data._id
  const tookMs = isOfJob ? Math.max(0, run.data.params.createdAt - job.job.createdAt) : null
  return (
    <Box sx={layoutOf(runId !== null || compared !== null)}>
      <Box sx={{ gridArea: 'parameters' }}>
        <ParametersPanel
          control={control}
          job={job}
          tookMs={tookMs}
          openedRunId={run.data?._id ?? null}
          onReset={() => {
            fill(INITIAL_PARAMETERS)
            close()
          }}
          onRefused={setRefusal}
        />
      </Box>
      <Box sx={{ gridArea: 'result', display: 'grid', gap, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <BacktestMessages
          job={job}
          bots={control.botList}
          refusal={refusal}
          onDismissRefusal={() => setRefusal(null)}
        />
        {compared !== null ? (
          <ComparePanel runIds={compared} onClear={() => compare(null)} />
        ) : runId === null ? (
          <BacktestStart control={control} market={health.data?.market} />
        ) : (
          <OpenedRun run={run} market={market} health={health.data} onClose={close} />
        )}
      </Box>
      <Box sx={{ gridArea: 'saved' }}>
        <SavedRunsCard
          openRunId={runId}
          compared={compared}
          onOpen={open}
          onCompare={compare}
          onDeleted={(deleted) => {
            if (deleted === runId) close()
          }}
        />
      </Box>
    </Box>
  )
}
