import type { Model, ModelArtifact } from '@shapecast/contracts/ml'
import { type Prediction, predictMulti } from '@shapecast/contracts/predictions'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { SignalChip } from '#entities/markets/trading-chips.tsx'
import { ModelChips, ModelVerdict, VersionDriftChip } from '#entities/models/model-chips.tsx'
import { isPoor, shortVerdict } from '#entities/models/signal-words.ts'
import { StageButton } from '#entities/models/stage-button.tsx'
import { formatPrice } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { call } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'
import css from './model-row.module.css'

/** `BTC` of `BTCUSDT`. */
const coinOf = (symbol: string): string => (symbol.endsWith('USDT') && symbol !== 'USDT' ? symbol.slice(0, -4) : symbol)

const distinct = (values: readonly string[]) => [...new Set(values)]

/** What a version is trained on: `BTC, 1h`, `4 coins, 1h`, `BTC, 1h and 4h`. */
export function seriesWords(artifacts: readonly Pick<ModelArtifact, 'symbol' | 'timeframe'>[]): string {
  const coins = distinct(artifacts.map(({ symbol }) => coinOf(symbol)))
  const timeframes = distinct(artifacts.map(({ timeframe }) => timeframe))
  if (coins.length === 0) return 'not trained yet'
  return `${coins.length === 1 ? coins[0] : formatCounted(coins.length, 'coin')}, ${timeframes.join(' and ')}`
}

/** What a version's accuracy is to be held against: its interval, and the better of the two naive rules. */
export function evidenceWords({ interval, baseline }: Pick<Model['stats'], 'interval' | 'baseline'>): string | null {
  if (interval === null || baseline === null) return null
  return `${formatInterval(interval)} · baseline ${formatShareRatio(baseline)}`
}

interface ModelRowProps {
  model: Model
  isCurrent: boolean
  isManager: boolean
  test: TestState | undefined
  tickSize: number | undefined
  /** Undefined while there is no coin to test on. */
  onTest: (() => void) | undefined
  onStaged: (model: Model, error: unknown) => void
}

/** A version: what it is and how good, what it says now, and what can be done with it. */
export function ModelRow({ model, isCurrent, isManager, test, tickSize, onTest, onStaged }: ModelRowProps) {
  const { last_update: updatedAt } = model.stats
  const evidence = evidenceWords(model.stats)
  return (
    <li className={`${layout.listRow} ${css.row}`}>
      <div style={{ gridArea: 'name', minWidth: 0 }}>
        <Row gap={1} lineGap={0.5} wrap>
          <Link
            as={RouterLink}
            to={paths.model(model.version)}
            className={layout.touchAlone}
            style={{ fontSize: '0.9375rem', fontWeight: 500, color: colors.text }}
          >
            {model.version}
          </Link>
          <ModelChips model={model} isCurrent={isCurrent} />
          <VersionDriftChip version={model.version} />
        </Row>
        <Text size="small" tone="text2" above={0.5}>
          {updatedAt !== null && (
            <>
              Updated <Ago ms={updatedAt} /> ·{' '}
            </>
          )}
          {seriesWords(model.artifacts)}
          {evidence !== null && (
            <>
              <span className={layout.visuallyHidden}>{' · '}</span>
              <span style={{ display: 'block' }}>{evidence}</span>
            </>
          )}
        </Text>
      </div>
      <div className={layout.unlessEmpty} style={{ gridArea: 'verdict', minWidth: 0 }}>
        <ModelVerdict model={model} />
      </div>
      <div style={{ gridArea: 'result', minWidth: 0 }}>
        <TestResult state={test} tickSize={tickSize} />
      </div>
      <Row gap={1} style={{ gridArea: 'actions' }}>
        <Button
          size="small"
          aria-label={`Test ${model.version}`}
          disabled={onTest === undefined}
          title={onTest === undefined ? 'Choose a coin first' : undefined}
          {...busyButton(test?.kind === 'testing', () => onTest?.())}
        >
          Test
        </Button>
        {isManager && (
          <div className={css.stage}>
            <StageButton model={model} onStaged={onStaged} />
          </div>
        )}
      </Row>
    </li>
  )
}

function TestResult({ state, tickSize }: { state: TestState | undefined; tickSize: number | undefined }) {
  return (
    <Row gap={0} role="status" style={{ minWidth: 0, minHeight: state === undefined ? 0 : 22 }}>
      {state?.kind === 'testing' && (
        <Text as="span" size="small" tone="text2">
          Testing…
        </Text>
      )}
      {state?.kind === 'failed' && (
        <Text as="span" size="small" tone="warn" breaks style={{ display: 'flex', alignItems: 'flex-start', gap: 6 }}>
          <TriangleAlert size={14} aria-hidden style={{ marginTop: 2, flexShrink: 0 }} />
          <span>{state.text}</span>
        </Text>
      )}
      {state?.kind === 'said' && (
        <div style={{ display: 'grid', alignItems: 'center', gridTemplateColumns: '68px 58px auto', columnGap: 8 }}>
          {isPoor(state.prediction.verdict) && (
            <Text as="span" size="small" style={{ gridColumn: '1 / -1' }}>
              {shortVerdict(state.prediction.verdict)}
            </Text>
          )}
          <span>
            <SignalChip signal={state.prediction.signal} isQuiet={isPoor(state.prediction.verdict)} />
          </span>
          <Text as="span" title="Confidence" weight={600}>
            {formatShareRatio(state.prediction.confidence)}
          </Text>
          <Text as="span" title="Current price" tone="text2">
            {formatPrice(state.prediction.current_price, tickSize)}
          </Text>
        </div>
      )}
    </Row>
  )
}

const TEST_CANDLES = 300
const TEST_FAILED = 'Test failed'

export type TestState =
  | { readonly kind: 'testing' }
  | { readonly kind: 'said'; readonly prediction: Prediction }
  | { readonly kind: 'failed'; readonly text: string }

type Results = Readonly<Record<string, TestState>>

async function ask(versions: readonly string[], series: SeriesChoice): Promise<Results> {
  const { results } = await call(predictMulti, { body: { versions: [...versions], ...series, limit: TEST_CANDLES } })
  return Object.fromEntries(
    results.map(({ version, prediction, error }): [string, TestState] => [
      version,
      prediction === null ? { kind: 'failed', text: error ?? TEST_FAILED } : { kind: 'said', prediction },
    ]),
  )
}

/** What versions say at the last candle of a series, asked for by a press. Another series clears the answers. */
export function useModelTest(series: SeriesChoice | null) {
  const seriesKey = series === null ? '' : `${series.symbol} ${series.timeframe}`
  const [held, setHeld] = useState<{ seriesKey: string; results: Results }>({ seriesKey, results: {} })
  const results = held.seriesKey === seriesKey ? held.results : {}
  const put = (more: Results) =>
    setHeld((before) => ({
      seriesKey,
      results: before.seriesKey === seriesKey ? { ...before.results, ...more } : more,
    }))
  const all = (versions: readonly string[], state: TestState): Results =>
    Object.fromEntries(versions.map((version) => [version, state]))

  return {
    results,
    /** One version; where it fails, its row says so. */
    testOne: async (version: string) => {
      if (series === null) return
      put(all([version], { kind: 'testing' }))
      const failed = (error: unknown) => all([version], { kind: 'failed', text: errorText(error, TEST_FAILED) })
      put(await ask([version], series).catch(failed))
    },
    /** Several at once; a failure clears the results. */
    testSeveral: async (versions: readonly string[]) => {
      if (series === null || versions.length === 0) return
      put(all(versions, { kind: 'testing' }))
      const answers = await ask(versions, series).catch(() => null)
      if (answers === null) setHeld({ seriesKey, results: {} })
      else put(answers)
    },
    isTesting: Object.values(results).some(({ kind }) => kind === 'testing'),
  }
}
