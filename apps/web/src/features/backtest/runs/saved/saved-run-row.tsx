import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { runName } from '@shapecast/contracts/run-name'
import { StickyNote } from 'lucide-react'
import { elsewhere } from '#entities/markets/elsewhere.ts'
import { judgedWords } from '#entities/runs/run-words.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button } from '#kit/ui/button.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { runResult, runSetup } from '../run-summary.ts'
import { type RunComparison, RunMenu } from './run-menu.tsx'
import css from './saved-runs.module.css'

interface SavedRunRowProps {
  run: BacktestRunSummary
  isOpen: boolean
  /** Given while runs are being chosen to be compared. */
  tick?: { isOn: boolean; disabledReason: string | null; toggle: () => void }
  comparison?: RunComparison | undefined
  onOpen: () => void
  onDelete: () => void
}

/** One saved run: what was run on what, when, what the part to judge by returned, and the ways on; or a tick alone. */
export function SavedRunRow({ run, isOpen, tick, comparison, onOpen, onDelete }: SavedRunRowProps) {
  const { judged } = run
  const name = runName(run)
  const where = elsewhere(run, useHealth().data?.venue)
  return (
    <Row as="li" gap={1} {...(isOpen && { 'aria-current': 'true' as const })} className={css.run}>
      {tick !== undefined && (
        <Checkbox
          checked={tick.isOn}
          disabled={tick.disabledReason !== null}
          onChange={tick.toggle}
          title={tick.disabledReason ?? undefined}
          aria-label={`Compare ${name}, ${runSetup(run)}`}
          className={css.tick}
        />
      )}
      <div className={layout.grow}>
        <Text weight={500} noWrap title={name}>
          {name}
        </Text>
        {[
          [runSetup(run), where].filter(Boolean).join(' · '),
          formatDateRange(run.startTime, run.endTime),
          runResult(run),
        ].map((line) => (
          <Note breaks tone="text2" key={line} className={css.line}>
            {line}
          </Note>
        ))}
        {run.note && (
          <Note breaks tone="text2" above={0.25} className={`${css.line} ${css.note}`}>
            <StickyNote size={13} aria-label="Note:" style={{ flexShrink: 0, marginTop: 1 }} />
            <span>{run.note}</span>
          </Note>
        )}
      </div>
      <div className={css.result}>
        <Text
          as="div"
          size="small"
          weight={500}
          title={judgedWords(judged)}
          style={{ color: directionColor(directionOf(judged.returnPct)) }}
        >
          {formatChangePct(judged.returnPct)}
        </Text>
        {tick === undefined && run.seenRatio > 0 && run.unseen !== undefined && (
          <Note tone="text2" title="Return of the whole range" className={css.line}>
            {formatChangePct(run.totalReturnPct)} in all
          </Note>
        )}
        {tick === undefined && (
          <Row gap={0.5} above={0.5} style={{ justifyContent: 'flex-end' }}>
            {isOpen ? (
              <Text size="label" style={{ color: colors.accentHi }}>
                opened
              </Text>
            ) : (
              <Button
                size="small"
                onClick={onOpen}
                aria-label={`Open the run ${name}, ${runSetup(run)}`}
                style={{ height: 26, paddingInline: 7 }}
              >
                Open
              </Button>
            )}
            <RunMenu run={run} comparison={comparison} onDelete={onDelete} />
          </Row>
        )}
      </div>
    </Row>
  )
}
