import {
  exportSearch,
  SEARCH_SHOWN,
  type Search,
  type SearchResult,
  type SearchSummary,
  takeSearch,
} from '@shapecast/contracts/search'
import { Check, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { FundingLine } from '#entities/runs/funding-line.tsx'
import { useShownTries } from '#entities/runs/lab-tries.tsx'
import { formatCount, formatFixed, formatRatio, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'
import { formatDuration } from '#kit/format/time.ts'
import { Button, useFirstRows } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import { Evidence, EvidenceRow, Facts } from '#kit/ui/facts.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { TableButtons } from '#wire/ui/csv-button.tsx'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { HeatMap, rankedPoints } from './heat-map.tsx'
import css from './search-page.module.css'
import { FigureScale, SearchEquity, SearchSpread } from './search-plots.tsx'
import { movedWords, verdictWords } from './search-words.ts'

const SHOWN_FIRST = 6

interface Found {
  readonly search: Search
  readonly result: SearchResult
  readonly verdict: NonNullable<SearchSummary['verdict']>
}

/** What a search found: the verdict first, then what it rests on. */
export function SearchResultView({ search, result, verdict }: Found) {
  const words = verdictWords(verdict, result)
  useShownTries(search.tries, search.request.symbol, search.request.timeframe)
  return (
    <>
      <Verdict search={search} result={result} words={words} />
      <FundingLine marketType={search.request.marketType} assumed={result.fundingAssumed} />
      <div className={`${layout.pageColumn} ${css.grid}`}>
        {result.parameters.length > 1 && <HeatMap result={result} />}
        <Column gap={2}>
          <SearchSpread result={result} />
          <WhatMoved result={result} />
        </Column>
      </div>
      <Card title="Equity" facts="after fees and slippage; only the best was opened on the kept part">
        <SearchEquity result={result} />
      </Card>
      <BestTable search={search} result={result} />
      <Card title="How sure is this?" flush>
        <Doubts result={result} verdict={verdict} />
      </Card>
    </>
  )
}

function Verdict({ search, result, words }: Omit<Found, 'verdict'> & { words: ReturnType<typeof verdictWords> }) {
  const { best, overfitting, keptRun, luck } = result
  const interval =
    best.interval &&
    `95% interval ${formatFixed(best.interval[0], 2)} to ${formatFixed(best.interval[1], 2)}, for one try; `
  return (
    <section
      className={words.isLuck ? `${css.verdict} ${css.verdictLuck}` : css.verdict}
      aria-labelledby="search-verdict"
    >
      <Row gap={1.5} align="start">
        <span className={layout.byWords} aria-hidden>
          {words.isLuck ? <TriangleAlert size={18} /> : <Check size={18} />}
        </span>
        <Column gap={1}>
          <Text as="h2" size="numberS" id="search-verdict">
            {words.title}
          </Text>
          {words.lines.map((line) => (
            <Text key={line} tone="text2">
              {line}
            </Text>
          ))}
        </Column>
      </Row>
      <EvidenceRow>
        <Evidence label="Sharpe of the best, searched part" value={formatFixed(best.sharpe, 2)}>
          {interval}luck {formatFixed(luck.sharpe, 2)}
          <FigureScale
            from={Math.min(-0.5, best.sharpe, best.interval?.[0] ?? 0)}
            to={Math.max(luck.sharpe, best.sharpe, best.interval?.[1] ?? 0) + 0.5}
            value={best.sharpe}
            interval={best.interval}
            mark={luck.sharpe}
          />
        </Evidence>
        <Evidence
          label="Probability of overfitting"
          value={overfitting === null ? UNKNOWN : `${formatFixed(100 * overfitting.probability, 0)}%`}
        >
          {overfitting === null
            ? 'too few days'
            : `${formatCount(overfitting.choices)} splits of 16 blocks; a coin 50%`}
          {overfitting !== null && <FigureScale from={0} to={1} value={overfitting.probability} mark={0.5} />}
        </Evidence>
        <Evidence
          label="Return on the kept part"
          value={keptRun === null ? UNKNOWN : formatChangePct(keptRun.returnPct)}
        >
          {keptRun === null
            ? 'not shown'
            : `${keptRun.interval === null ? 'no interval' : `95% interval ${formatChangePct(keptRun.interval[0])} to ${formatChangePct(keptRun.interval[1])}`}; holding ${formatChangePct(keptRun.holdPct)}`}
          {keptRun !== null && <FigureScale {...keptScale(keptRun)} value={keptRun.returnPct} mark={keptRun.holdPct} />}
        </Evidence>
      </EvidenceRow>
      <Row gap={1.5} wrap between>
        <Text size="small" tone="text2" className={css.next}>
          {words.next}
        </Text>
        {search.own && <Take search={search} result={result} obstacle={words.obstacle} />}
      </Row>
    </section>
  )
}

/** Around 0, as wide as what stands on it. */
function keptScale({ returnPct, holdPct, interval }: NonNullable<SearchResult['keptRun']>) {
  const to = Math.max(20, ...[returnPct, holdPct, ...(interval ?? [])].map(Math.abs))
  return { from: -to, to, interval }
}

/** Makes a virtual bot of the best; where it is no more than luck, one that says so. */
function Take({ search, result, obstacle }: { search: Search; result: SearchResult; obstacle: string | null }) {
  const [name, setName] = useState<string | null>(null)
  const navigate = useNavigate()
  const take = useEndpointMutation(takeSearch, { onSuccess: ({ botId }) => void navigate(paths.bot(botId)) })
  const label = obstacle === null ? 'Take these settings' : 'Take anyway'
  return (
    <Column gap={0.5}>
      {obstacle !== null && <Note>{obstacle}</Note>}
      <Row gap={1} wrap>
        {obstacle !== null && (
          <Button size="small" disabled>
            Take these settings
          </Button>
        )}
        <Button
          size="small"
          variant={obstacle === null ? 'contained' : 'secondary'}
          onClick={() => setName(search.title)}
        >
          {label}
        </Button>
      </Row>
      {name !== null && (
        <Dialog
          title={`${label}?`}
          onClose={() => setName(null)}
          actions={
            <DialogActions
              label="Make a virtual bot"
              tone="contained"
              disabledReason={name.trim() === '' ? 'A name is required' : undefined}
              isBusy={take.isPending}
              onCancel={() => setName(null)}
              onConfirm={() =>
                take.mutate({ params: { id: search.id }, body: { name: name.trim(), anyway: obstacle !== null } })
              }
            />
          }
        >
          <Column gap={2}>
            <Text tone="text2">
              {obstacle === null
                ? 'A stopped bot with virtual money and these settings. It is judged again from its first day.'
                : 'A stopped bot with virtual money and these settings. Its description carries the verdict of this search.'}
            </Text>
            {result.best.rule !== null && <pre className={css.ruleText}>{result.best.rule}</pre>}
            <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} />
            <FailedChange change={take} text="The bot could not be made" />
          </Column>
        </Dialog>
      )}
    </Column>
  )
}

function WhatMoved({ result: { moved, parameters } }: { result: SearchResult }) {
  const alone = moved.reduce((sum, { share }) => sum + share, 0)
  const rows = [
    ...moved.map((one, k) => ({ label: parameters[k]!.label, share: one.share, words: movedWords(one) })),
    { label: 'Together', share: Math.max(0, 1 - alone), words: 'values acting jointly' },
  ]
  return (
    <Card title="What moved the result">
      <ul className={layout.list}>
        {rows.map(({ label, share, words }) => (
          <li key={label} className={css.moved}>
            <Text size="small">
              {label} <Note as="span">{words}</Note>
            </Text>
            <Text size="small" weight={500}>
              {formatFixed(100 * share, 0)}%
            </Text>
            <div className={css.track} aria-hidden>
              <div className={css.bar} style={{ width: `${100 * Math.min(1, share)}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <Note>Share of the spread of all Sharpe ratios. What matters most is often how often it trades.</Note>
    </Card>
  )
}

function BestTable({ search, result }: Pick<Found, 'search' | 'result'>) {
  const { parameters, points, intervals, luck } = result
  const ranked = rankedPoints(result).slice(0, SEARCH_SHOWN)
  const { shown, foot } = useFirstRows(ranked, SHOWN_FIRST)
  const of = new Map(intervals.map(({ point, interval }) => [point, interval]))
  const known = [0, luck.sharpe, ...ranked.flatMap((k) => of.get(k) ?? points.sharpe[k]!)]
  const scale = { from: Math.min(...known), to: Math.max(...known) }
  const columns: TableColumn<number>[] = [
    { head: '#', cell: (k) => ranked.indexOf(k) + 1, keep: true },
    ...parameters.map(
      ({ label, values }, p): TableColumn<number> => ({
        head: label,
        figure: true,
        cell: (k) => String(values[points.choices[k]![p]!]),
      }),
    ),
    { head: 'Sharpe', figure: true, keep: true, cell: (k) => formatFixed(points.sharpe[k], 2) },
    { head: '95% interval', cell: (k) => of.get(k)?.map(formatRatio).join(' to ') ?? UNKNOWN, whole: true },
    {
      head: `Luck ${formatFixed(luck.sharpe, 2)}`,
      cell: (k) => <FigureScale {...scale} value={points.sharpe[k]!} interval={of.get(k)} mark={luck.sharpe} />,
    },
    { head: 'Net return', figure: true, cell: (k) => formatChangePct(points.netReturnPct[k]) },
    { head: 'Max drawdown, %', figure: true, cell: (k) => formatFixed(-points.maxDrawdownPct[k]!, 1) },
    { head: 'Trades', figure: true, keep: true, cell: (k) => formatCount(points.trades[k]) },
  ]
  return (
    <Card
      title={`Best ${ranked.length}`}
      facts={`of ${formatCount(points.choices.length)}; chosen and judged on the same searched candles, so each is flattered; intervals are for one try`}
      flush
      actions={
        <TableButtons
          fetchFile={(format) => file(exportSearch, { params: { id: search.id }, query: { format } })}
          name={`search-${search.id}`}
        />
      }
    >
      <DataTable label="The best combinations" columns={columns} rows={shown} rowKey={(k) => k} />
      {foot}
    </Card>
  )
}

function Doubts({ result, verdict }: Pick<Found, 'result' | 'verdict'>) {
  const { luck, model, searched, seconds, parameters } = result
  return (
    <>
      <Folded
        title={`Reality check p = ${formatFixed(verdict.p, 3)} · deflated Sharpe probability ${formatShareRatio(luck.probability)}`}
        flush
      >
        <Facts
          facts={[
            { label: 'Reality check, p', value: formatFixed(verdict.p, 3) },
            { label: 'Tries counted', value: formatCount(luck.tries) },
            { label: 'Independent tries they stand for', value: formatFixed(luck.effectiveTries, 1) },
            { label: 'Mean correlation of the combinations', value: formatFixed(luck.meanCorrelation, 2) },
            { label: 'Deflated Sharpe probability', value: formatShareRatio(luck.probability) },
            {
              label: 'Days until it would stand above luck',
              value: luck.minTrackRecordDays === null ? UNKNOWN : formatCount(Math.ceil(luck.minTrackRecordDays)),
            },
            { label: 'Days searched', value: formatCount(searched.days) },
            model !== null && {
              label: `Searched candles that ${model.version} had seen`,
              value: formatShareRatio(model.seenRatio),
            },
          ]}
        />
        <Note>
          Sharpe ratios are yearly, of what each day brought over holding the share that was held on average. The
          reality check asks how often the best of all combinations does as well on reshuffled histories without any
          edge; at most 5% is asked.
        </Note>
      </Folded>
      <Folded title="What was searched" flush>
        <Facts
          facts={[
            ...parameters.map(({ label, values }) => ({ label, value: values.join(', ') })),
            { label: 'It took', value: formatDuration(1000 * seconds) },
          ]}
        />
      </Folded>
    </>
  )
}
