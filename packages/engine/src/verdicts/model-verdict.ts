import type { DirectionVerdict, Evaluation, ModelVerdict } from '@shapecast/contracts/evaluation'

const PROMISED = 0.9
/** What one artifact's coverage may be off by, as ratios: 3 points one candle ahead, 6 points eight ahead. */
const NEAR = { horizon: 1, ratio: 0.03 } as const
const FAR = { horizon: 8, ratio: 0.06 } as const

/** How far the coverage of the 90 % range may lie from 90 % at a horizon, ratio: a straight line between 1 and 8. */
export function coverageTolerance(horizon: number): number {
  const way = (Math.min(FAR.horizon, Math.max(NEAR.horizon, horizon)) - NEAR.horizon) / (FAR.horizon - NEAR.horizon)
  return NEAR.ratio + way * (FAR.ratio - NEAR.ratio)
}

type Judged = Pick<Evaluation, 'trading' | 'uncertainty' | 'pinballSkillOverEwma' | 'pinballSkillOverHistorical'> & {
  readonly fan: readonly Pick<Evaluation['fan'][number], 'horizon' | 'coverage90' | 'outcomes'>[]
}
type FanPoint = Judged['fan'][number]

type RangeCode = NonNullable<ModelVerdict['range']>['code']

function rangeCode({ horizon, coverage90 }: FanPoint): RangeCode {
  const off = coverage90 - PROMISED
  if (Math.abs(off) <= coverageTolerance(horizon)) return 'kept_promise'
  return off < 0 ? 'too_narrow' : 'too_wide'
}

function rangeOf(near: FanPoint | undefined): ModelVerdict['range'] {
  if (near === undefined) return null
  const code = rangeCode(near)
  const inside = Math.round(near.coverage90 * near.outcomes)
  return { code, holdsUp: code === 'kept_promise', inside, outcomes: near.outcomes }
}

function fanOf(fan: readonly FanPoint[]): ModelVerdict['fan'] {
  const off = fan.flatMap((point) => {
    const code = rangeCode(point)
    return code === 'kept_promise' ? [] : [{ horizon: point.horizon, code }]
  })
  const codes = new Set(off.map(({ code }) => code))
  const [only] = codes
  return {
    code: fan.length === 0 ? 'not_judged' : codes.size > 1 ? 'mixed' : (only ?? 'kept_promise'),
    offHorizons: off.map(({ horizon }) => horizon),
  }
}

/** What may be luck is no success, and neither is less than holding the coin. */
function tradingOf({ trading, uncertainty }: Judged): ModelVerdict['trading'] {
  const { netPct } = trading.signal
  const hold = trading.buyAndHold.netPct
  const aheadPct = netPct - hold
  const interval = uncertainty?.tradedNetPct ?? null
  const code = netPct < 0 ? 'lost_money' : interval !== null && interval[0] <= 0 ? 'may_be_luck' : 'made_money'
  return {
    code,
    holdsUp: code === 'made_money' && aheadPct >= 0,
    aheadPct,
    isApartFromHold: interval !== null && (hold < interval[0] || hold > interval[1]),
  }
}

function skillOf({ pinballSkillOverEwma, pinballSkillOverHistorical }: Judged): ModelVerdict['skill'] {
  if (pinballSkillOverEwma > 0) return pinballSkillOverHistorical > 0 ? 'both' : 'ewma'
  return pinballSkillOverHistorical > 0 ? 'historical' : 'neither'
}

/** What an evaluation on unseen candles says of a model, beside how its direction did. */
export function modelVerdict(evaluation: Judged, direction: DirectionVerdict): ModelVerdict {
  const range = rangeOf(evaluation.fan[0])
  const trading = tradingOf(evaluation)
  return {
    range,
    direction,
    trading,
    fan: fanOf(evaluation.fan),
    skill: skillOf(evaluation),
    next: direction.holdsUp && trading.holdsUp ? 'backtest' : range?.holdsUp ? 'size_only' : 'train_again',
  }
}
