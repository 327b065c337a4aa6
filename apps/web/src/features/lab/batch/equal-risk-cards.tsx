import type { Batch, BatchResult } from '@shapecast/contracts/batch'
import { Bot } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { PercentCurvesPlot } from '#charts/plots/percent-curves-plot.tsx'
import { basketState } from '#entities/bots/basket.ts'
import { formatCounted, formatRatio } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note } from '#kit/ui/text.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'

/** All runs of a timeframe as one account, beside their coins held; and a bot that trades them together. */
export function EqualRiskCards({ batch, result }: { batch: Batch; result: BatchResult }) {
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
            { id: 'what', head: '', keep: true, cell: ([what]) => what },
            { id: 'own', head: name, figure: true, keep: true, cell: ([, own]) => own },
            { id: 'hold', head: 'Holding them', figure: true, keep: true, quiet: true, cell: ([, , hold]) => hold },
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
