import { Box } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { MultiSelectField } from '../../../shared/ui/multi-select-field.tsx'
import { SelectField } from '../../../shared/ui/select-field.tsx'
import { MOST_COMPARED } from '../view.ts'

export interface ComparedSeries {
  readonly symbol: string
  readonly timeframe: Model['artifacts'][number]['timeframe']
}

export const LEAST_COMPARED = 2
const nameOf = ({ symbol, timeframe }: ComparedSeries) => `${symbol} ${timeframe}`

/** The series that every one of `versions` is trained on; of all versions where none is chosen. */
export function commonSeries(models: readonly Model[], versions: readonly string[]): ComparedSeries[] {
  const chosen = versions.length === 0 ? models : models.filter((model) => versions.includes(model.version))
  const [first, ...others] = chosen
  if (first === undefined) return []
  const has = (model: Model, series: ComparedSeries) =>
    model.artifacts.some((artifact) => nameOf(artifact) === nameOf(series))
  const seen = new Set<string>()
  return first.artifacts
    .filter((series) => others.every((model) => has(model, series)))
    .filter((series) => !seen.has(nameOf(series)) && seen.add(nameOf(series)))
    .map(({ symbol, timeframe }) => ({ symbol, timeframe }))
}

/** Which versions, and on which series. */
export function CompareChoice({
  models,
  versions,
  onVersions,
  seriesList,
  series,
  onSeries,
}: {
  models: readonly Model[]
  versions: readonly string[]
  onVersions: (versions: string[]) => void
  seriesList: readonly ComparedSeries[]
  series: ComparedSeries | null
  onSeries: (series: ComparedSeries) => void
}) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 240px' },
      }}
    >
      <MultiSelectField
        label="Versions"
        labelNote={`${versions.length} of ${MOST_COMPARED}`}
        values={versions}
        onChange={onVersions}
        options={models.map((model) => model.version)}
        most={MOST_COMPARED}
        placeholder="Add a version"
        emptyText="No trained version of that name"
        help={versions.length < LEAST_COMPARED ? 'Choose at least 2 versions' : undefined}
      />
      <SelectField
        label="Series"
        value={series === null ? '' : nameOf(series)}
        options={seriesList.map((one) => ({ value: nameOf(one), label: nameOf(one) }))}
        placeholder={seriesList.length === 0 ? 'None in common' : 'Select'}
        onChange={(name) => {
          const chosen = seriesList.find((one) => nameOf(one) === name)
          if (chosen !== undefined) onSeries(chosen)
        }}
      />
    </Box>
  )
}
