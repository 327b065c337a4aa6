import { Box, Button, Typography } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import { Pause, Play, Square } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../shared/api/error-text.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { RealMoneyDialog } from './real-money-dialog.tsx'
import { useBotActions } from './use-bots.ts'

/** Start where it is not active; Pause and Stop where it is. */
export function BotActionButtons({ bot }: { bot: Bot }) {
  const actions = useBotActions()
  const [asked, setAsked] = useState<'start' | 'stop' | null>(null)
  const failure = [actions.start, actions.pause, actions.stop].find((action) => action.isError)?.error
  const params = { id: bot.id }
  const run = (action: 'start' | 'stop') =>
    bot.isVirtual ? actions[action].mutate({ params, body: {} }) : setAsked(action)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
      {bot.status === 'active' ? (
        <>
          <Button
            size="small"
            startIcon={<Pause size={14} />}
            {...busyPress(actions.pause.isPending, () => actions.pause.mutate({ params }))}
          >
            Pause
          </Button>
          <StopButton isBusy={actions.stop.isPending} onStop={() => run('stop')} />
        </>
      ) : (
        <Button size="small" startIcon={<Play size={14} />} {...busyPress(actions.start.isPending, () => run('start'))}>
          {actions.start.isPending ? 'Starting…' : 'Start'}
        </Button>
      )}
      {failure !== undefined && (
        <Typography role="alert" variant="small" sx={{ flexBasis: '100%', color: colors.down }}>
          {errorText(failure, 'The server does not answer. Try again.')}
        </Typography>
      )}
      {asked !== null && (
        <RealMoneyDialog bot={bot} action={asked} call={actions[asked]} onClose={() => setAsked(null)} />
      )}
    </Box>
  )
}

const StopButton = ({ isBusy, onStop }: { isBusy: boolean; onStop: () => void }) => (
  <Button size="small" startIcon={<Square size={14} />} {...busyPress(isBusy, onStop)}>
    {isBusy ? 'Stopping…' : 'Stop'}
  </Button>
)
