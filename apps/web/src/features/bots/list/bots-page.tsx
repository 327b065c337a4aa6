import { Box, Button, Fab } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import { type Market, markets } from '@shapecast/contracts/market'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useBots } from '#entities/bots/use-bots.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import { lazily } from '#kit/ui/lazily.tsx'
import { RetryButton } from '#kit/ui/retry-button.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useLastError } from '#wire/calls/use-last-error.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { summaryOf } from '../bot-summary.ts'
import { KillSwitchButton } from '../real/kill-switch-button.tsx'
import { BotCard, openerOf } from './bot-card.tsx'
import { SummaryCards, SummarySkeleton } from './summary-cards.tsx'
import { useFocusBack } from './use-focus-back.ts'

const BotDetails = lazily(async () => (await import('../details/bot-details.tsx')).BotDetails)
const CreateBotDialog = lazily(async () => (await import('../form/create-bot-dialog.tsx')).CreateBotDialog)

const CREATE_ID = 'create-bot'

const gridStyle = {
  display: 'grid',
  gap: { xs: 1.5, md: 2 },
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 380px), 1fr))',
  // The last row stays clear of the floating button.
  pb: 10,
} as const

/** The reader's bots and everybody's public ones. The bot whose details are open, or that one is created, stands in the address. */
export function BotsPage() {
  const user = useUser()
  const reply = useBots()
  const failure = useLastError(reply)
  const marketReply = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 })
  const [search, setSearch] = useSearchParams()
  const isCreating = search.has('create')
  const setCreating = (next: boolean) => setSearch(next ? { create: '' } : {}, { replace: !next })
  const openId = search.get('bot')
  const open = useCallback(
    (id: string | null) => setSearch(id === null ? {} : { bot: id }, { replace: id === null }),
    [setSearch],
  )
  useFocusBack(openId !== null ? openerOf(openId) : isCreating ? CREATE_ID : null)
  const marketOf = useMarketOf(marketReply.data)
  const list = reply.data
  const own = useMemo(() => (list ?? []).filter((bot) => bot.userId === user?.id), [list, user?.id])
  const isMine = (bot: Bot) => user !== null && (user.role === 'admin' || bot.userId === user.id)
  const opened = list?.find((bot) => bot.id === openId)
  return (
    <Box sx={{ display: 'grid', gap: { xs: 1.5, md: 2 }, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <title>Bots · Shapecast</title>
      <Box component="h1" sx={visuallyHidden}>
        Bots
      </Box>
      {failure !== null && (
        <Banner
          kind="error"
          title={errorText(failure, 'Failed to load bots list')}
          action={<RetryButton reply={reply} />}
        >
          {errorDetail(failure)}
        </Banner>
      )}
      {!reply.isFetched && <PageSkeleton />}
      {list !== undefined && (
        <Box sx={{ display: 'flex', flexWrap: { xs: 'wrap', md: 'nowrap' }, gap: { xs: 1.5, md: 2 } }}>
          <Box sx={{ flex: '1 1 100%', minWidth: 0 }}>
            <SummaryCards summary={summaryOf(own)} />
          </Box>
          {user?.role === 'admin' && list.some((bot) => !bot.isVirtual) && <KillSwitchButton />}
        </Box>
      )}
      {list?.length === 0 && (
        <EmptyState
          title="No Trading Bots Yet"
          action={
            <Button variant="contained" startIcon={<Plus size={16} />} onClick={() => setCreating(true)}>
              Create First Bot
            </Button>
          }
        >
          A bot trades by itself on a model, with virtual money until you say otherwise. It explains each decision.
        </EmptyState>
      )}
      {list !== undefined && list.length > 0 && (
        <Box sx={gridStyle}>
          {list.map((bot) => (
            <BotCard key={bot.id} bot={bot} isMine={isMine(bot)} marketOf={marketOf} onOpen={open} />
          ))}
        </Box>
      )}
      <Fab
        id={CREATE_ID}
        color="primary"
        aria-label="Create a bot"
        onClick={() => setCreating(true)}
        sx={floatingStyle}
      >
        <Plus size={22} strokeWidth={2} />
      </Fab>
      {isCreating && user !== null && <CreateBotDialog onClose={() => setCreating(false)} />}
      {openId !== null && list !== undefined && (
        <BotDetails
          bot={opened}
          isMine={opened !== undefined && isMine(opened)}
          marketOf={marketOf}
          onClose={() => open(null)}
        />
      )}
    </Box>
  )
}

function useMarketOf(list: readonly Market[] | undefined): (symbol: string) => Market | undefined {
  return useMemo(() => {
    const byId = new Map((list ?? []).map((market) => [market.id, market]))
    return (symbol: string) => byId.get(symbol)
  }, [list])
}

const PageSkeleton = () => (
  <>
    <SummarySkeleton />
    <SkeletonGroup label="Loading the bots">
      <Box sx={gridStyle}>
        {[0, 1, 2].map((index) => (
          <SkeletonBox key={index} height={352} />
        ))}
      </Box>
    </SkeletonGroup>
  </>
)

const floatingStyle = {
  position: 'fixed',
  right: { xs: 16, md: 32 },
  bottom: { xs: 16, md: 32 },
  borderRadius: '16px',
  boxShadow: '0 8px 24px rgba(0, 0, 0, .45)',
} as const
