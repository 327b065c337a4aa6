import type { WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { ruleWords } from '#entities/models/direction-verdict.ts'
import { directionOf, formatCounted, formatRatio } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio, formatShareRatioShort } from '#kit/format/percent.ts'
import { Evidence } from '#kit/ui/evidence.tsx'
import { directionColor } from '#kit/ui/text.tsx'
import { Verdict } from '../verdict.tsx'
import { calledWords, intervalLine, walkWords } from './walk-words.ts'

/** What a walk says, led by what it was asked: whether the settings kept their promise, or the model did. */
export function WalkVerdict({ result }: { result: WalkForwardResult }) {
  const { folds, metrics, efficiency, holdDrawdownPct, retrained } = result
  const ahead = folds.filter(({ outOfSample }) => outOfSample.netReturnPct > outOfSample.holdPct).length
  return (
    <Verdict {...(retrained === undefined ? walkWords(result) : calledWords(result, retrained))}>
      {retrained !== undefined && <Called {...retrained} />}
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
      {retrained === undefined && (
        <Evidence label="Efficiency" value={formatShareRatioShort(efficiency)}>
          Sharpe {formatRatio(result.outOfSampleSharpe)} of {formatRatio(result.inSampleSharpe)} promised
        </Evidence>
      )}
      <Evidence label="Ahead of holding" value={`${ahead} of ${folds.length}`}>
        {formatCounted(metrics.trades, 'trade')} in all
      </Evidence>
      <Evidence label="Worst drawdown" value={formatChangePct(-metrics.maxDrawdownPct)}>
        holding {formatChangePct(-holdDrawdownPct)}
      </Evidence>
    </Verdict>
  )
}

/** Directions called right, by whom. */
function Called({ ahead, single, direction }: NonNullable<WalkForwardResult['retrained']>) {
  return (
    <>
      <Evidence label="Right, out of sample" value={formatShareRatio(ahead.accuracy)}>
        {formatInterval(ahead.interval)}
      </Evidence>
      <Evidence label="One training says" value={formatShareRatio(single.heldOut.accuracy)}>
        {formatInterval(single.heldOut.interval)}
      </Evidence>
      <Evidence label="Better naive rule" value={formatShareRatio(direction.ruleRatio)}>
        {ruleWords(direction.rule)}
      </Evidence>
    </>
  )
}
