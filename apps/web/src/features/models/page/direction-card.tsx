import type { DirectionVerdict, Evaluation } from '@shapecast/contracts/evaluation'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import type { ReactNode } from 'react'
import { ConfusionMatrix } from '#charts/plots/confusion-matrix.tsx'
import { ReliabilityPlot } from '#charts/plots/reliability-plot.tsx'
import { skillWords } from '#entities/models/interval-words.ts'
import { DIRECTION_TERMS } from '#entities/terms/model-terms.ts'
import { formatCount, formatCounted, formatFixed, formatSigned } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { Evidence, EvidenceRow, type Fact, Facts } from '#kit/ui/facts.tsx'
import { Folded, Meanings } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Columns, Text } from '#kit/ui/primitives.tsx'

/** `It was right 214 times in 400. Always betting on a reversal: 218. So its arrow alone is no reason to trade.` */
function directionWords({ accuracy, outcomes }: Evaluation['accuracy'], direction: DirectionVerdict): string {
  const times = (share: number) => formatCount(Math.round(share * outcomes))
  const rule = direction.rule === 'reversal' ? 'Always betting on a reversal' : 'Always betting one way'
  return (
    `It was right ${times(accuracy)} times in ${formatCount(outcomes)}. ` +
    `${rule}: ${times(direction.ruleRatio)}. ` +
    (direction.holdsUp ? 'That is more than chance explains.' : 'So its arrow alone is no reason to trade.')
  )
}

/** A part of a card, under its name. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={layout.shrinks}>
    <Text as="h3" size="label" tone="text2" style={{ marginBottom: 8 }}>
      {title}
    </Text>
    {children}
  </div>
)

/** Which way the price went: accuracy with its interval, both baselines and the verdict, then the probabilities. */
export function DirectionCard({ evaluation, direction }: Pick<ArtifactDetail, 'evaluation' | 'direction'>) {
  const { accuracy, probability, correlation, confusion, horizon, uncertainty } = evaluation
  return (
    <Card title="Direction" facts={horizon === 1 ? 'of the next candle' : `${formatCounted(horizon, 'candle')} ahead`}>
      <Text style={{ marginBottom: 16, maxWidth: 760 }}>{directionWords(accuracy, direction)}</Text>
      <EvidenceRow>
        <Evidence label="Right" value={formatShareRatio(accuracy.accuracy)}>
          {formatInterval(accuracy.interval)}
        </Evidence>
        <Evidence label="Always betting one way" value={formatShareRatio(accuracy.majorityBaseline)}>
          the more frequent direction
        </Evidence>
        <Evidence label="Always betting on a reversal" value={formatShareRatio(accuracy.reversalBaseline)}>
          against the last candle
        </Evidence>
      </EvidenceRow>
      <Columns gap={3} above={2.5} align="start" at={{ md: 'minmax(0, 3fr) minmax(0, 2fr)' }}>
        <Part title="Do its percentages mean what they say? On the dashed line they do">
          <ReliabilityPlot label="Forecast against observed share of rises" bins={probability.reliability} />
        </Part>
        <Part title="What it said, and where the price went">
          <ConfusionMatrix
            label="Signals and what came"
            rows={[
              { signal: 'BUY', counts: confusion.buy },
              { signal: 'SELL', counts: confusion.sell },
              { signal: 'HOLD', counts: confusion.hold },
            ]}
          />
        </Part>
      </Columns>
      <HowSure
        facts={[
          { label: 'Brier score', value: formatFixed(probability.brier, 4) },
          { label: 'Skill', value: formatChangePct(probability.brierSkill * 100) },
          { label: 'Log loss', value: formatFixed(probability.logLoss, 4) },
          {
            label: 'Skill by log loss',
            value: skillWords(probability.logLossSkill, uncertainty?.logLossSkill ?? null),
          },
          {
            label: 'IC',
            value: `${formatSigned(correlation.ic, 3)} · chance within ±${formatFixed(correlation.interval95, 3)}`,
          },
          { label: 'Rank IC', value: formatSigned(correlation.rankIc, 3) },
          {
            label: 'Effective outcomes',
            value: `${formatCount(accuracy.effectiveOutcomes)} of ${formatCount(accuracy.outcomes)}: neighbours overlap`,
          },
        ]}
      />
      <Meanings terms={DIRECTION_TERMS} />
    </Card>
  )
}

/** Folded at the foot of a card: its scores with their 95 % intervals, and what such an interval says. */
export function HowSure({ facts, children }: { facts: readonly Fact[]; children?: ReactNode }) {
  return (
    <Folded title="How sure is this?">
      <Text size="small" tone="text2" style={{ maxWidth: 760 }}>
        The figures after a value are its 95% interval: in about 19 of 20 such tests the truth lies inside. Where it
        holds 0, chance alone can explain the value. Made by drawing the tested candles again, a day of 24 at a time.
      </Text>
      <div style={{ maxWidth: 560 }}>
        <Facts facts={facts} />
      </div>
      {children}
    </Folded>
  )
}
