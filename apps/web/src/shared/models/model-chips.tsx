import { Box } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { Chip } from '../ui/chip.tsx'
import { AccuracyChip, CurrentChip, LeakChip, StageChip } from '../ui/trading-chips.tsx'
import { leakingSeries } from './leak-words.ts'

/** 'current', the stage, `acc 57%`, and a leak where one was found. */
export const ModelChips = ({ model, isCurrent }: { model: Model; isCurrent: boolean }) => (
  <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 0.75 }}>
    {isCurrent && <CurrentChip />}
    <StageChip stage={model.stage} />
    {model.artifacts.some(({ origin }) => origin === 'uploaded') && <Chip label="uploaded" tone="outline" />}
    {model.stats.accuracy !== null && <AccuracyChip ratio={model.stats.accuracy} />}
    {leakingSeries(model).length > 0 && <LeakChip />}
  </Box>
)
