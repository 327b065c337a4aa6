import type { BacktestRun } from '@shapecast/contracts/backtest'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTimeZone } from '#kit/format/time-zone.ts'
import { Button } from '#kit/ui/button.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import css from './backtest-page.module.css'
import { BacktestStart } from './backtest-start.tsx'
import { BacktestMessages } from './run/backtest-messages.tsx'
import { type Settled, settle } from './run/backtest-request.ts'
import { nextRun, type Parameters } from './run/parameters.ts'
import { useSizeWorth } from './run/size-note.tsx'
import { ParametersSkeleton, ResultsSkeleton } from './run/skeletons.tsx'
import { useBacktestJob } from './run/use-backtest-job.ts'
import { useChoices } from './run/use-choices.ts'
import { useParameters, useParametersOfRun } from './run/use-parameters.ts'
import { SavedRunsCard } from './runs/saved/saved-runs-card.tsx'
import { useOpenedRun, useRun } from './runs/use-opened-run.ts'

/** Runs in one press what tells more than the opened run does, and leaves it in the fields. */
function NextRunButton({
  run,
  test: { parameters, unseen },
  isBusy,
  onRun,
}: {
  run: BacktestRun
  test: Settled
  isBusy: boolean
  onRun: (change: Partial<Parameters>) => void
}) {
  const size = useSizeWorth(parameters)
  const mayRun = useIsManager()
  const next = nextRun(run, unseen !== null, parameters.mode === 'model' ? size.found : null)
  if (next === null || !mayRun) return null
  return (
    <Button size="small" disabled={isBusy} onClick={() => onRun(next.change)}>
      {next.words}
    </Button>
  )
}

const loadParameters = () => import('./run/parameters-panel.tsx')
const ParametersPanel = lazy(async () => ({ default: (await loadParameters()).ParametersPanel }))
const OpenedRun = lazy(async () => ({ default: (await import('./runs/open/opened-run.tsx')).OpenedRun }))
const ComparePanel = lazy(async () => ({ default: (await import('./runs/compare/compare-panel.tsx')).ComparePanel }))

/** Backtest of a bot or of a model alone: parameters and saved runs at the left, the open run at the right. */
export function BacktestPage() {
  // Its clocks.
  useTimeZone()
  useEffect(() => void loadParameters().catch(() => undefined), [])
  const { runId, compared, open, compare, close } = useOpenedRun()
  const run = useRun(runId)
  const choices = useChoices()
  const form = useParameters(choices)
  const job = useBacktestJob(open)
  useParametersOfRun(form, runId === null ? null : run.data, job.job?.runId)
  const test = settle(form.values, choices)
  const start = form.submit((request) => {
    form.change({ state: 'sent' })
    job.start({ request, symbol: test.symbol! })
  })

  // On a phone, and beside runs that are compared, the form is folded until it is unfolded there.
  const isNarrow = useIsNarrow()
  const beside = compared === null ? runId : 'other runs'
  const [unfoldedBeside, setUnfoldedBeside] = useState<string | null>(null)
  const isFolded = beside !== null && (isNarrow || compared !== null) && unfoldedBeside !== beside
  const unfold = () => setUnfoldedBeside(beside)
  const formWaiting = <ParametersSkeleton isFolded={isFolded} />

  return (
    <div className={compared === null ? css.page : `${css.page} ${css.comparing}`}>
      <div className={css.parameters}>
        {choices.isKnown ? (
          <Suspense fallback={formWaiting}>
            <ParametersPanel
              form={form}
              test={test}
              choices={choices}
              job={job}
              opened={run.data}
              folded={isFolded ? { withRun: compared === null, unfold } : null}
              onRun={() => {
                if (Object.keys(form.wrong).length > 0) unfold()
                void start()
              }}
              onReset={() => {
                form.reset()
                close()
              }}
            />
          </Suspense>
        ) : (
          formWaiting
        )}
      </div>
      <div className={css.result}>
        <BacktestMessages form={form} choices={choices} job={job} />
        {compared !== null ? (
          <Suspense fallback={<ResultsSkeleton />}>
            <ComparePanel runIds={compared} onClear={() => compare(null)} />
          </Suspense>
        ) : runId === null ? (
          <BacktestStart choices={choices} />
        ) : (
          <Suspense fallback={<ResultsSkeleton />}>
            <OpenedRun
              run={run}
              onClose={close}
              nextStep={
                run.data !== undefined && (
                  <NextRunButton
                    run={run.data}
                    test={test}
                    isBusy={job.isStarting || job.isRunning}
                    onRun={(change) => {
                      form.change(change)
                      void start()
                    }}
                  />
                )
              }
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
