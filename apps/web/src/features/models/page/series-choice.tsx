import { useNavigate } from 'react-router'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { seriesOf, useArtifact } from './artifact-list.tsx'

/** Which series of a version is shown, and whether the artifact that is shown predicts it. */
export function SeriesChoice() {
  const { version, artifacts, artifact: shown } = useArtifact()
  const navigate = useNavigate()
  const series = seriesOf(artifacts)
  const hasActive = artifacts.some(
    ({ active, symbol, timeframe }) => active && symbol === shown.symbol && timeframe === shown.timeframe,
  )
  return (
    <Row gap={2} align="end" wrap>
      {series.length > 1 && (
        <div className={layout.oneField}>
          <SelectField
            label="Series"
            value={`${shown.symbol} ${shown.timeframe}`}
            options={series.map(({ name }) => ({ value: name, label: name }))}
            onChange={(name) =>
              void navigate(paths.model(version, series.find((one) => one.name === name)?.artifactId))
            }
          />
        </div>
      )}
      {!shown.active && (
        <Text size="small" tone="warn" style={{ paddingBottom: 8 }}>
          {hasActive
            ? 'This artifact does not predict. Its series has another one that does.'
            : `No artifact of ${version} predicts ${shown.symbol} ${shown.timeframe}. Train it again, or let a manager promote one.`}
        </Text>
      )}
    </Row>
  )
}
