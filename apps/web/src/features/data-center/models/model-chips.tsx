import { Box } from '@mui/material'
import type { Model } from '@shapecast/contracts/ml'
import { AccuracyChip, CurrentChip, StageChip } from '../../../shared/ui/trading-chips.tsx'

/** 'current', the stage, `acc 57%`. */
export const ModelChips = ({ model, isCurrent }: { model: Model; isCurrent: boolean }) => (
  <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 0.75 }}>
    {isCurrent && <CurrentChip />}
    <StageChip stage={model.stage} />
    {model.stats.accuracy !== null && <AccuracyChip ratio={model.stats.accuracy} />}
  </Box>
)
