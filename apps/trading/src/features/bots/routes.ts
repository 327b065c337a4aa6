import { bot, bots, createBot, deleteBot } from '@shapecast/contracts/bots'
import { botLastPrediction, botLastPredictions, pollBotPrediction } from '@shapecast/contracts/predictions'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { BotDesk } from './bot-desk.ts'
import type { BotPredictionDesk } from './prediction-desk.ts'

/** Bots: list, read, create, delete. The public twins show public bots only, whoever calls. */
export function botRoutes(app: ServiceApp, desk: BotDesk): void {
  registerEndpoint(app, bots, ({ caller, viaPublicPath }) => desk.list(viaPublicPath ? null : caller))
  registerEndpoint(app, bot, ({ params, caller, viaPublicPath }) => desk.read(params.id, viaPublicPath ? null : caller))
  registerEndpoint(app, createBot, async ({ body, caller, request }) => ({
    botId: await desk.create(body, caller, request.ip),
  }))
  registerEndpoint(app, deleteBot, async ({ params, caller, request }) => {
    await desk.delete(params.id, caller, request.ip)
    return { ok: true } as const
  })
}

/** What bots' models said last, and what they say now. */
export function botPredictionRoutes(app: ServiceApp, desk: BotPredictionDesk): void {
  registerEndpoint(app, botLastPredictions, ({ query, caller, viaPublicPath }) =>
    desk.lastOf(query.ids, viaPublicPath ? null : caller),
  )
  registerEndpoint(app, botLastPrediction, ({ params, caller, viaPublicPath }) =>
    desk.last(params.id, viaPublicPath ? null : caller),
  )
  registerEndpoint(app, pollBotPrediction, ({ params, caller }) => desk.poll(params.id, caller))
}
