import { Box, Typography } from '@mui/material'
import type { Evaluation } from '@shapecast/contracts/evaluation'
import { ConfusionMatrix } from '../../../charts/plots/confusion-matrix.tsx'
import { ReliabilityPlot } from '../../../charts/plots/reliability-plot.tsx'
import { formatCount, formatCounted, formatFixed, formatSigned } from '../../../shared/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio } from '../../../shared/format/percent.ts'
import { sentence } from '../../../shared/format/sentence.ts'
import { DIRECTION_TERMS } from '../../../shared/models/terms.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { Evidence, EvidenceRow } from '../../../shared/ui/evidence.tsx'
import { Facts } from '../../../shared/ui/facts.tsx'
import { Meanings } from '../../../shared/ui/meanings.tsx'
import { plotAndWords } from '../../../shared/ui/page-layout.ts'

const Heading = ({ children }: { children: string }) => (
  <Typography component="h3" variant="label" sx={{ m: 0, mb: 1, color: colors.text2 }}>
    {children}
  </Typography>
)

/** Which way the price went: accuracy with its interval, both baselines and the verdict, then the probabilities. */
export function DirectionCard({ evaluation }: { evaluation: Evaluation }) {
  const { accuracy, probability, correlation, confusion, horizon } = evaluation
  return (
    <Card title="Direction" facts={horizon === 1 ? 'of the next candle' : `${formatCounted(horizon, 'candle')} ahead`}>
      <Typography
        sx={{ mb: 2, maxWidth: 760 }}
      >{`It called ${formatShareRatio(accuracy.accuracy)} of directions right. ${sentence(accuracy.verdict)}`}</Typography>
      <EvidenceRow>
        <Evidence label="Accuracy" value={formatShareRatio(accuracy.accuracy)}>
          {formatInterval(accuracy.interval)}
        </Evidence>
        <Evidence label="Majority baseline" value={formatShareRatio(accuracy.majorityBaseline)}>
          always the more frequent direction
        </Evidence>
        <Evidence label="Reversal baseline" value={formatShareRatio(accuracy.reversalBaseline)}>
          always against the last candle
        </Evidence>
        <Evidence label="Effective outcomes" value={formatCount(accuracy.effectiveOutcomes)}>
          of {formatCount(accuracy.outcomes)}: neighbours overlap
        </Evidence>
      </EvidenceRow>
      <Box sx={{ ...plotAndWords, mt: 2.5 }}>
        <ReliabilityPlot label="Forecast against observed share of rises" bins={probability.reliability} />
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Facts
            facts={[
              { label: 'Brier score', value: formatFixed(probability.brier, 4) },
              { label: 'Brier skill over climatology', value: formatChangePct(probability.brierSkill * 100) },
              { label: 'Log loss', value: formatFixed(probability.logLoss, 4) },
              { label: 'Log-loss skill', value: formatChangePct(probability.logLossSkill * 100) },
              {
                label: 'IC',
                value: `${formatSigned(correlation.ic, 3)} · chance within ±${formatFixed(correlation.interval95, 3)}`,
              },
              { label: 'Rank IC', value: formatSigned(correlation.rankIc, 3) },
            ]}
          />
          <Box>
            <Heading>Signals and what came</Heading>
            <ConfusionMatrix
              label="Signals and what came"
              rows={[
                { signal: 'BUY', counts: confusion.buy },
                { signal: 'SELL', counts: confusion.sell },
                { signal: 'HOLD', counts: confusion.hold },
              ]}
            />
          </Box>
        </Box>
      </Box>
      <Meanings terms={DIRECTION_TERMS} />
    </Card>
  )
}
