import type { ComparedModel, ModelComparison } from '@shapecast/contracts/model-comparison'
import { Link as RouterLink } from 'react-router'
import { SharesPlot } from '#charts/plots/shares-plot.tsx'
import { StageChip } from '#entities/markets/trading-chips.tsx'
import { shareWords } from '#entities/models/interval-words.ts'
import { COMPARE_TERMS } from '#entities/terms/model-terms.ts'
import { formatCount, formatCounted, formatFixed, formatRatio, formatSigned } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Folded, Meanings } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Note, Text } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { paths } from '#routes/paths.ts'
import { chanceNote, pairWords, shortNames, verdictOf } from './comparable.ts'
import css from './compare-page.module.css'

const coverageOf = (model: ComparedModel, horizon: number) =>
  model.coverage90.find((one) => one.horizon === horizon) ?? { coverage: null, interval: null }

function coverageAt(model: ComparedModel, horizon: number) {
  const { coverage, interval } = coverageOf(model, horizon)
  return shareWords(coverage, interval)
}

const modelColumns = (far: number): readonly Column<ComparedModel>[] => [
  {
    head: 'Version',
    cell: (model) => (
      <span className={layout.longName}>
        <Link as={RouterLink} to={paths.model(model.version, model.artifactId)} style={{ fontWeight: 500 }}>
          {model.version}
        </Link>
        <span className={css.stage}>
          <StageChip stage={model.stage} />
        </span>
      </span>
    ),
    keep: true,
  },
  { head: 'Inside its 90% range, 95% interval', cell: (model) => coverageAt(model, 1), figure: true },
  { head: `${far} candles ahead`, cell: (model) => coverageAt(model, far), figure: true },
  { head: 'Pinball loss, bps', cell: (model) => formatFixed(model.pinballBps, 2), figure: true },
  {
    head: 'Right direction, 95% interval',
    cell: ({ accuracy, accuracyInterval }) => shareWords(accuracy, accuracyInterval),
    figure: true,
    keep: true,
  },
  { head: 'Log loss', cell: (model) => formatFixed(model.logLoss, 4), figure: true },
  { head: 'Brier score', cell: (model) => formatFixed(model.brier, 4), figure: true },
  {
    head: 'BUY, SELL, HOLD',
    cell: ({ signals }) => [signals.buy, signals.sell, signals.hold].map(formatCount).join(', '),
    figure: true,
    quiet: true,
  },
]

type TestRow = ReturnType<typeof testRows>[number]

const TEST_COLUMNS: readonly Column<TestRow>[] = [
  { head: 'Pair', cell: (row) => <span className={layout.longName}>{row.name}</span>, keep: true },
  { head: 'Loss', cell: (row) => row.loss, keep: true },
  {
    head: 'Difference, 95% interval',
    cell: ({ test, digits }) => (
      <>
        {formatSigned(test.meanDifference, digits)}
        <span style={{ marginLeft: 8, color: colors.text3 }}>
          {formatSigned(test.interval[0], digits)} to {formatSigned(test.interval[1], digits)}
        </span>
      </>
    ),
    figure: true,
  },
  { head: 'DM', cell: ({ test }) => formatSigned(test.statistic, 2), figure: true },
  { head: 'p', cell: ({ test }) => formatFixed(test.pValue, 3), figure: true, keep: true },
  { head: 'Errors correlate', cell: (row) => formatRatio(row.errorCorrelation), figure: true },
  { head: 'Verdict', cell: ({ test, names }) => <span className={css.verdict}>{verdictOf(test.verdict, names)}</span> },
]

/** Two versions whose every forecast is the same, such as twins of one seed: there is nothing to test. */
const isSameModel = ({ errorCorrelation, logLoss, pinball }: ModelComparison['pairs'][number]): boolean =>
  errorCorrelation > 1 - 1e-9 && logLoss.meanDifference === 0 && pinball.meanDifference === 0

const testRows = ({ pairs }: ModelComparison) =>
  pairs
    .filter((pair) => !isSameModel(pair))
    .flatMap(({ a, b, logLoss, pinball, errorCorrelation }) => {
      const pair = { name: `${a} − ${b}`, names: [a, b] as const }
      return [
        { ...pair, loss: 'Log loss', digits: 4, test: logLoss, errorCorrelation },
        { ...pair, loss: 'Pinball', digits: 2, test: pinball, errorCorrelation },
      ]
    })

type EnsembleRow = ModelComparison['ensembles'][number]
const RULE: Readonly<Record<string, string>> = {
  unanimous: 'Unanimous',
  majority: 'Majority',
  weighted: 'Weighted',
  confidence_threshold: 'Confidence threshold',
}

const ENSEMBLE_COLUMNS: readonly Column<EnsembleRow>[] = [
  {
    head: 'Rule',
    cell: (row) => <span className={layout.longName}>{RULE[row.strategy] ?? row.strategy}</span>,
    keep: true,
  },
  { head: 'Calls', cell: (row) => formatCount(row.calls), figure: true, keep: true },
  { head: 'Called right, 95% interval', cell: (row) => shareWords(row.accuracy, row.interval), figure: true },
  { head: 'Best single', cell: (row) => formatShareRatio(row.bestSingle), figure: true },
  {
    head: 'Gain, points',
    cell: (row) =>
      formatSigned(row.accuracy === null || row.bestSingle === null ? null : (row.accuracy - row.bestSingle) * 100, 1),
    figure: true,
    keep: true,
  },
]

const RULES = [
  ['majority', 'always betting one way'],
  ['reversal', 'betting on a reversal'],
] as const

/** Versions side by side on the same candles, pair by pair with a test, and voting together. */
export function ComparisonView({ comparison }: { comparison: ModelComparison }) {
  const { models, baselines, ensembles } = comparison
  const isNarrow = useIsNarrow()
  const versions = models.map(({ version }) => version)
  const plotNames = isNarrow ? shortNames(versions) : versions
  const tests = testRows(comparison)
  const far = Math.max(1, ...models.flatMap((model) => model.coverage90.map((point) => point.horizon)))
  return (
    <>
      <Card
        title="Side by side"
        facts={`${formatCounted(comparison.outcomes, 'candle')} that none has learnt from, worth ${formatCount(comparison.effectiveOutcomes)} independent ones · ${formatDateRange(comparison.from, comparison.to)}`}
        flush
      >
        <DataTable
          label="Versions side by side"
          columns={modelColumns(far)}
          rows={models}
          rowKey={(model) => model.version}
        />
        <div className={`${layout.halves} ${css.plots}`}>
          <SharesPlot
            label="Share of outcomes that the 90% range held one candle ahead, by version with its interval"
            shareWord="inside the 90% range"
            xTitle="Version"
            columns={models.map((model, k) => {
              const { coverage: share, interval } = coverageOf(model, 1)
              return { name: plotNames[k]!, share, interval }
            })}
            lines={[{ word: 'promised', share: 0.9 }]}
          />
          <SharesPlot
            label="Accuracy by version with its interval, and both baselines"
            xTitle="Version"
            columns={models.map(({ accuracy: share, accuracyInterval: interval }, k) => ({
              name: plotNames[k]!,
              share,
              interval,
            }))}
            shareWord="right direction"
            lines={RULES.flatMap(([rule, word]) => {
              const share = baselines[rule]
              return share === null ? [] : [{ word, share }]
            })}
          />
        </div>
        {baselines.majority === null && (
          <Note as="p" style={{ padding: '12px 16px' }}>
            The price neither rose nor fell on any of these candles: there was no direction to call right.
          </Note>
        )}
      </Card>
      <Card title="Which is better?" facts="on the same candles, pair by pair" flush>
        <ul style={{ display: 'grid', gap: 4, margin: 0, padding: '16px 16px 16px 32px' }}>
          {comparison.pairs.map((pair) => (
            <Text key={`${pair.a} ${pair.b}`} as="li">
              {isSameModel(pair) ? `${pair.a} and ${pair.b} are the same model.` : pairWords(pair)}
            </Text>
          ))}
        </ul>
        {tests.length > 0 && (
          <Folded title="How sure is this?" flush>
            <Text size="small" tone="text2" style={{ maxWidth: 760 }}>
              Each pair is tested on how wrong both were, candle by candle (Diebold–Mariano, corrected for overlapping
              candles). Below 0 the first of the pair is better. Errors that correlate at 1 leave an ensemble nothing to
              gain. {chanceNote(tests.length)}
            </Text>
            <div style={{ marginInline: -16 }}>
              <DataTable
                label="Paired tests"
                columns={TEST_COLUMNS}
                rows={tests}
                rowKey={(row) => `${row.name} ${row.loss}`}
                rowName={(row) => `${row.name}, ${row.loss}`}
              />
            </div>
          </Folded>
        )}
      </Card>
      <Card title="Voting together" facts="each consensus rule at its default thresholds" flush>
        <DataTable
          label="Voting together"
          columns={ENSEMBLE_COLUMNS}
          rows={ensembles}
          rowKey={(row) => row.strategy}
          rowName={(row) => RULE[row.strategy] ?? row.strategy}
        />
        <Meanings terms={COMPARE_TERMS} flush />
      </Card>
    </>
  )
}
