import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { RISK_LABEL, sizeWords, strategyWords } from '../../../shared/bots/bot-words.ts'
import { Facts } from '../../../shared/ui/facts.tsx'
import { SelectField } from '../../../shared/ui/select-field.tsx'
import { botLabel } from './options.ts'

export interface BotChoiceProps {
  bots: readonly Bot[] | undefined
  bot: Bot | undefined
  market: Market | undefined
  error: string | undefined
  onChange: (botId: string) => void
  /** Why there is nothing to choose; undefined where there is. */
  emptyReason: string | undefined
}

/** Which bot is tested, and what it is. */
export function BotChoice({ bots, bot, market, error, onChange, emptyReason }: BotChoiceProps) {
  const symbol = bot?.tradingPairs[0]
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
        error={error}
      />
      {bot !== undefined && symbol !== undefined && (
        <Facts
          well
          facts={[
            { label: 'Symbol', value: symbol },
            { label: 'Strategy', value: strategyWords(bot) },
            { label: 'Position size', value: sizeWords(bot, () => market) },
            { label: 'Risk level', value: RISK_LABEL[bot.riskLevel] },
          ]}
        />
      )}
    </>
  )
}
