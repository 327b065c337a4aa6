import { lazy, Suspense, useEffect, useState } from 'react'
import { useTimeZone } from '#kit/format/time-zone.ts'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { BacktestMessages } from './backtest-messages.tsx'
import css from './backtest-page.module.css'
import { BacktestStart } from './backtest-start.tsx'
import { useBacktestJob } from './job/use-backtest-job.ts'
import { NextRunButton } from './next-run-button.tsx'
import { ParametersSkeleton } from './parameters/parameters-skeleton.tsx'
import { useParameters } from './parameters/use-parameters.ts'
import { ResultsSkeleton } from './results/results-skeleton.tsx'
import { useOpenedRun } from './results/use-opened-run.ts'
import { useRun } from './results/use-run.ts'
import { SavedRunsCard } from './saved-runs/saved-runs-card.tsx'

const loadParameters = () => import('./parameters-panel.tsx')
const ParametersPanel = lazy(async () => ({ default: (await loadParameters()).ParametersPanel }))
const OpenedRun = lazy(async () => ({ default: (await import('./results/opened-run.tsx')).OpenedRun }))
const ComparePanel = lazy(async () => ({ default: (await import('./compare/compare-panel.tsx')).ComparePanel }))

/** Backtest of a bot or of a model alone: parameters and saved runs at the left, the open run at the right. */
export function BacktestPage() {
  // Its clocks.
  useTimeZone()
  const { runId, compared, open, compare, close } = useOpenedRun()
  const run = useRun(runId)
  const control = useParameters(runId === null ? null : run.data)
  const job = useBacktestJob(open)
  const health = useHealth()
  const { errors, submitCount } = control.form
  const [dismissed, setDismissed] = useState(-1)
  const refusal = dismissed === submitCount ? null : (errors.botId ?? errors.version ?? null)
  const isNarrow = useIsNarrow()
  useEffect(() => void loadParameters().catch(() => undefined), [])
  const shownBeside = compared === null ? runId : 'other runs'
  const formWaiting = <ParametersSkeleton isFolded={shownBeside !== null && (isNarrow || compared !== null)} />
  const market = control.marketList.data?.find((one) => one.id === run.data?.symbol)
  const isOfJob = run.data !== undefined && job.job?.runId === run.data._id
  const tookMs = isOfJob ? Math.max(0, run.data.params.createdAt - job.job.createdAt) : null
  return (
    <div className={compared === null ? css.page : `${css.page} ${css.comparing}`}>
      <div className={css.parameters}>
        {control.isKnown ? (
          <Suspense fallback={formWaiting}>
            <ParametersPanel
              control={control}
              job={job}
              tookMs={tookMs}
              openedRunId={run.data?._id ?? null}
              shownBeside={shownBeside}
              isComparing={compared !== null}
              onReset={() => {
                control.form.reset()
                close()
              }}
            />
          </Suspense>
        ) : (
          formWaiting
        )}
      </div>
      <div className={css.result}>
        <BacktestMessages
          job={job}
          bots={control.botList}
          refusal={refusal}
          onDismissRefusal={() => setDismissed(submitCount)}
        />
        {compared !== null ? (
          <Suspense fallback={<ResultsSkeleton />}>
            <ComparePanel runIds={compared} onClear={() => compare(null)} />
          </Suspense>
        ) : runId === null ? (
          <BacktestStart control={control} market={health.data?.market} />
        ) : (
          <Suspense fallback={<ResultsSkeleton />}>
            <OpenedRun
              run={run}
              market={market}
              health={health.data}
              onClose={close}
              nextStepOf={(shown) => <NextRunButton run={shown} control={control} job={job} />}
            />
          </Suspense>
        )}
      </div>
      <div className={css.saved}>
        <SavedRunsCard
          openRunId={runId}
          compared={compared}
          onOpen={open}
          onCompare={compare}
          onDeleted={(deleted) => {
            if (deleted === runId) close()
            if (compared?.includes(deleted)) compare(compared.filter((id) => id !== deleted))
          }}
        />
      </div>
    </div>
  )
}
