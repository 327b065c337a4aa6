import { createOutlets } from '@shapecast/platform/channels/outlets'
import { forgetDeliveries, sendDeliveries } from '@shapecast/platform/channels/send-deliveries'
import { createStopper } from '@shapecast/platform/graceful-stop'
import { repeatWork } from '@shapecast/platform/regular-work'
import { socialService } from '@shapecast/social/app'
import { openChat } from '@shapecast/social/notifications/telegram-chat'
import { deleteDueAccounts } from '@shapecast/social/users/delete-due-accounts'
import { pauseRealBots } from '@shapecast/trading/bots/kept-of-users'
import { compose } from '@shapecast/trading/compose'
import { threadsOfWorker } from '@shapecast/trading/ground/threads-of-worker'
import { createEventHub, type EventHub } from '@shapecast/trading/market/feed/event-hub'
import { listenToMessages } from '@shapecast/trading/market/feed/listener'
import { liveMarketOf } from '@shapecast/trading/market/live-market'
import { openVenue } from '@shapecast/trading/market/open-venue'
import { createStoredCandles } from '@shapecast/trading/market/stored-candles'
import type { Parts } from '@shapecast/trading/parts'
import type { TradingDeps } from '@shapecast/trading/parts/ground'
import { deleteUser, exportUser } from '@shapecast/trading/user-data'
import type { FastifyPluginAsync } from 'fastify'
import type { Installation } from './installation.ts'
import { workerCount } from './worker-pool.ts'

const SEND_EVERY_MS = 2_000
const LISTEN_EVERY_MS = 2_000
const DELETE_EVERY_MS = 15 * 60_000

type Stopper = ReturnType<typeof createStopper>
type Opened = TradingDeps & { readonly hub: EventHub }

/** The market of this process, and the hub that its live updates would come to. */
async function openTrading({ config, db, queue, log }: Installation, stopper: Stopper): Promise<Opened> {
  const announced: { hub?: EventHub } = {}
  const latest = (symbol: string) => announced.hub?.latest(symbol) ?? null
  const venue = await openVenue(config, { db, stored: createStoredCandles(db), log, latest })
  const live = liveMarketOf(venue)
  if (live !== null) stopper.add({ name: 'exchange', stop: () => live.source.close() })
  announced.hub = createEventHub({ venue: venue.name, now: Date.now })
  const { secretKey, testnet, sandboxUrls, openai } = config
  const { forming } = announced.hub
  return { db, queue, venue, log, hub: announced.hub, secretKey, testnet, sandboxUrls, openai, forming }
}

/** Lets this process hear what the others announce. */
async function listen({ db, log }: Installation, hub: EventHub, stopper: Stopper): Promise<void> {
  const listener = await listenToMessages({ url: db.url, log, onMessages: hub.publish, onGap: hub.reset })
  stopper.add({ name: 'live updates', stop: () => listener.stop() })
}

/**
 * Stands for the market's feed, and gives both services, to be mounted as often as there are listeners; null where this
 * process takes no requests.
 */
export async function openServices(
  installation: Installation,
  stopper: Stopper,
  takesRequests: boolean,
): Promise<{ trading: FastifyPluginAsync; social: FastifyPluginAsync } | null> {
  const { config, db, log, sessions } = installation
  const opened = await openTrading(installation, stopper)
  const { hub } = opened
  const process = compose(opened)
  if (takesRequests) await listen(installation, hub, stopper)
  const feed = process.feed()
  stopper.add({ name: 'feed', stop: () => feed.stop() })
  if (!takesRequests) return null
  const { control, reads } = process.cli().bots()
  return {
    trading: process.api({ sessions }),
    social: socialService({
      db,
      sessions,
      secretKey: config.secretKey,
      log,
      tradingData: {
        stopBots: control.stopAllOf,
        pauseRealBots,
        export: (orm, userId) => exportUser(orm, userId, reads.worthOf),
      },
    }),
  }
}

/** Takes jobs and does the regular work, until it is stopped. */
export async function startWork(installation: Installation, stopper: Stopper): Promise<void> {
  const opened = await openTrading(installation, stopper)
  await listen(installation, opened.hub, stopper)
  const { modelsKept, botCandlesKept } = installation.config
  const threads = threadsOfWorker(workerCount(installation.config))
  const process = compose(opened)
  const work = await process.worker({ modelsKept, botCandlesKept, threads })
  stopper.add({
    name: 'work',
    // A job whose model is closed under it would fail, instead of going back to the queue.
    stop: async () => {
      await Promise.all([work.rest(), installation.queue.stop()])
      await work.stop()
    },
  })
  const { db, log, config } = installation
  const sending = repeatWork(log, SEND_EVERY_MS, 'sending notifications', () =>
    sendDeliveries({ db, log, secretKey: config.secretKey }),
  )
  const deleting = repeatWork(log, DELETE_EVERY_MS, 'deleting accounts whose time has come', () =>
    deleteDueAccounts({ db, deleteTrading: deleteUser }, Date.now()),
  )
  const forgetting = repeatWork(log, DELETE_EVERY_MS, 'forgetting old messages', () =>
    forgetDeliveries(db.orm, Date.now()),
  )
  const { secretKey } = config
  const outlets = createOutlets(db.orm, secretKey)
  const chat = openChat({ db, log, secretKey, outlets, trading: process.cli().botsInChat(), now: Date.now })
  const listening = repeatWork(log, LISTEN_EVERY_MS, 'taking commands by Telegram', chat.poll)
  for (const regular of [sending, deleting, forgetting, listening])
    stopper.add({ name: 'people', stop: () => regular.stop() })
}

/** The parts of the trading service for a command; `close` lets go of what it has opened. */
export async function openParts(installation: Installation): Promise<Parts & { close(): Promise<unknown> }> {
  const stopper = createStopper(installation.log)
  const parts = compose(await openTrading(installation, stopper)).cli()
  stopper.add({ name: 'models', stop: () => parts.models().predictors.close() })
  return { ...parts, close: () => stopper.stop() }
}
