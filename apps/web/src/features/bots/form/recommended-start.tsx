import { defaultBalance, defaultDrawdown, POLICIES } from '@shapecast/contracts/policies'
import { RECOMMENDED_START } from '@shapecast/contracts/policy-figures'
import { Check, Compass, Undo2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { coinOf } from '#entities/bots/bot-words.ts'
import { RecommendedWords } from '#entities/bots/recommended-words.tsx'
import { formatMoney } from '#kit/format/money.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button } from '#kit/ui/button.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import css from './bot-form.module.css'
import { type BotForm, NEW_BOT } from './bot-form.ts'

const { policy, riskLevel, tradingPairs, initialBalance, maxDrawdown } = RECOMMENDED_START
const NAME = POLICIES[policy].name

/** What the one press fills in beside a name that is missing; description and who sees it stay. Null where this market has none of its pairs. */
export function recommendedStart(pairs: readonly string[]): Partial<BotForm> | null {
  const offered = tradingPairs.filter((pair) => pairs.includes(pair))
  if (offered.length === 0) return null
  const { strategy, marketType, timeframe, isEnsemble, version, versions, sizeUnit, size } = NEW_BOT
  const plain = { strategy, marketType, timeframe, isEnsemble, version, versions, sizeUnit, size }
  return {
    ...plain,
    takeProfitPct: 0,
    stopLossPct: 0,
    policy,
    riskLevel,
    tradingPairs: offered,
    initialBalance: Math.max(initialBalance, defaultBalance(policy, offered.length)),
    ownBalance: false,
    maxDrawdown: Math.max(maxDrawdown, defaultDrawdown(policy, riskLevel)),
    ownDrawdown: false,
  }
}

const isIn = (form: BotForm, start: Partial<BotForm>): boolean =>
  (['policy', 'riskLevel', 'initialBalance', 'maxDrawdown', 'marketType', 'strategy'] as const).every(
    (field) => form[field] === start[field],
  ) && form.tradingPairs.join() === start.tradingPairs?.join()

export interface Recommended {
  /** Null where this market has none of its pairs. */
  readonly start: Partial<BotForm> | null
  readonly isTaken: boolean
  take(): void
  /** Absent where it was not taken here. */
  readonly undo: (() => void) | undefined
}

/** The one start that a newcomer can take with one press, and the way back; `atOnce` it was pressed elsewhere. */
export function useRecommended(
  form: BotForm,
  change: (change: Partial<BotForm>) => void,
  pairs: readonly string[],
  atOnce: boolean,
): Recommended {
  const [before, setBefore] = useState<BotForm | null>(null)
  const start = recommendedStart(pairs)
  const [waits, setWaits] = useState(atOnce)
  const take = () => {
    setBefore(form)
    change({ ...start, name: form.name || NAME })
  }
  const takeAtOnce = useEffectEvent(() => {
    setWaits(false)
    take()
  })
  const isReady = start !== null
  useEffect(() => {
    if (waits && isReady) takeAtOnce()
  }, [waits, isReady])
  const undo = before === null ? undefined : () => change(before)
  return { start, isTaken: start !== null && isIn(form, start), take, undo }
}

/** At the head of the dialog: the recommended start with what it did. */
export function RecommendedStart({
  recommended: { start, isTaken, take, undo },
  isVirtual,
}: {
  recommended: Recommended
  isVirtual: boolean
}) {
  if (start === null) return null
  const coins = (start.tradingPairs ?? []).map(coinOf).join(' and ')
  const settings = `${formatMoney(start.initialBalance)} USDT, limit ${start.maxDrawdown}%`
  return (
    <div className={css.band} role={isTaken ? 'status' : undefined}>
      {isTaken ? <Check size={18} color={colors.text2} /> : <Compass size={18} color={colors.accent} />}
      <div>
        {isTaken ? (
          <Text size="small">
            <strong>The recommended settings are in.</strong> {NAME} on {coins}, medium risk, {settings}.
            {isVirtual && ' All of it is virtual money.'}
          </Text>
        ) : (
          <Text>
            Recommended to begin with:{' '}
            <strong>
              {NAME} on {coins}
            </strong>
            , medium risk, {settings}
          </Text>
        )}
        <RecommendedWords />
      </div>
      {!isTaken && (
        <Button size="small" onClick={take}>
          Use these
        </Button>
      )}
      {isTaken && undo !== undefined && (
        <Button variant="text" size="small" startIcon={<Undo2 />} onClick={undo}>
          Undo
        </Button>
      )}
    </div>
  )
}
