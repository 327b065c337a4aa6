import type { Model } from '@shapecast/contracts/ml'
import { Chip } from '#kit/ui/chip.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { AccuracyChip, CurrentChip, StageChip } from '../markets/trading-chips.tsx'

/** 'current', the stage, `acc 57%`. */
export const ModelChips = ({ model, isCurrent }: { model: Model; isCurrent: boolean }) => (
  <Row as="span" gap={0.75} align="stretch" wrap style={{ display: 'inline-flex' }}>
    {isCurrent && <CurrentChip />}
    <StageChip stage={model.stage} />
    {model.artifacts.some(({ origin }) => origin === 'uploaded') && <Chip label="uploaded" tone="outline" />}
    {model.stats.accuracy !== null && <AccuracyChip ratio={model.stats.accuracy} />}
  </Row>
)
