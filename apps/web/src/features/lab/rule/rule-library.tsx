import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { ruleLibrary } from '@shapecast/contracts/rules'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { formatCounted, formatFixed } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Button } from '#kit/ui/button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import css from './rule-library.module.css'

interface ChosenRule {
  readonly text: string
  readonly timeframe: Timeframe
  readonly name: string
}

/** Published rules to begin from, each with its source and what it did. */
export function RuleLibrary({ onUse, onClose }: { onUse: (rule: ChosenRule) => void; onClose: () => void }) {
  const library = useEndpointQuery(ruleLibrary, {}, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Dialog
      title="Published rules"
      subtitle="Each as its author has it, on closes of daily candles, long only"
      widthPx={760}
      flush
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <QueryBoundary reply={library} title="The rules could not be loaded" inset>
        <Note className={layout.inset}>Loading the rules…</Note>
      </QueryBoundary>
      {library.data !== undefined && <LibraryRows {...library.data} onUse={onUse} />}
    </Dialog>
  )
}

function LibraryRows({ stretch, rules, onUse }: ReplyOf<typeof ruleLibrary> & { onUse: (rule: ChosenRule) => void }) {
  return (
    <ul className={layout.list}>
      {rules.map(({ id, name, source, rule, did }) => (
        <li key={id} className={css.rule}>
          <Row gap={1} between>
            <Text weight={500}>{name}</Text>
            <Button
              size="small"
              aria-label={`Begin from ${name}`}
              onClick={() => onUse({ text: rule, timeframe: stretch.timeframe, name })}
            >
              Begin from it
            </Button>
          </Row>
          <pre className={css.text}>{rule}</pre>
          <Note tone="text2">
            {stretch.symbol} {stretch.timeframe}, {stretch.from} to {stretch.to}: {formatChangePct(did.totalReturnPct)}{' '}
            (holding {formatChangePct(stretch.holdPct)}), worst drawdown {formatFixed(-did.maxDrawdownPct, 0)}%,{' '}
            {formatCounted(did.trades, 'trade')};{' '}
            {did.p === null
              ? 'too few trades to tell'
              : `against random entries p = ${formatFixed(did.p, 3)}, ${did.p <= 0.05 ? 'better' : 'cannot tell'}`}
            .
          </Note>
          <Note>{source}</Note>
        </li>
      ))}
    </ul>
  )
}
