import type { WalkFold, WalkForward, WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { foldsCsv } from '@shapecast/contracts/walk-forward-csv'
import { Download } from 'lucide-react'
import { PercentCurvesPlot } from '#charts/plots/percent-curves-plot.tsx'
import { Sparkline } from '#charts/plots/sparkline.tsx'
import { FundingLine } from '#entities/runs/funding-line.tsx'
import { directionOf, formatCount, formatCounted, formatRatio, formatUpTo, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatioShort } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Evidence } from '#kit/ui/evidence.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { Verdict } from '../verdict.tsx'
import { FoldBars } from './fold-bars.tsx'
import { intervalLine, walkWords } from './walk-words.ts'

/** What a walk came to: verdict, folds, stitched equity, how still the settings held, fold by fold. */
export function WalkResult({ walk, result }: { walk: WalkForward; result: WalkForwardResult }) {
  const { search, train, test, anchored } = walk.request
  const { folds, metrics, efficiency, curves, holdDrawdownPct, points, model } = result
  const { title, sentences, isLuck, next } = walkWords(result)
  const ahead = folds.filter(({ outOfSample }) => outOfSample.netReturnPct > outOfSample.holdPct).length
  return (
    <>
      <Row gap={1} wrap>
        <Text size="h1">{walk.title}</Text>
        <Chip label={search.symbol} />
        <Chip label={search.timeframe} tone="outline" />
        <Chip label={formatCounted(folds.length, 'fold')} />
        <Chip label={`train ${anchored ? 'on all, at least ' : ''}${formatCount(train)}, test ${formatCount(test)}`} />
        <Chip label={`${formatCounted(points, 'combination')} a fold`} />
        <Row gap={1} className={layout.end}>
          <Note>{formatCounted(walk.tries.count, 'try', 'tries')} on this series</Note>
          <Button
            size="small"
            startIcon={<Download size={14} />}
            onClick={() =>
              saveFile(
                { name: `walk-${walk.id}.csv`, content: new Blob([foldsCsv(result)], { type: 'text/csv' }) },
                'walk.csv',
              )
            }
          >
            CSV
          </Button>
        </Row>
      </Row>
      <Verdict title={title} sentences={sentences} isLuck={isLuck} next={next}>
        <Evidence
          label="Stitched return, out of sample"
          value={
            <span style={{ color: directionColor(directionOf(metrics.totalReturnPct)) }}>
              {formatChangePct(metrics.totalReturnPct)}
            </span>
          }
        >
          {intervalLine(result.intervals)}
        </Evidence>
        <Evidence label="Buy and hold" value={formatChangePct(metrics.buyAndHoldReturnPct)}>
          the same candles
        </Evidence>
        <Evidence label="Efficiency" value={formatShareRatioShort(efficiency)}>
          Sharpe {formatRatio(result.outOfSampleSharpe)} of {formatRatio(result.inSampleSharpe)} promised
        </Evidence>
        <Evidence label="Ahead of holding" value={`${ahead} of ${folds.length}`}>
          {formatCounted(metrics.trades, 'trade')} in all
        </Evidence>
        <Evidence label="Worst drawdown" value={formatChangePct(-metrics.maxDrawdownPct)}>
          holding {formatChangePct(-holdDrawdownPct)}
        </Evidence>
      </Verdict>
      <FundingLine marketType={search.marketType} assumed={result.fundingAssumed} />
      {model !== null && model.seenRatio > 0 && (
        <Note tone="warn">
          {model.version} was trained on {formatShareRatioShort(model.seenRatio)} of these candles: what it says there
          is no forecast.
        </Note>
      )}
      <Card title="Folds" facts="each chooses on the amber stretch and trades the grey one">
        <FoldBars {...result} />
      </Card>
      <div className={layout.twoCards}>
        <Card title="Equity" facts="the test stretches, end to end, after costs">
          <PercentCurvesPlot
            label={`Stitched equity of ${walk.title} beside buy and hold`}
            name="Stitched, out of sample"
            t={curves.t}
            own={curves.walk}
            hold={curves.hold}
          />
        </Card>
        <Card title="Do the settings hold still?" flush>
          <Settings {...result} />
        </Card>
      </div>
      <Card title="Per fold" facts="Sharpe ratios of what the days brought over holding as much" flush>
        <DataTable
          label="Folds of the walk"
          columns={columnsOf(result)}
          rows={folds.map((fold, k) => ({ ...fold, number: k + 1 }))}
          rowKey={({ number }) => number}
          rowName={({ number }) => `fold ${number}`}
        />
      </Card>
    </>
  )
}

/** Each parameter over the folds. */
function Settings({ parameters, folds }: Pick<WalkForwardResult, 'parameters' | 'folds'>) {
  return (
    <ul className={layout.list}>
      {parameters.map(({ name, label }) => {
        const values = folds.flatMap(({ values }) => values?.[name] ?? [])
        const known = [...new Set(values)].sort((a, b) => a - b)
        return (
          <Row as="li" key={name} gap={1} between wrap className={layout.listRow}>
            <div>
              <Text weight={500}>{label}</Text>
              <Note>
                {known.length === 0
                  ? 'never chosen'
                  : known.length === 1
                    ? `one value · ${formatUpTo(known[0], 4)}`
                    : `${known.length} values in ${values.length} folds · ${formatUpTo(known[0], 4)} to ${formatUpTo(known.at(-1), 4)}`}
              </Note>
            </div>
            {values.length > 1 && <Sparkline values={values} widthPx={160} heightPx={36} />}
          </Row>
        )
      })}
    </ul>
  )
}

type FoldRow = WalkFold & { readonly number: number }

const columnsOf = ({ parameters }: WalkForwardResult): Column<FoldRow>[] => [
  { id: 'fold', head: 'Fold', keep: true, cell: ({ number }) => number },
  { id: 'test', head: 'Test', whole: true, cell: ({ test }) => formatDateRange(test.from, test.to) },
  ...parameters.map(
    ({ name, label }): Column<FoldRow> => ({
      id: `value-${name}`,
      head: label,
      figure: true,
      cell: ({ values }) => (values === null ? UNKNOWN : formatUpTo(values[name], 4)),
    }),
  ),
  {
    id: 'in',
    head: 'In-sample Sharpe',
    figure: true,
    keep: true,
    quiet: true,
    cell: ({ inSample }) => formatRatio(inSample?.sharpe),
  },
  {
    id: 'out',
    head: 'Out of sample',
    figure: true,
    keep: true,
    cell: ({ outOfSample }) => formatRatio(outOfSample.sharpe),
  },
  {
    id: 'net',
    head: 'Net return',
    figure: true,
    cell: ({ outOfSample: { netReturnPct } }) => (
      <span style={{ color: directionColor(directionOf(netReturnPct)) }}>{formatChangePct(netReturnPct)}</span>
    ),
  },
  {
    id: 'hold',
    head: 'Buy and hold',
    figure: true,
    quiet: true,
    cell: ({ outOfSample }) => formatChangePct(outOfSample.holdPct),
  },
  { id: 'trades', head: 'Trades', figure: true, cell: ({ outOfSample }) => formatCount(outOfSample.trades) },
]
