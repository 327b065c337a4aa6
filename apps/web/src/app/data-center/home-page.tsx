import { bots } from '@shapecast/contracts/bots'
import { firstModel } from '@shapecast/contracts/first-model'
import { models } from '@shapecast/contracts/ml'
import { trainingJobs } from '@shapecast/contracts/trainings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileUp, RefreshCw, Upload } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { FirstModelNote } from '#entities/trainings/first-model-note.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { isSettled, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { DataCard } from '../../features/datasets/data/data-card.tsx'
import { useDataChoice } from '../../features/datasets/data/use-data-choice.ts'
import { DatasetsCard } from '../../features/datasets/saved/datasets-card.tsx'
import { BotsCard } from '../../features/models/bots/bots-card.tsx'
import { IndicatorsCard } from '../../features/models/indicators/indicators-card.tsx'
import { ModelsCard } from '../../features/models/list/models-card.tsx'
import { TrainingCard } from '../../features/training/training-card.tsx'
import css from './home-page.module.css'

const ImportCard = lazy(async () => ({
  default: (await import('../../features/datasets/import/import-card.tsx')).ImportCard,
}))
const FundingCard = lazy(async () => ({
  default: (await import('../../features/datasets/funding/funding-card.tsx')).FundingCard,
}))
const UploadCard = onDemand(async () => (await import('../../features/models/upload/upload-card.tsx')).UploadCard)
const DownloadCard = onDemand(
  async () => (await import('../../features/datasets/download/download-card.tsx')).DownloadCard,
)

/** Loads everything on the page again. */
function RefreshButton() {
  const queryClient = useQueryClient()
  const refresh = useMutation({ mutationFn: () => queryClient.invalidateQueries() })
  return (
    <Button
      variant="text"
      size="small"
      startIcon={<RefreshCw size={14} />}
      {...busyButton(refresh.isPending, () => refresh.mutate())}
      style={{ marginRight: -8 }}
    >
      Refresh Data
    </Button>
  )
}

/** Whether it is known which cards there are, or could not be learnt so far: one that comes later would push the others about. */
function useAreCardsKnown(): boolean {
  const isSignedIn = useUser() !== null
  const trainings = useEndpointQuery(trainingJobs, {}, { enabled: isSignedIn })
  const others = [useEndpointQuery(firstModel, {}), useEndpointQuery(models, {}), useEndpointQuery(bots, {})]
  return others.every(isSettled) && (!isSignedIn || isSettled(trainings))
}

/** Panels that are needed now and then, one at a time. */
const PANELS = [
  { id: 'import', name: 'Import', Icon: FileUp },
  { id: 'upload', name: 'Upload', Icon: Upload },
] as const

/** The Data Center: candles, models, the bots that use them, indicators. */
export function HomePage() {
  const choice = useDataChoice()
  const isManager = useIsManager()
  // An admin's list of trainings has that of the first model.
  const isAdmin = useUser()?.role === 'admin'
  const health = useHealth()
  // Deferred, the cards are drawn in slices: replies are drawn in one piece otherwise.
  const areCardsKnown = useDeferredValue(useAreCardsKnown())
  const [panel, setPanel] = useState<(typeof PANELS)[number]['id'] | null>(null)
  const symbol = choice.coins[0]
  const { timeframe } = choice
  // The same while nothing else is chosen: the cards below are drawn again for what changes only.
  const series = useMemo(() => (symbol === undefined ? null : { symbol, timeframe }), [symbol, timeframe])
  const tickSize = symbol === undefined ? undefined : choice.marketOf(symbol)?.tickSize
  return (
    <div className={layout.pageColumn}>
      <h1 className={layout.visuallyHidden}>Data Center</h1>
      <DataCard
        choice={choice}
        onImport={() => setPanel('import')}
        actions={
          <>
            {PANELS.filter(({ id }) => isManager || id !== 'import').map(({ id, name, Icon }) => (
              <Button
                key={id}
                size="small"
                startIcon={<Icon size={14} />}
                aria-expanded={panel === id}
                onClick={() => setPanel(panel === id ? null : id)}
              >
                {name}
              </Button>
            ))}
            <RefreshButton />
          </>
        }
      />
      {isManager && panel === 'import' && (
        <Suspense>
          <ImportCard />
          <FundingCard key={choice.coins[0]} coin={choice.coins[0] ?? ''} isExchange={health.data?.market === 'live'} />
        </Suspense>
      )}
      {panel === 'upload' && <UploadCard symbols={choice.symbols} symbol={choice.coins[0]} />}
      {areCardsKnown ? (
        <>
          <FirstModelNote isListed={isAdmin} />
          <TrainingCard />
          <div className={`${layout.pageColumn} ${css.sideBySide}`}>
            <div>
              <ModelsCard series={series} tickSize={tickSize} />
            </div>
            <div>
              <BotsCard />
            </div>
          </div>
          <IndicatorsCard
            series={series}
            tickSize={tickSize}
            isWaiting={choice.isLoadingSymbols}
            isUnknown={choice.areSymbolsMissing}
          />
          <DatasetsCard isInPickers={choice.isStart} backToStart={choice.reset} />
          {isManager && health.data?.market === 'live' && <DownloadCard choice={choice} venue={health.data.venue} />}
        </>
      ) : (
        <SkeletonGroup label="Loading the models and bots" height={320} />
      )}
    </div>
  )
}
