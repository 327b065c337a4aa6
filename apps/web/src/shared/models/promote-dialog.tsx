import { Box, Typography } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { errorText } from '../api/error-text.ts'
import { formatInterval, formatShareRatio } from '../format/percent.ts'
import { sentence } from '../format/sentence.ts'
import { Banner } from '../ui/banner.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Facts } from '../ui/facts.tsx'
import { DespiteLeak, TICK_FIRST } from './despite-leak.tsx'
import { leakingSeries } from './leak-words.ts'
import { useStage } from './use-stage.ts'

const LEAK_WORDS = { passed: 'passed', failed: 'it leaks the future', unknown: 'not known' } as const

/** Before a version goes to production: what its hold-outs said, series by series. */
export function PromoteDialog({ model, onClose }: { model: Model; onClose: () => void }) {
  const stage = useStage()
  const [despiteLeak, setDespiteLeak] = useState(false)
  const leaking = leakingSeries(model)
  const isHeldBack = leaking.length > 0 && !despiteLeak
  const promote = () => {
    stage.mutate({ params: { id: model.version }, body: { stage: 'production', despiteLeak } }, { onSuccess: onClose })
  }
  return (
    <ConfirmDialog
      title={`${model.version} to production?`}
      lead={
        leaking.length > 0 && (
          <DespiteLeak
            title={`Its audit on ${leaking.join(', ')} found that it knows the future`}
            isConfirmed={despiteLeak}
            onChange={setDespiteLeak}
          />
        )
      }
      text="The newest production version answers wherever no version is named. The move is recorded with this evidence."
      subject={<Evidence model={model} />}
      confirmLabel={stage.isPending ? 'Moving…' : 'Production'}
      tone={leaking.length > 0 ? 'danger' : 'contained'}
      whyNot={isHeldBack ? TICK_FIRST : undefined}
      busy={stage.isPending}
      error={stage.isError ? errorText(stage.error, 'The stage could not be changed.') : undefined}
      onConfirm={promote}
      onClose={onClose}
    />
  )
}

const Evidence = ({ model }: { model: Model }) => (
  <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    {model.artifacts.length === 0 && (
      <Banner kind="warning" title="This version is not trained yet">
        Train it first: only a trained version can go to production.
      </Banner>
    )}
    {model.artifacts.map(({ id, symbol, timeframe, accuracy, leak }) => (
      <Box key={id}>
        <Typography sx={{ mb: 0.75, fontWeight: 500 }}>
          {symbol} · {timeframe}
        </Typography>
        <Facts
          well
          facts={[
            {
              label: 'Accuracy',
              value: `${formatShareRatio(accuracy.accuracy)} · ${formatInterval(accuracy.interval)}`,
            },
            { label: 'Majority', value: formatShareRatio(accuracy.majorityBaseline) },
            { label: 'Reversal', value: formatShareRatio(accuracy.reversalBaseline) },
            { label: 'Verdict', value: sentence(accuracy.verdict) },
            { label: 'Leak audit', value: LEAK_WORDS[leak] },
          ]}
        />
      </Box>
    ))}
  </Box>
)
