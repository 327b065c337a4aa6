import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { RISK_LABEL, sizeWords, strategyWords } from '../../../shared/bots/bot-words.ts'
import { UNKNOWN } from '../../../shared/format/number.ts'
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
      <Facts
        well
        facts={[
          { label: 'Symbol', value: bot?.tradingPairs[0] ?? UNKNOWN },
          { label: 'Strategy', value: bot === undefined ? UNKNOWN : strategyWords(bot) },
          { label: 'Position size', value: bot === undefined ? UNKNOWN : sizeWords(bot, () => market) },
          { label: 'Risk level', value: bot === undefined ? UNKNOWN : RISK_LABEL[bot.riskLevel] },
        ]}
      />
    </>
  )
}
