import { exportWalkForward, type WalkForward, type WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { PercentCurvesPlot } from '#charts/plots/percent-curves-plot.tsx'
import { Sparkline } from '#charts/plots/sparkline.tsx'
import { ruleWords } from '#entities/models/direction-verdict.ts'
import { FundingLine } from '#entities/runs/funding-line.tsx'
import { useShownTries } from '#entities/runs/lab-tries.tsx'
import { formatCount, formatCounted, formatRatio, formatUpTo } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio, formatShareRatioShort } from '#kit/format/percent.ts'
import { formatDate } from '#kit/format/time.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { Evidence } from '#kit/ui/facts.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Gain, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { TableButtons } from '#wire/ui/csv-button.tsx'
import { Verdict } from '../lab-parts.tsx'
import { FoldBars, FoldTable } from './folds.tsx'
import { calledWords, holdStill, intervalLine, sureWords, walkWords } from './walk-words.ts'

/** What a walk came to: verdict, folds, stitched equity, how still the settings held, fold by fold. */
export function WalkResult({ walk, result }: { walk: WalkForward; result: WalkForwardResult }) {
  const { search, train, test, anchored } = walk.request
  const { folds, curves, points, model, retrained, haltedAt } = result
  useShownTries(walk.tries, search.symbol, search.timeframe)
  return (
    <>
      <Row gap={1} wrap>
        <Text size="h1">{walk.title}</Text>
        <Chip label={search.symbol} />
        <Chip label={search.timeframe} tone="outline" />
        <Chip label={formatCounted(folds.length, 'fold')} />
        <Chip label={`train ${anchored ? 'on all, at least ' : ''}${formatCount(train)}, test ${formatCount(test)}`} />
        {retrained === undefined && <Chip label={`${formatCounted(points, 'combination')} a fold`} />}
        <Row gap={1} className={layout.end}>
          <TableButtons
            fetchFile={(format) => file(exportWalkForward, { params: { id: walk.id }, query: { format } })}
            name={`walk-${walk.id}`}
          />
          <LinkButton size="small" to={paths.walkPlan(walk.id)}>
            Change the plan
          </LinkButton>
        </Row>
      </Row>
      <WalkVerdict result={result} />
      <FundingLine marketType={search.marketType} assumed={result.fundingAssumed} />
      {haltedAt != null && (
        <Note tone="warn">
          Its drawdown limit ended it on {formatDate(haltedAt)}: nothing was traded after that, so the figures of the
          later folds say nothing{retrained === undefined ? '' : ' but how often the model was right'}.
        </Note>
      )}
      {model !== null && model.seenRatio > 0 && (
        <Note tone="warn">
          {model.version} was trained on {formatShareRatioShort(model.seenRatio)} of these candles: what it says there
          is no forecast.
        </Note>
      )}
      <Card
        title="Folds"
        facts={`each ${retrained === undefined ? 'chooses' : 'is trained'} on the amber stretch and trades the grey one`}
      >
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
            parts={folds.map(({ test }) => test)}
            ends={[result.metrics.totalReturnPct, result.metrics.buyAndHoldReturnPct]}
          />
        </Card>
        {retrained === undefined ? (
          <Card title="Do the settings hold still?" facts={holdStill(result) ? 'yes' : 'no'} flush>
            <Courses rows={settingRows(result)} />
          </Card>
        ) : (
          <Card title="Does it come true?" facts="directions called right, fold by fold" flush>
            <Courses rows={calledRows(result)} />
          </Card>
        )}
      </div>
      <Card
        title="Per fold"
        facts={
          retrained === undefined
            ? 'Sharpe ratios of what the days brought over holding as much · changed settings are tinted · ring: promised in training, dot: came true'
            : 'directions called right, with the 95% interval of the stretch · Sharpe ratios of what the days brought over holding as much'
        }
        flush
      >
        <FoldTable result={result} />
      </Card>
      <Folded title="How sure is this?">
        <Text tone="text2">{sureWords(result)}</Text>
      </Folded>
      <Folded title="Is this what a bot would do?">
        <Text tone="text2">
          {retrained === undefined
            ? 'With these settings, changed at the same candles, yes: a bot decides at the same closes and fills at the same opens. Nothing changes the settings of a bot by itself.'
            : 'One whose model is trained again as often, on as many candles, and taken over at once, yes: the same steps at the same candles. A bot that follows its model takes a new one while it holds nothing.'}
        </Text>
      </Folded>
    </>
  )
}

/** How many directions each fold's model called right: held out by its own training, and on the stretch that followed. */
function calledRows({ folds }: WalkForwardResult) {
  const models = folds.flatMap(({ model }) => model ?? [])
  const row = (name: string, values: number[]) => ({
    name,
    values,
    words: `${formatShareRatio(Math.min(...values))} to ${formatShareRatio(Math.max(...values))}`,
  })
  const held = models.map(({ heldOut }) => heldOut.accuracy)
  const ahead = models.map(({ ahead }) => ahead.accuracy)
  return [row('Held out by its training', held), row('On the stretch that followed', ahead)]
}

const settingRows = ({ parameters, folds }: WalkForwardResult) =>
  parameters.map(({ name, label }) => {
    const values = folds.flatMap(({ values }) => values?.[name] ?? [])
    const known = [...new Set(values)].sort((a, b) => a - b)
    const [least, most] = [known[0], known.at(-1)].map((value) => formatUpTo(value, 4))
    const several = `${known.length} values in ${values.length} folds · ${least} to ${most}`
    return { name: label, values, words: ['never chosen', `one value · ${least}`][known.length] ?? several }
  })

const Courses = ({ rows }: { rows: readonly { name: string; words: string; values: readonly number[] }[] }) => (
  <ul className={layout.list}>
    {rows.map(({ name, words, values }) => (
      <Row as="li" key={name} gap={1} between wrap className={layout.listRow}>
        <div>
          <Text weight={500}>{name}</Text>
          <Note>{words}</Note>
        </div>
        {values.length > 1 && <Sparkline values={values} widthPx={160} heightPx={36} />}
      </Row>
    ))}
  </ul>
)

function WalkVerdict({ result }: { result: WalkForwardResult }) {
  const { folds, metrics, efficiency, holdDrawdownPct, retrained } = result
  const aheadOfHolding = folds.filter(({ outOfSample }) => outOfSample.netReturnPct > outOfSample.holdPct).length
  return (
    <Verdict {...(retrained === undefined ? walkWords(result) : calledWords(result, retrained))}>
      {retrained !== undefined && (
        <>
          <Evidence label="Right, out of sample" value={formatShareRatio(retrained.ahead.accuracy)}>
            {formatInterval(retrained.ahead.interval)}
          </Evidence>
          <Evidence label="One training says" value={formatShareRatio(retrained.single.heldOut.accuracy)}>
            {formatInterval(retrained.single.heldOut.interval)}
          </Evidence>
          <Evidence label="Better naive rule" value={formatShareRatio(retrained.direction.ruleRatio)}>
            {ruleWords(retrained.direction.rule)}
          </Evidence>
        </>
      )}
      <Evidence label="Stitched return, out of sample" value={<Gain of={metrics.totalReturnPct} />}>
        {intervalLine(result.intervals)}
      </Evidence>
      <Evidence label="Buy and hold" value={formatChangePct(metrics.buyAndHoldReturnPct)}>
        the same candles
      </Evidence>
      {retrained === undefined && (
        <Evidence label="Efficiency" value={formatShareRatioShort(efficiency)}>
          Sharpe {formatRatio(result.outOfSampleSharpe)} of {formatRatio(result.inSampleSharpe)} promised
        </Evidence>
      )}
      <Evidence label="Ahead of holding" value={`${aheadOfHolding} of ${folds.length}`}>
        {formatCounted(metrics.trades, 'trade')} in all
      </Evidence>
      <Evidence label="Worst drawdown" value={formatChangePct(-metrics.maxDrawdownPct)}>
        holding {formatChangePct(-holdDrawdownPct)}
      </Evidence>
    </Verdict>
  )
}
