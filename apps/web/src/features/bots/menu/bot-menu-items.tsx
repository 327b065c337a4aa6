import type { Bot } from '@shapecast/contracts/bots'
import { models } from '@shapecast/contracts/ml'
import {
  CircleArrowUp,
  Copy,
  Download,
  Globe,
  Lock,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Square,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { heldWords, modelWords } from '#entities/bots/bot-words.ts'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Menu, MenuDivider, MenuItem } from '#kit/ui/menu.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { saveBot } from '../form/bot-file.ts'
import { NOT_TAKEN, offeredModel } from '../model-offer.tsx'
import { type BotActions, useBotActions, useTakeModel } from '../use-bot.ts'
import { StopBotDialog } from './stop-bot-dialog.tsx'

const EditBotDialog = onDemand(async () => (await import('../form/edit-bot-dialog.tsx')).EditBotDialog)

interface BotMenuItemsProps {
  bot: Bot
  /** Where the menu hangs; null while it is closed. */
  anchor: HTMLElement | null
  onClose: () => void
}

/** Rare actions of an owner or admin: model, settings, another like it, visibility, stop, reset, delete. Its dialogs outlive the menu. */
export function BotMenuItems({ bot, anchor, onClose: close }: BotMenuItemsProps) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'reset' | 'stop' | null>(null)
  const actions = useBotActions()
  const params = { id: bot.id }
  const choose = (act: () => void) => () => {
    close()
    act()
  }
  const navigate = useNavigate()
  const take = useTakeModel()
  const offer = offeredModel(bot)
  const isPublic = bot.visibility === 'public'
  return (
    <>
      <Menu
        anchor={anchor}
        onClose={close}
        head={
          bot.strategy === 'ml' && (
            <>
              <ModelChoice bot={bot} onChosen={close} />
              <MenuDivider />
            </>
          )
        }
      >
        {offer !== null && (
          <Entry
            icon={CircleArrowUp}
            disabled={offer.agreed !== null || take.isPending}
            note={
              take.isError
                ? errorText(take.error, NOT_TAKEN)
                : offer.agreed === null && bot.positions.length > 0
                  ? offer.wait
                  : null
            }
            // Until it is known whether that could be done.
            stays
            onClick={() => take.mutate({ params, body: {} }, { onSuccess: close })}
          >
            {offer.agreed ?? (take.isPending ? 'Taking it…' : `Use the newer ${offer.versions}`)}
          </Entry>
        )}
        <Entry icon={Pencil} onClick={choose(() => setDialog('edit'))}>
          Edit
        </Entry>
        <Entry icon={Copy} onClick={choose(() => navigate(paths.copyBot(bot.id)))}>
          Duplicate
        </Entry>
        <Entry icon={Download} onClick={choose(() => saveBot(bot))}>
          Save as file
        </Entry>
        <Entry
          icon={isPublic ? Lock : Globe}
          onClick={choose(() =>
            actions.change.mutate({ params, body: { visibility: isPublic ? 'private' : 'public' } }),
          )}
        >
          {isPublic ? 'Make Private' : 'Make Public'}
        </Entry>
        {bot.status !== 'stopped' && (
          <Entry
            icon={Square}
            onClick={choose(() =>
              bot.positions.length === 0 ? actions.stop.mutate({ params, body: {} }) : setDialog('stop'),
            )}
          >
            Stop
          </Entry>
        )}
        {bot.isVirtual && bot.status === 'stopped' && (
          <Entry icon={RotateCcw} onClick={choose(() => setDialog('reset'))}>
            Reset
          </Entry>
        )}
        <Entry icon={Trash2} isDanger onClick={choose(() => setDialog('delete'))}>
          Delete
        </Entry>
      </Menu>
      {dialog === 'delete' && <DeleteBotDialog bot={bot} actions={actions} onClose={() => setDialog(null)} />}
      {dialog === 'reset' && <ResetBotDialog bot={bot} actions={actions} onClose={() => setDialog(null)} />}
      {dialog === 'edit' && <EditBotDialog bot={bot} onClose={() => setDialog(null)} />}
      {dialog === 'stop' && <StopBotDialog bot={bot} actions={actions} onClose={() => setDialog(null)} />}
    </>
  )
}

/** A line of the menu. */
const Entry = ({
  icon: Icon,
  isDanger = false,
  note = null,
  children,
  ...item
}: {
  icon: LucideIcon
  isDanger?: boolean
  /** A line below what it is called. */
  note?: string | null
  disabled?: boolean
  stays?: boolean
  onClick: () => void
  children: ReactNode
}) => (
  <MenuItem {...item} danger={isDanger} style={{ maxWidth: WIDTH_PX }}>
    <Icon />
    <span>
      {children}
      {note !== null && (
        <Note as="span" tone="text2" style={{ display: 'block' }}>
          {note}
        </Note>
      )}
    </span>
  </MenuItem>
)

const WIDTH_PX = 260
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
    <div style={{ padding: '8px 12px 12px', width: WIDTH_PX }}>
      <Text size="label" tone="text2" style={{ display: 'block', marginBottom: 8 }}>
        Trades on {modelWords(bot)}
      </Text>
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
    </div>
  )
}

interface AskProps extends Pick<BotMenuItemsProps, 'bot' | 'onClose'> {
  actions: BotActions
}

/** Asks once before a bot and its history are gone. */
const DeleteBotDialog = ({ bot, actions: { remove }, onClose }: AskProps) => (
  <ConfirmDialog
    title="Delete Trading Bot?"
    text={`This action cannot be undone. All bot data and trade history will be deleted.${
      bot.isVirtual ? '' : ' Its orders at the exchange and their fills stay in the file with your own data.'
    }`}
    subject={`${bot.name} · ${formatMoneyUnit(bot.currentBalance, 'USDT')} · ${formatCounted(bot.totalTrades, 'trade')}${
      bot.status === 'active' ? ' · it is stopped first' : ''
    }${soldWords(bot)}`}
    confirmLabel="Delete"
    onConfirm={() => remove.mutate({ params: { id: bot.id } }, { onSuccess: onClose })}
    onClose={onClose}
    busy={remove.isPending}
    error={remove.error === null ? undefined : errorInFull(remove.error, 'The bot could not be deleted.')}
  />
)

function soldWords(bot: Bot): string {
  if (bot.positions.length === 0) return ''
  const held = heldWords(bot)
  return bot.isVirtual ? ` · sells ${held} at the newest price` : ` · it holds ${held}: stop it and sell that first`
}

/** Asks once before a virtual bot begins again from its initial balance. */
const ResetBotDialog = ({ bot, actions: { reset }, onClose }: AskProps) => (
  <ConfirmDialog
    title="Reset the bot?"
    text={`Its balance goes back to ${formatMoneyUnit(bot.initialBalance, 'USDT')}. Its trades, decisions and equity curve are deleted. This action cannot be undone.`}
    subject={`${bot.name} · ${formatMoneyUnit(bot.currentBalance, 'USDT')} · ${formatCounted(bot.totalTrades, 'trade')}`}
    confirmLabel={reset.isPending ? 'Resetting…' : 'Reset'}
    onConfirm={() => reset.mutate({ params: { id: bot.id } }, { onSuccess: onClose })}
    onClose={onClose}
    busy={reset.isPending}
    error={reset.error === null ? undefined : errorInFull(reset.error, 'The bot could not be reset.')}
  />
)
