import { exchangeName, exchangeOf } from '@shapecast/contracts/exchanges'
import { Text } from '#kit/ui/primitives.tsx'
import { useHealth } from '#wire/calls/use-health.ts'
import css from './bot-form.module.css'
import type { BotForm } from './bot-form.ts'
import { FieldRow, FormSection, ToggleField, useBotForm } from './form-section.tsx'

const VISIBILITY_HINT = {
  private: 'Visible only to you and administrators',
  public: 'Visible to all users (read-only for others)',
} as const

/** What stands in the way of real money here, or that it asks again. */
function realHelp({ marketType }: BotForm, venue: string | undefined): string {
  const exchange = venue === undefined ? undefined : exchangeOf(venue)
  if (venue !== undefined && exchange === undefined)
    return 'The market of this installation is no exchange that takes real orders: it can be created, not started.'
  if (exchange?.[marketType] === null) return `Real ${marketType} are not traded on ${exchangeName(exchange.id)} here.`
  const asks = 'Real money asks once more before each start.'
  return marketType === 'futures' ? `Isolated margin: a liquidation loses all of it. ${asks}` : asks
}

/** Who sees it, and with whose money it trades. */
export function AccessSection({ isAdmin }: { isAdmin: boolean }) {
  const { form, change, field } = useBotForm()
  const venue = useHealth().data?.venue
  return (
    <FormSection title="Access">
      <FieldRow columns="repeat(2, minmax(0, 1fr))">
        <ToggleField
          {...field('visibility')}
          help={VISIBILITY_HINT[form.visibility]}
          choices={{ private: 'Private', public: 'Public' }}
        />
        {isAdmin ? (
          <ToggleField
            label="Mode"
            labelNote="admin only"
            help={form.isVirtual ? 'No real order is ever sent.' : realHelp(form, venue)}
            value={form.isVirtual ? 'virtual' : 'real'}
            onChange={(mode) => change({ isVirtual: mode === 'virtual' })}
            choices={{ virtual: 'Virtual', real: 'Real money' }}
          />
        ) : (
          <Text size="small" tone="text2" className={css.beside}>
            Virtual mode only - test strategies safely without real money
          </Text>
        )}
      </FieldRow>
    </FormSection>
  )
}
