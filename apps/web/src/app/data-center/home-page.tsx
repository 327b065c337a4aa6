import { Button } from '@mui/material'
import { bots } from '@shapecast/contracts/bots'
import { firstModel } from '@shapecast/contracts/first-model'
import { models } from '@shapecast/contracts/ml'
import { trainingJobs } from '@shapecast/contracts/trainings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileUp, RefreshCw, Upload } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { FirstModelNote } from '#entities/trainings/first-model-note.tsx'
import { busyPress } from '#kit/ui/busy-press.ts'
import layout from '#kit/ui/layout.module.css'
import { useTurns } from '#kit/ui/use-turns.ts'
import { isTold } from '#wire/calls/is-told.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
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
const UploadCard = lazy(async () => ({
  default: (await import('../../features/models/upload/upload-card.tsx')).UploadCard,
}))
const DownloadCard = lazy(async () => ({
  default: (await import('../../features/datasets/download/download-card.tsx')).DownloadCard,
}))

/** Loads everything on the page anew. */
function RefreshButton() {
  const queryClient = useQueryClient()
  const refresh = useMutation({ mutationFn: () => queryClient.invalidateQueries() })
  return (
    <Button
      variant="text"
      size="small"
      startIcon={<RefreshCw size={14} />}
      {...busyPress(refresh.isPending, () => refresh.mutate())}
      style={{ marginRight: -8 }}
    >
      Refresh Data
    </Button>
  )
}

/** Until it is known what stands above it, a card would be pushed about: it has its place, but is not seen. */
const seenIf = (isPlaceKnown: boolean) => (isPlaceKnown ? {} : { visibility: 'hidden' as const })

/** Whether the lists are there, or could not be read so far: of the models, and all that push about what is below them. */
function useKnownPlaces() {
  const isSignedIn = useUser() !== null
  const isFirstTold = isTold(useEndpointQuery(firstModel, {}))
  const isModelTold = isTold(useEndpointQuery(models, {}))
  const areTrainingsTold = isTold(useEndpointQuery(trainingJobs, {}, { enabled: isSignedIn })) || !isSignedIn
  const areBotsTold = isTold(useEndpointQuery(bots, {}))
  const isTopKnown = isFirstTold && isModelTold
  const isRestKnown = isTopKnown && areTrainingsTold && areBotsTold
  // What has come is drawn before what stands below it is seen.
  return { isTopKnown: useTurns(2, isTopKnown) === 2, isRestKnown: useTurns(2, isRestKnown) === 2 }
}

type Panel = 'import' | 'upload'

/** Opens and closes one of the panels that are needed now and then. */
const PanelButton = ({
  name,
  icon,
  isOpen,
  onToggle,
}: {
  name: string
  icon: ReactNode
  isOpen: boolean
  onToggle: () => void
}) => (
  <Button size="small" startIcon={icon} aria-expanded={isOpen} onClick={onToggle}>
    {name}
  </Button>
)

/** The Data Center: candles, models, the bots that use them, indicators. */
export function HomePage() {
  const choice = useDataChoice()
  const isManager = useIsManager()
  // An admin's list of trainings has that of the first model.
  const isAdmin = useUser()?.role === 'admin'
  const health = useHealth()
  const { isTopKnown, isRestKnown } = useKnownPlaces()
  const turn = useTurns(4)
  const [panel, setPanel] = useState<Panel | null>(null)
  const toggle = (next: Panel) => setPanel((before) => (before === next ? null : next))
  const symbol = choice.coins[0]
  const { timeframe } = choice
  // The same while nothing else is chosen: the cards below are drawn anew for what changes only.
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
            {isManager && (
              <PanelButton
                name="Import"
                icon={<FileUp size={14} />}
                isOpen={panel === 'import'}
                onToggle={() => toggle('import')}
              />
            )}
            <PanelButton
              name="Upload"
              icon={<Upload size={14} />}
              isOpen={panel === 'upload'}
              onToggle={() => toggle('upload')}
            />
            <RefreshButton />
          </>
        }
      />
      {isManager && panel === 'import' && (
        <Suspense>
          <ImportCard />
        </Suspense>
      )}
      {panel === 'upload' && (
        <Suspense>
          <UploadCard symbols={choice.symbols} symbol={choice.coins[0]} />
        </Suspense>
      )}
      <FirstModelNote isListed={isAdmin} />
      <div className={layout.unlessEmpty} style={seenIf(isTopKnown)}>
        <TrainingCard />
      </div>
      <div className={`${layout.pageColumn} ${css.sideBySide}`} style={seenIf(isRestKnown)}>
        <div>{turn >= 2 && <ModelsCard series={series} tickSize={tickSize} />}</div>
        <div>{turn >= 3 && <BotsCard />}</div>
      </div>
      {turn >= 4 && (
        <div className={layout.pageColumn} style={seenIf(isRestKnown)}>
          <IndicatorsCard
            series={series}
            tickSize={tickSize}
            isWaiting={choice.isLoadingSymbols}
            isUnknown={choice.areSymbolsMissing}
          />
          <DatasetsCard isInPickers={choice.isStart} backToStart={choice.reset} />
          {isManager && health.data?.market === 'live' && (
            <Suspense>
              <DownloadCard choice={choice} venue={health.data.venue} />
            </Suspense>
          )}
        </div>
      )}
    </div>
  )
}
