import { type Batch, type BatchCell, exportBatch, type BatchResult as Result } from '@shapecast/contracts/batch'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ArrowDown, Bot } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { PercentCurvesPlot } from '#charts/plots/percent-curves-plot.tsx'
import { basketState } from '#entities/bots/basket.ts'
import { formatCount, formatCounted, formatRatio, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Button, LinkButton, PlainButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { TableButtons } from '#wire/ui/csv-button.tsx'
import { Verdict } from '../lab-parts.tsx'
import css from './batch-result.module.css'
import { batchWords, SHOWN, type Shown } from './batch-words.ts'

/** What a batch came to: how much of the best is luck, and a table of its runs. */
export function BatchResult({ batch, result }: { batch: Batch; result: Result }) {
  const { cells, verdict, tries, equalRisk = [] } = result
  const { timeframes, symbols } = batch.request
  const [shown, setShown] = useState<Shown>('sharpe')
  const [sorted, setSorted] = useState<Timeframe>(timeframes[0]!)
  const of = (symbol: string, timeframe: Timeframe) =>
    cells.find((cell) => cell.symbol === symbol && cell.timeframe === timeframe)
  const { of: figureOf, together } = SHOWN[shown]
  const sortValue = (symbol: string) => {
    const run = of(symbol, sorted)?.run
    return (run && figureOf(run).value) ?? Number.NEGATIVE_INFINITY
  }
  const figures = [...cells.map(({ run }) => run && figureOf(run)), ...equalRisk.map(together)]
  const most = Math.max(0.01, ...figures.map((figure) => Math.abs(figure?.value ?? 0)))
  const best = verdict.best === null ? undefined : cells[verdict.best]
  const spans = cells.flatMap(({ run }) => run ?? [])
  return (
    <>
      <Row gap={1} wrap>
        <Text size="h1">{batch.title}</Text>
        {spans.length > 0 && (
          <Chip
            label={formatDateRange(Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to)))}
          />
        )}
        <Chip label={formatCounted(symbols.length, 'symbol')} />
        <Chip label={formatCounted(timeframes.length, 'timeframe')} />
        <Chip label="same settings everywhere" tone="outline" />
        <Chip label={`kept unseen: last ${batch.request.keptPct}%`} tone="outline" />
        <Row gap={1} className={layout.end}>
          <Note>{formatCounted(tries, 'try', 'tries')} on these series</Note>
          <TableButtons
            fetchFile={(format) => file(exportBatch, { params: { id: batch.id }, query: { format } })}
            name={`batch-${batch.id}`}
          />
          <LinkButton size="small" to={paths.batch()} state={{ plan: batch.request }}>
            Change
          </LinkButton>
        </Row>
      </Row>
      <Verdict {...batchWords(result)} />
      <Card
        title="After costs"
        facts="95% interval for one try · brighter is higher, hatched is below 0 · amber: the best over holding, by its years"
        actions={
          <ToggleGroup
            label="Figure in the table"
            size="small"
            value={shown}
            onChange={setShown}
            choices={(Object.keys(SHOWN) as Shown[]).map((value) => ({ value, label: SHOWN[value].label }))}
          />
        }
        flush
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it */}
        <section className={css.scroll} tabIndex={0} aria-label="Runs of the batch">
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">Symbol</th>
                {timeframes.map((timeframe) => (
                  <th key={timeframe} scope="col" aria-sort={timeframe === sorted ? 'descending' : 'none'}>
                    <PlainButton onClick={() => setSorted(timeframe)} className={css.head}>
                      {timeframe}
                      {timeframe === sorted && <ArrowDown size={14} aria-hidden />}
                    </PlainButton>
                    <span className={css.tradesHead}>trades</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...symbols]
                .sort((a, b) => sortValue(b) - sortValue(a))
                .map((symbol) => (
                  <tr key={symbol}>
                    <th scope="row">{symbol}</th>
                    {timeframes.map((timeframe) => {
                      const cell = of(symbol, timeframe)
                      return (
                        <td key={timeframe}>
                          {cell !== undefined && <Cell cell={cell} shown={shown} most={most} isBest={cell === best} />}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              {equalRisk.length > 0 && (
                <tr>
                  <th scope="row">All at equal risk</th>
                  {timeframes.map((timeframe) => {
                    const risk = equalRisk.find((one) => one.timeframe === timeframe)
                    return (
                      <td key={timeframe}>
                        <FigureCell figure={risk && together(risk)} most={most} />
                      </td>
                    )
                  })}
                </tr>
              )}
            </tbody>
          </table>
        </section>
      </Card>
      {equalRisk.length > 0 && <EqualRiskCards batch={batch} result={result} />}
    </>
  )
}

function FigureCell({
  figure,
  most,
}: {
  figure: ReturnType<(typeof SHOWN)[Shown]['together']> | undefined
  most: number
}) {
  if (figure == null) return <div className={`${css.cell} ${css.missing}`}>{UNKNOWN}</div>
  return (
    <div {...shadeOf(figure.value, most)}>
      <strong>{figure.text}</strong>
      <span className={css.line}>{figure.line}</span>
    </div>
  )
}

/** Brighter is higher, hatched is below 0. */
function shadeOf(value: number | null, most: number, isBest = false) {
  const isBelow = (value ?? 0) < 0
  const share = Math.min(1, Math.abs(value ?? 0) / most)
  return {
    className: [css.cell, isBelow && css.below, isBest && css.best].filter(Boolean).join(' '),
    style: isBelow
      ? undefined
      : { backgroundColor: `color-mix(in srgb, var(--text2) ${Math.round(4 + 30 * share)}%, transparent)` },
  }
}

/** What an import or a download mends. */
const NO_DATA: ReadonlySet<string> = new Set(['no_candles', 'too_few_candles', 'unknown_symbol'])

function Cell({ cell, shown, most, isBest }: { cell: BatchCell; shown: Shown; most: number; isBest: boolean }) {
  const canDownload = useHealth().data?.market === 'live'
  const { run, missing, symbol, timeframe } = cell
  if (run === null)
    return (
      <div className={`${css.cell} ${css.missing}`} title={missing?.text}>
        <span>{UNKNOWN}</span>
        <span className={layout.visuallyHidden}>{missing?.text}</span>
        {NO_DATA.has(missing?.code ?? '') ? (
          <Link to={paths.dataCenter} aria-label={`${canDownload ? 'Download' : 'Import'} ${symbol} ${timeframe}`}>
            {canDownload ? 'Download' : 'Import'}
          </Link>
        ) : (
          <Note as="span">not run</Note>
        )}
      </div>
    )
  const { value, text, line } = SHOWN[shown].of(run)
  return (
    <Link to={paths.run(run.id)} {...shadeOf(value, most, isBest)}>
      <strong>{text}</strong>
      <span className={css.line}>{line}</span>
      <span className={css.trades}>
        {formatCount(run.metrics.trades)}
        <span className={layout.visuallyHidden}> trades{isBest ? ', the best' : ''}</span>
      </span>
    </Link>
  )
}

/** All runs of a timeframe as one account, beside their coins held; and a bot that trades them together. */
function EqualRiskCards({ batch, result }: { batch: Batch; result: Result }) {
  const { cells, equalRisk = [] } = result
  const [chosen, setChosen] = useState(equalRisk[0]!.timeframe)
  const navigate = useNavigate()
  const isSignedIn = useUser() !== null
  const { timeframe, runs, days, figures, holdFigures, curves } = equalRisk.find((of) => of.timeframe === chosen)!
  const name = `${runs} at equal risk`
  const rows = [
    ['Net return', formatChangePct(figures.totalReturnPct), formatChangePct(holdFigures.totalReturnPct)],
    ['Sharpe', formatRatio(figures.sharpe), formatRatio(holdFigures.sharpe)],
    ['95% interval', span(figures.interval), span(holdFigures.interval)],
    ['Worst drawdown', formatChangePct(-figures.maxDrawdownPct), formatChangePct(-holdFigures.maxDrawdownPct)],
    ['Volatility a year', formatSharePct(figures.volatilityPct), formatSharePct(holdFigures.volatilityPct)],
  ] as const
  const { mode, botId } = batch.request
  const tradingPairs = cells.flatMap((cell) => (cell.timeframe === timeframe && cell.run !== null ? cell.symbol : []))
  return (
    <div className={layout.twoCards}>
      <Card
        title={name}
        facts={`${timeframe}, each scaled to 20% volatility a year, after costs`}
        actions={
          equalRisk.length > 1 && (
            <ToggleGroup
              label="Timeframe at equal risk"
              size="small"
              value={chosen}
              onChange={setChosen}
              choices={equalRisk.map((of) => ({ value: of.timeframe, label: of.timeframe }))}
            />
          )
        }
      >
        <PercentCurvesPlot
          label={`${name} on ${timeframe} beside holding the coins`}
          name={name}
          holdName="Holding the coins"
          t={curves.t}
          own={curves.own}
          hold={curves.hold}
        />
      </Card>
      <Card
        title="Together"
        facts={`${timeframe}, ${formatCounted(days, 'day')}`}
        actions={
          mode !== 'model' && (
            <Button
              size="small"
              startIcon={<Bot size={14} />}
              disabled={!isSignedIn}
              onClick={() =>
                void navigate(mode === 'bot' ? paths.copyBot(botId!) : paths.createBot, {
                  state: basketState(batch.request, batch.title, { tradingPairs, timeframe }),
                })
              }
            >
              Create a bot
            </Button>
          )
        }
        flush
      >
        <DataTable
          label="At equal risk beside holding"
          columns={[
            { head: '', keep: true, cell: ([what]) => what },
            { head: name, figure: true, keep: true, cell: ([, own]) => own },
            { head: 'Holding them', figure: true, keep: true, quiet: true, cell: ([, , hold]) => hold },
          ]}
          rows={rows}
          rowKey={([what]) => what}
        />
        <Note className={layout.listRow}>
          A smaller worst loss comes from holding less by itself. Where the interval contains 0, a better Sharpe is not
          shown.
        </Note>
      </Card>
    </div>
  )
}

const span = (interval: readonly [number, number] | null) =>
  interval === null ? 'none' : `${formatRatio(interval[0])} to ${formatRatio(interval[1])}`
