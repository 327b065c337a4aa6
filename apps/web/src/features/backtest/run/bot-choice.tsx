import type { Bot } from '@shapecast/contracts/bots'
import { RISK_LABEL, sizeWords, strategyWords } from '#entities/bots/bot-words.ts'
import { costValuesOf } from '#entities/bots/costs.ts'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { UNKNOWN } from '#kit/format/number.ts'
import { Facts } from '#kit/ui/facts.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { botLabel } from './options.ts'
import { whyNothing } from './use-choices.ts'
import type { PartProps } from './use-parameters.ts'

/** Which bot is tested, and what it is. */
export function BotChoice({ form: { change }, test: { bot, symbol }, choices }: PartProps) {
  const { bots } = choices
  const market = useMarketOf(symbol ?? '')
  const emptyReason = whyNothing('bot', choices)
  const of = (words: (chosen: Bot) => string | undefined) => (bot && words(bot)) ?? UNKNOWN
  return (
    <>
      <SelectField
        label="Bot"
        value={bot?.id ?? ''}
        onChange={(botId) => {
          const { costs } = bots?.find(({ id }) => id === botId)?.parameters ?? {}
          change({ botId, ...(costs !== undefined && costValuesOf(costs)) })
        }}
        options={(bots ?? []).map((one) => ({ value: one.id, label: botLabel(one) }))}
        placeholder={bots === undefined && emptyReason === undefined ? 'Loading…' : 'Select a bot'}
        disabled={bots === undefined || bots.length === 0}
        help={emptyReason}
      />
      <Facts
        well
        facts={[
          { label: 'Symbol', value: of(({ tradingPairs }) => tradingPairs[0]) },
          { label: 'Strategy', value: of(strategyWords) },
          { label: 'Position size', value: of((chosen) => sizeWords(chosen, () => market)) },
          { label: 'Risk level', value: of(({ riskLevel }) => RISK_LABEL[riskLevel]) },
        ]}
      />
    </>
  )
}
