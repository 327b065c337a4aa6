import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { networkLabel } from '@shapecast/contracts/networks'
import { LearningCurvePlot } from '#charts/plots/learning-curve-plot.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Text } from '#kit/ui/text.tsx'
import css from './learning-card.module.css'

/** How the networks learnt: loss by epoch, and which epoch was kept. */
export function LearningCard({ curves }: { curves: NonNullable<ArtifactDetail['learningCurves']> }) {
  const networks = Object.entries(curves)
    .map(([name, curve]) => ({ name: networkLabel(name), curve }))
    .filter(({ curve }) => curve.history.length > 0)
  if (networks.length === 0) return null
  return (
    <Card title="Learning curves" facts="how wrong it was, round by round of training; less is better">
      <div className={css.curves}>
        {networks.map(({ name, curve }) => (
          <div key={name} className={layout.shrinks}>
            <Text as="h3" size="label" tone="text2" style={{ marginBottom: 4 }}>
              {name}
            </Text>
            <LearningCurvePlot label={`Losses of the ${name} by epoch`} {...curve} />
          </div>
        ))}
      </div>
    </Card>
  )
}
