import type { TrackRecord } from '@shapecast/contracts/track-record'
import { skillWords } from '#entities/models/interval-words.ts'
import { RECORD_TERMS } from '#entities/terms/model-terms.ts'
import { formatCount, formatFixed } from '#kit/format/number.ts'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Evidence, EvidenceRow } from '#kit/ui/evidence.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { Folded, Meanings } from '#kit/ui/folded.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { recordVerdict, spanWords, VerdictChip, type WidestSeries } from './record-verdict.tsx'

/** What a version's live forecasts came to, and what follows for somebody who trades; its scores are folded. */
export function VerdictCard({
  record: { total, span, version },
  widest,
  nextSeal,
}: {
  record: TrackRecord
  widest: WidestSeries | undefined
  nextSeal: string
}) {
  const verdict = recordVerdict(total)
  const range = widest?.coverage[0]
  return (
    <Card
      title="What it said before it happened"
      facts={`${version}, live`}
      actions={<VerdictChip verdict={verdict} />}
    >
      <Text style={{ maxWidth: 820 }}>{verdict.sentence}</Text>
      <Text size="small" tone="text2" above={0.5} style={{ marginBottom: 16, maxWidth: 820 }}>
        Every forecast is written down before its outcome and cannot be changed afterwards. {nextSeal}
      </Text>
      <EvidenceRow>
        <Evidence label="Right direction" value={formatShareRatio(total.accuracy)}>
          {total.interval === null ? 'once outcomes are known' : formatInterval(total.interval)}
        </Evidence>
        <Evidence label="Always betting one way" value={formatShareRatio(total.majorityBaseline)}>
          a simple rule, to compare
        </Evidence>
        <Evidence label="Betting on a reversal" value={formatShareRatio(total.reversalBaseline)}>
          against the last candle
        </Evidence>
        <Evidence label="Closes inside its 90% range" value={formatShareRatio(range?.coverage90)}>
          {range === undefined
            ? 'nine of ten should be'
            : `${formatInterval(range.interval)} · ${widest?.symbol} ${widest?.timeframe}`}
        </Evidence>
        <Evidence label="Written down" value={spanWords(span)}>
          {span !== null && `${formatCount(span.missed)} missed`}
        </Evidence>
      </EvidenceRow>
      <Row gap={1.5} wrap above={2}>
        <Text size="small" tone="text2" style={{ flex: '1 1 300px' }}>
          What follows: {verdict.next}
        </Text>
        <LinkButton variant="secondary" size="small" to={paths.backtest}>
          Open Backtest
        </LinkButton>
      </Row>
      {total.brier !== null && (
        <Folded title="How sure is this?">
          <Text size="small" tone="text2" style={{ maxWidth: 760 }}>
            The figures after a value are its 95% interval: in about 19 of 20 such records the truth lies inside. Where
            it holds 50% (of a skill, 0), luck alone can explain the value.
          </Text>
          <div style={{ maxWidth: 560 }}>
            <Facts
              facts={[
                { label: 'Brier score', value: formatFixed(total.brier, 4) },
                { label: 'Brier score of knowing nothing', value: formatFixed(total.climatologyBrier, 4) },
                { label: 'Skill', value: skillWords(total.brierSkill, total.brierSkillInterval) },
                {
                  label: 'Effective outcomes',
                  value: `${formatCount(total.effectiveOutcomes)} of ${formatCount(total.outcomes)}`,
                },
              ]}
            />
          </div>
        </Folded>
      )}
      <Meanings terms={RECORD_TERMS} />
    </Card>
  )
}
