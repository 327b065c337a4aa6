import type { Model } from '@shapecast/contracts/ml'
import { MultiSelectField } from '#kit/ui/multi-select-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { MOST_COMPARED } from '#routes/paths.ts'
import { type ComparedSeries, LEAST_COMPARED, nameOf } from './comparable.ts'
import css from './compare-choice.module.css'

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
    <div className={css.choice}>
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
    </div>
  )
}
