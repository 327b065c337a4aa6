import { pauseBot, stopBot } from '@shapecast/contracts/bot-changes'
import type { Bot } from '@shapecast/contracts/bots'
import { useMutation } from '@tanstack/react-query'
import { Columns2, Pause, Square } from 'lucide-react'
import { useState } from 'react'
import { closingCost } from '#entities/trade/order-estimate.ts'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Choice, Choices } from '#kit/ui/choice.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Column, Row, Text } from '#kit/ui/primitives.tsx'
import { call } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'
import css from './bots-toolbar.module.css'

/** Does something with each bot in turn; throws what went wrong, by name, once all were tried. */
async function withEach(bots: readonly Bot[], act: (bot: Bot) => Promise<unknown>): Promise<void> {
  const failures: string[] = []
  for (const bot of bots)
    try {
      await act(bot)
    } catch (error) {
      failures.push(`${bot.name}: ${errorText(error, 'the server did not answer; look before you try again.')}`)
    }
  if (failures.length > 0) throw new Error(failures.join(' '))
}

const useWithEach = (endpoint: typeof pauseBot | typeof stopBot, onDone: () => void) =>
  useMutation({
    mutationFn: ({ bots, act }: { bots: readonly Bot[]; act: (bot: Bot) => Promise<unknown> }) => withEach(bots, act),
    meta: { changes: [endpoint] },
    onSuccess: onDone,
  })

const MOST_COMPARED = 5

/** What can be done with the bots that were chosen in the table. */
export function BulkBar({
  chosen,
  onCompare,
  onClear,
}: {
  chosen: readonly Bot[]
  onCompare: () => void
  onClear: () => void
}) {
  const pause = useWithEach(pauseBot, onClear)
  const stop = useWithEach(stopBot, onClear)
  const [asks, setAsks] = useState(false)
  const active = chosen.filter(({ status }) => status === 'active')
  const running = chosen.filter(({ status }) => status !== 'stopped')
  const failure = pause.error ?? stop.error
  const mayCompare = chosen.length > 1 && chosen.length <= MOST_COMPARED
  const stopAll = (position: 'keep' | 'sell') => {
    setAsks(false)
    const act = (bot: Bot) =>
      call(stopBot, { params: { id: bot.id }, body: { position: bot.isVirtual ? position : 'keep' } })
    stop.mutate({ bots: running, act })
  }
  const holds = running.some(({ positions }) => positions.length > 0)
  return (
    <Column gap={1}>
      <Row gap={1} lineGap={2} wrap role="toolbar" aria-label="Bots that are chosen" className={css.bulk}>
        <Text as="span" weight={500} role="status">
          {chosen.length} selected
        </Text>
        <Button
          size="small"
          startIcon={<Pause size={14} />}
          disabled={active.length === 0}
          {...busyButton(pause.isPending, () =>
            pause.mutate({ bots: active, act: ({ id }) => call(pauseBot, { params: { id } }) }),
          )}
        >
          Pause {active.length}
        </Button>
        <Button
          size="small"
          startIcon={<Square size={14} />}
          disabled={running.length === 0}
          {...busyButton(stop.isPending, () => (holds ? setAsks(true) : stopAll('keep')))}
        >
          {stop.isPending ? 'Stopping…' : `Stop ${running.length}`}
        </Button>
        <Button
          size="small"
          startIcon={<Columns2 size={14} />}
          disabled={!mayCompare}
          {...(!mayCompare && { title: 'Two to five bots can be compared' })}
          onClick={onCompare}
        >
          Compare
        </Button>
        <Button size="small" variant="text" onClick={onClear}>
          Clear
        </Button>
      </Row>
      {failure !== null && <Banner kind="error" title={failure.message} />}
      {asks && <StopAllDialog bots={running} onStop={stopAll} onClose={() => setAsks(false)} />}
    </Column>
  )
}

function StopAllDialog({
  bots,
  onStop,
  onClose,
}: {
  bots: readonly Bot[]
  onStop: (position: 'keep' | 'sell') => void
  onClose: () => void
}) {
  const [position, setPosition] = useState<'keep' | 'sell'>('keep')
  const sells = position === 'sell'
  const holding = bots.filter(({ positions }) => positions.length > 0)
  const real = holding.filter(({ isVirtual }) => !isVirtual)
  return (
    <ConfirmDialog
      title={`Stop ${formatCounted(bots.length, 'bot')}?`}
      text={`${holding.map(({ name }) => name).join(', ')} ${holding.length === 1 ? 'holds' : 'hold'} a position.${
        real.length > 0 ? ' What is held with real money is kept: sell it bot by bot.' : ''
      }`}
      subject={
        <Choices label="Positions" value={position} onChange={setPosition}>
          <Choice value="keep" title="Keep the positions">
            Nothing acts on them: no stop-loss, no take profit, no limit. A start goes on with them.
          </Choice>
          <Choice value="sell" title="Close them now">
            At the newest price: about{' '}
            {formatMoneyUnit(
              holding
                .filter(({ isVirtual }) => isVirtual)
                .reduce((sum, { positions, parameters }) => sum + closingCost(positions, parameters?.costs), 0),
              'USDT',
            )}{' '}
            of fee and slippage.
          </Choice>
        </Choices>
      }
      confirmLabel={sells ? 'Stop and close' : 'Stop and keep'}
      tone={sells ? 'danger' : 'contained'}
      onConfirm={() => onStop(position)}
      onClose={onClose}
    />
  )
}
