import type { Model } from '@shapecast/contracts/ml'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { sentence } from '#kit/format/sentence.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Text } from '#kit/ui/primitives.tsx'
import { confirming } from '#wire/ui/failed-change.tsx'
import { directionWords } from './direction-verdict.ts'
import { ModelVerdict } from './model-chips.tsx'
import { useStage } from './use-stage.tsx'

/** Before a version goes to production: what its hold-outs said, series by series. */
export function PromoteDialog({ model, onClose }: { model: Model; onClose: () => void }) {
  const stage = useStage()
  const promote = () => {
    stage.mutate({ params: { id: model.version }, body: { stage: 'production' } }, { onSuccess: onClose })
  }
  return (
    <ConfirmDialog
      title={`${model.version} to production?`}
      text="The newest production version answers wherever no version is named. The move is recorded with this evidence."
      subject={<Evidence model={model} />}
      {...confirming(stage, 'Production', 'Moving…', 'The stage could not be changed.')}
      tone="contained"
      onConfirm={promote}
      onClose={onClose}
    />
  )
}

const Evidence = ({ model }: { model: Model }) => (
  <Column gap={1.5}>
    <div className={layout.unlessEmpty}>
      <ModelVerdict model={model} />
    </div>
    {model.artifacts.length === 0 && (
      <Banner kind="warning" title="This version is not trained yet">
        Train it first: only a trained version can go to production.
      </Banner>
    )}
    {model.artifacts.map(({ id, symbol, timeframe, accuracy, direction }) => (
      <div key={id}>
        <Text weight={500} style={{ marginBottom: 6 }}>
          {symbol} · {timeframe}
        </Text>
        <Facts
          well
          facts={[
            {
              label: 'Accuracy',
              value: `${formatShareRatio(accuracy.accuracy)} · ${formatInterval(accuracy.interval)}`,
            },
            { label: 'Majority', value: formatShareRatio(accuracy.majorityBaseline) },
            { label: 'Reversal', value: formatShareRatio(accuracy.reversalBaseline) },
            { label: 'Verdict', value: sentence(directionWords(direction).words) },
          ]}
        />
      </div>
    ))}
  </Column>
)
