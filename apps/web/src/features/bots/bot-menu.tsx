import { Box, Divider, IconButton, Menu, MenuItem, Typography } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import { models } from '@shapecast/contracts/ml'
import { Ellipsis, Globe, Lock, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { strategyWords } from './bot-words.ts'
import { DeleteBotDialog } from './delete-bot-dialog.tsx'
import { RealMoneyDialog } from './real-money-dialog.tsx'
import { useBotActions } from './use-bots.ts'

/** Rare actions of an owner or admin: model, visibility, stop, delete. */
export function BotMenu({ bot }: { bot: Bot }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [dialog, setDialog] = useState<'delete' | 'stop' | null>(null)
  const actions = useBotActions()
  const params = { id: bot.id }
  const close = () => setAnchor(null)
  const choose = (act: () => void) => () => {
    close()
    act()
  }
  const isPublic = bot.visibility === 'public'
  return (
    <>
      <IconButton
        size="small"
        aria-label={`More about ${bot.name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {bot.strategy === 'ml' && <ModelChoice bot={bot} onChosen={close} />}
        {bot.strategy === 'ml' && <Divider />}
        <MenuItem
          onClick={choose(() =>
            actions.change.mutate({ params, body: { visibility: isPublic ? 'private' : 'public' } }),
          )}
        >
          {isPublic ? <Lock size={16} /> : <Globe size={16} />}
          <Box component="span" sx={{ ml: 1.25 }}>
            {isPublic ? 'Make Private' : 'Make Public'}
          </Box>
        </MenuItem>
        {bot.status === 'active' && (
          <MenuItem
            onClick={choose(() => (bot.isVirtual ? actions.stop.mutate({ params, body: {} }) : setDialog('stop')))}
          >
            <Square size={16} />
            <Box component="span" sx={{ ml: 1.25 }}>
              Stop
            </Box>
          </MenuItem>
        )}
        <MenuItem onClick={choose(() => setDialog('delete'))} sx={{ color: colors.down }}>
          <Trash2 size={16} />
          <Box component="span" sx={{ ml: 1.25 }}>
            Delete
          </Box>
        </MenuItem>
      </Menu>
      {dialog === 'delete' && <DeleteBotDialog bot={bot} remove={actions.remove} onClose={() => setDialog(null)} />}
      {dialog === 'stop' && (
        <RealMoneyDialog bot={bot} action="stop" call={actions.stop} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

const FOLLOW_CURRENT = '(current)'

/** The model that it trades on now, and another one; an ensemble is fixed when the bot is created. */
function ModelChoice({ bot, onChosen }: { bot: Bot; onChosen: () => void }) {
  const reply = useEndpointQuery(models, {})
  const { change } = useBotActions()
  const choose = (value: string) => {
    change.mutate({ params: { id: bot.id }, body: { mlModelVersion: value === FOLLOW_CURRENT ? null : value } })
    onChosen()
  }
  return (
    // Keys typed here choose a model; the menu would take them as its own.
    <Box sx={{ px: 1.5, pt: 1, pb: 1.5, width: 260 }} onKeyDown={(event) => event.stopPropagation()}>
      <Typography variant="label" sx={{ display: 'block', mb: 1, color: colors.text2 }}>
        Trades on {strategyWords(bot).replace('ML · ', '')}
      </Typography>
      {bot.mlModelVersions === null && (
        <SelectField
          label="Model"
          value={bot.mlModelVersion ?? FOLLOW_CURRENT}
          onChange={choose}
          options={[
            { value: FOLLOW_CURRENT, label: 'Always the current model', note: reply.data?.current ?? '' },
            ...(reply.data?.models ?? []).map((model) => ({
              value: model.version,
              label: model.version,
              note: model.stage,
            })),
          ]}
        />
      )}
    </Box>
  )
}
