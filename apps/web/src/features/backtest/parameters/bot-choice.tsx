import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { RISK_LABEL, sizeWords, strategyWords } from '#entities/bots/bot-words.ts'
import { UNKNOWN } from '#kit/format/number.ts'
import { Facts } from '#kit/ui/facts.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { botLabel } from './options.ts'

export interface BotChoiceProps {
  bots: readonly Bot[] | undefined
  bot: Bot | undefined
  market: Market | undefined
  onChange: (botId: string) => void
  /** Why there is nothing to choose; undefined where there is. */
  emptyReason: string | undefined
}

/** Which bot is tested, and what it is. */
export function BotChoice({ bots, bot, market, onChange, emptyReason }: BotChoiceProps) {
  const of = (words: (chosen: Bot) => string | undefined) => (bot && words(bot)) ?? UNKNOWN
  return (
    <>
      <SelectField
        label="Bot"
        value={bot?.id ?? ''}
        onChange={onChange}
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
