import type { BacktestRun } from '@shapecast/contracts/backtest'
import { FlaskConical } from 'lucide-react'
import { runName } from '#entities/runs/run-name.ts'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { runChips } from './run-chips.ts'
import css from './run-header.module.css'

/** Whose run it is, and its facts. */
export function RunHeader({ run }: { run: BacktestRun }) {
  return (
    <div className={css.header}>
      <Text breaks size="h1">
        {runName(run)}
      </Text>
      <Row as="ul" gap={0.75} wrap align="stretch" aria-label="Run" className={layout.list}>
        {run.market === 'simulated' && (
          <li>
            <Chip label="Simulated market" tone="warn" icon={<FlaskConical />} />
          </li>
        )}
        {runChips(run).map((text) => (
          <li key={text}>
            <Chip label={text} />
          </li>
        ))}
      </Row>
    </div>
  )
}
