import { Box, Typography } from '@mui/material'
import type { startBot, stopBot } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { useState } from 'react'
import { errorText } from '../../shared/api/error-text.ts'
import type { useEndpointMutation } from '../../shared/api/use-endpoint.ts'
import { formatMoneyUnit } from '../../shared/format/money.ts'
import { formatLimitPct } from '../../shared/format/percent.ts'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'
import { sizeWords, strategyWords } from './bot-words.ts'

const WORDS = 'real money'

type Call = Pick<
  ReturnType<typeof useEndpointMutation<typeof startBot>> | ReturnType<typeof useEndpointMutation<typeof stopBot>>,
  'isPending' | 'error'
> & {
  mutate: (
    input: { params: { id: string }; body: { confirm: typeof WORDS; code?: string } },
    on: { onSuccess: () => void },
  ) => void
}

export interface RealMoneyDialogProps {
  bot: Bot
  action: 'start' | 'stop'
  call: Call
  onClose: () => void
}

/** Says what real money will do, and asks for the words 'real money' and, to start, a code of the second factor. */
export function RealMoneyDialog({ bot, action, call, onClose }: RealMoneyDialogProps) {
  const [words, setWords] = useState('')
  const [code, setCode] = useState('')
  const starts = action === 'start'
  const typed = words.trim().toLowerCase() === WORDS
  const confirm = () =>
    call.mutate(
      { params: { id: bot.id }, body: { confirm: WORDS, ...(starts && code !== '' && { code }) } },
      { onSuccess: onClose },
    )
  return (
    <ConfirmDialog
      title={starts ? `Start ${bot.name} with real money?` : `Stop ${bot.name} and close its position?`}
      text={starts ? startText(bot) : 'Its open orders are cancelled and its position is closed at the market price.'}
      subject={
        <Box sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="small">
            {[bot.venue, strategyWords(bot), bot.tradingPairs.join(', '), sizeWords(bot, () => undefined)].join(' · ')}
          </Typography>
          <TextField label={`Type ${WORDS}`} value={words} onChange={(event) => setWords(event.target.value)} />
          {starts && (
            <TextField
              label="Code of your authenticator"
              labelNote="if you have one"
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Box>
      }
      confirmLabel={starts ? 'Start with real money' : 'Stop and close'}
      whyNot={typed ? undefined : `Type the words ${WORDS} first`}
      onConfirm={confirm}
      onClose={onClose}
      busy={call.isPending}
      error={call.error === null ? undefined : errorText(call.error, 'The server does not answer. Try again.')}
    />
  )
}

const startText = (bot: Bot): string =>
  `It sends orders to the exchange with your keys, and may use ${formatMoneyUnit(bot.initialBalance, 'USDT')}. ` +
  `If that falls by ${formatLimitPct(bot.maxDrawdown)} it sells at the next price and pauses; a gap can make it more. ` +
  'It goes on until you stop it. Losses are real and final.'
