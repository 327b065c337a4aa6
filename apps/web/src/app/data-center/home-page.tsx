import { Box, Button } from '@mui/material'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { DataCard } from '../../features/datasets/data/data-card.tsx'
import { IMPORT_ID } from '../../features/datasets/data/no-candles-note.tsx'
import { useDataChoice } from '../../features/datasets/data/use-data-choice.ts'
import { DownloadCard } from '../../features/datasets/download/download-card.tsx'
import { ImportCard } from '../../features/datasets/import/import-card.tsx'
import { DatasetsCard } from '../../features/datasets/saved/datasets-card.tsx'
import { BotsCard } from '../../features/models/bots/bots-card.tsx'
import { IndicatorsCard } from '../../features/models/indicators/indicators-card.tsx'
import { ModelsCard } from '../../features/models/list/models-card.tsx'
import { UploadCard } from '../../features/models/upload/upload-card.tsx'
import { TrainingCard } from '../../features/training/training-card.tsx'
import { useHealth } from '../../shared/api/use-health.ts'
import { useIsManager, useUser } from '../../shared/auth/auth-context.ts'
import { FirstModelNote } from '../../shared/trainings/first-model-note.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { visuallyHidden } from '../../shared/ui/visually-hidden.ts'

const gap = { xs: 1.5, md: 2 } as const
const column = { display: 'grid', gap, gridTemplateColumns: 'minmax(0, 1fr)' } as const
const sideBySide = {
  display: 'grid',
  gap,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1.39fr) minmax(0, 1fr)' },
  '& > div': { containerType: 'inline-size', minWidth: 0 },
  '& > div > section': { height: '100%' },
} as const

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
      sx={{ mr: -1 }}
    >
      Refresh Data
    </Button>
  )
}

/** The Data Center: candles, models, the bots that use them, indicators. */
export function HomePage() {
  const choice = useDataChoice()
  const isManager = useIsManager()
  // An admin's list of trainings has that of the first model.
  const isAdmin = useUser()?.role === 'admin'
  const health = useHealth()
  const symbol = choice.coins[0]
  const { timeframe } = choice
  // The same while nothing else is chosen: the cards below are drawn anew for what changes only.
  const series = useMemo(() => (symbol === undefined ? null : { symbol, timeframe }), [symbol, timeframe])
  const tickSize = symbol === undefined ? undefined : choice.marketOf(symbol)?.tickSize
  return (
    <Box sx={column}>
      <Box component="h1" sx={visuallyHidden}>
        Data Center
      </Box>
      <FirstModelNote isListed={isAdmin} />
      <DataCard choice={choice} actions={<RefreshButton />} />
      <TrainingCard />
      <Box sx={sideBySide}>
        <div>
          <ModelsCard series={series} tickSize={tickSize} />
        </div>
        <div>
          <BotsCard />
        </div>
      </Box>
      <IndicatorsCard
        series={series}
        tickSize={tickSize}
        isWaiting={choice.isLoadingSymbols}
        isUnknown={choice.areSymbolsMissing}
      />
      <DatasetsCard isInPickers={choice.isStart} backToStart={choice.reset} />
      {isManager && health.data?.market === 'live' && <DownloadCard choice={choice} venue={health.data.venue} />}
      {isManager && (
        <Box id={IMPORT_ID}>
          <ImportCard />
        </Box>
      )}
      <UploadCard symbols={choice.symbols} symbol={choice.coins[0]} />
    </Box>
  )
}
