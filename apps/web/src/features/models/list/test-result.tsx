import { TriangleAlert } from 'lucide-react'
import { SignalChip } from '#entities/markets/trading-chips.tsx'
import { isPoor, shortVerdict } from '#entities/models/signal-words.ts'
import { formatPrice } from '#kit/format/money.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import type { TestState } from './use-model-test.ts'

/** What a test said: signal, confidence and price, or the error as a warning. Read aloud when it comes. */
export function TestResult({ state, tickSize }: { state: TestState | undefined; tickSize: number | undefined }) {
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
