import {
  allowRealTrading,
  closePosition,
  createBot,
  deleteBot,
  killBots,
  patchBot,
  pauseBot,
  rebalanceBot,
  resetBot,
  startBot,
  stopBot,
  takeModel,
} from '@shapecast/contracts/bot-changes'
import { botDecisions, exportDecisions } from '@shapecast/contracts/bot-decisions'
import { botEvidence } from '@shapecast/contracts/bot-evidence'
import { botRebalances, exportRebalances, rebalancePreview } from '@shapecast/contracts/bot-rebalances'
import { botResults } from '@shapecast/contracts/bot-results'
import {
  botBalance,
  botEquity,
  botOrders,
  botParity,
  botTrades,
  exportTrades,
  subAccounts,
} from '@shapecast/contracts/bot-trading'
import { botWeights } from '@shapecast/contracts/bot-weights'
import { bot, bots } from '@shapecast/contracts/bots'
import { ownSlippage } from '@shapecast/contracts/own-slippage'
import { exportBotPositions, exportBots, portfolio } from '@shapecast/contracts/portfolio'
import { botLastPrediction, botLastPredictions, pollBotPrediction } from '@shapecast/contracts/predictions'
import { realTradingState } from '@shapecast/contracts/real-bots'
import { keyedRequest } from '@shapecast/platform/http/keyed-request'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { BotControl } from './bot-control.ts'
import type { BotEvidenceService } from './bot-evidence.ts'
import type { BotFiles } from './bot-files.ts'
import type { BotPredictionService } from './bot-prediction-service.ts'
import type { BotReads } from './bot-reads.ts'
import { type ResultsContext, readResults } from './bot-results.ts'
import type { BotService } from './bot-service.ts'
import { readWeights, type WeightsContext } from './bot-weights.ts'
import type { KillSwitch } from './kill-switch.ts'
import { readSlippage, type SlippageContext } from './own-slippage.ts'
import type { BotParityCheck } from './parity.ts'
import type { ReadPortfolioHistory } from './portfolio-history.ts'
import { type ReadRebalances, rebalancesFile } from './rebalances.ts'
import type { createRebalancing } from './rebalancing.ts'

/** Bots: list, read, create, delete. The public twins show public bots only to every caller. */
export function botRoutes(app: ServiceApp, service: BotService): void {
  registerEndpoint(app, bots, ({ viewer }) => service.list(viewer))
  registerEndpoint(app, bot, ({ params, viewer }) => service.show(params.id, viewer))
  registerEndpoint(app, createBot, async ({ body, caller, request }) => ({
    botId: await service.create(
      body,
      caller,
      keyedRequest(request.headers['idempotency-key'], { call: 'create-bot', ...body }),
    ),
  }))
  registerEndpoint(app, deleteBot, ({ params, caller }) => service.delete(params.id, caller))
}

/** What may be done with a bot that trades, and what it did. */
export function botTradingRoutes(
  app: ServiceApp,
  { control, reads, parity }: { control: BotControl; reads: BotReads; parity: BotParityCheck },
): void {
  registerEndpoint(app, startBot, ({ params, body, caller }) => control.start(params.id, caller, body?.confirm))
  registerEndpoint(app, pauseBot, ({ params, caller }) => control.pause(params.id, caller))
  registerEndpoint(app, stopBot, ({ params, body, caller }) =>
    control.stop(params.id, caller, body?.confirm, body?.position),
  )
  registerEndpoint(app, closePosition, ({ params, body, caller, request }) =>
    control.closePosition(params.id, body, {
      member: caller,
      request: keyedRequest(request.headers['idempotency-key'], { call: 'close-position', ...params, ...body }),
    }),
  )
  registerEndpoint(app, rebalanceBot, ({ params, body, caller, request }) =>
    control.rebalance(params.id, body?.confirm, {
      member: caller,
      request: keyedRequest(request.headers['idempotency-key'], { call: 'rebalance-bot', ...params }),
    }),
  )
  registerEndpoint(app, takeModel, ({ params, body, caller }) =>
    control.takeModel(params.id, body?.when ?? 'flat', caller),
  )
  registerEndpoint(app, resetBot, ({ params, caller }) => control.reset(params.id, caller))
  registerEndpoint(app, patchBot, ({ params, body, caller }) => control.patch(params.id, body, caller))
  registerEndpoint(app, botBalance, ({ params, viewer }) => reads.balance(params.id, viewer))
  registerEndpoint(app, botTrades, ({ params, query, viewer }) => reads.trades(params.id, query, viewer))
  registerEndpoint(app, exportTrades, ({ params, query, viewer }) => reads.exportTrades(params.id, query.year, viewer))
  registerEndpoint(app, botOrders, ({ params, query, caller }) => reads.orders(params.id, query.limit, caller))
  registerEndpoint(app, botDecisions, ({ params, query, viewer }) => reads.decisions(params.id, query, viewer))
  registerEndpoint(app, exportDecisions, ({ params, caller }) => reads.exportDecisions(params.id, caller))
  registerEndpoint(app, botEquity, ({ params, query, viewer }) => reads.equity(params.id, query, viewer))
  registerEndpoint(app, botParity, ({ params, caller }) => parity(params.id, caller))
  registerEndpoint(app, subAccounts, ({ caller }) => reads.subAccounts(caller))
}

export const botResultRoutes = (app: ServiceApp, ctx: ResultsContext): void =>
  registerEndpoint(app, botResults, ({ params, viewer }) => readResults(ctx, params.id, viewer))

export const ownSlippageRoutes = (app: ServiceApp, ctx: SlippageContext): void =>
  registerEndpoint(app, ownSlippage, ({ query, caller }) => readSlippage(ctx, caller.userId, query))

export const botEvidenceRoutes = (app: ServiceApp, evidence: Pick<BotEvidenceService, 'read'>): void =>
  registerEndpoint(app, botEvidence, ({ params, viewer }) => evidence.read(params.id, viewer))

export const botWeightRoutes = (app: ServiceApp, ctx: WeightsContext): void =>
  registerEndpoint(app, botWeights, ({ params, viewer }) => readWeights(ctx, params.id, viewer))

export function rebalanceRoutes(
  app: ServiceApp,
  { preview, list }: { preview: ReturnType<typeof createRebalancing>['preview']; list: ReadRebalances },
): void {
  registerEndpoint(app, rebalancePreview, ({ params, caller }) => preview(params.id, caller))
  registerEndpoint(app, botRebalances, ({ params, query, viewer }) => list(params.id, query.limit, viewer))
  registerEndpoint(app, exportRebalances, async ({ params, viewer }) =>
    rebalancesFile(params.id, (await list(params.id, Number.POSITIVE_INFINITY, viewer)).rebalances),
  )
}

/** What concerns all bots of a user together. */
export function portfolioRoutes(
  app: ServiceApp,
  { history, files }: { history: ReadPortfolioHistory; files: BotFiles },
): void {
  registerEndpoint(app, portfolio, ({ query, caller }) => history(caller.userId, query.span))
  registerEndpoint(app, exportBots, ({ body, caller }) => files.bots(body.ids, caller))
  registerEndpoint(app, exportBotPositions, ({ caller }) => files.positions(caller))
}

/** Trading with real money, for all bots at once. */
export function killSwitchRoutes(app: ServiceApp, killSwitch: KillSwitch): void {
  registerEndpoint(app, realTradingState, ({ caller }) => killSwitch.read(caller))
  registerEndpoint(app, killBots, ({ body, caller }) => killSwitch.kill(body?.close ?? false, caller, body?.reason))
  registerEndpoint(app, allowRealTrading, ({ caller }) => killSwitch.allow(caller))
}

/** What bots' models said last, and what they say now. */
export function botPredictionRoutes(app: ServiceApp, service: BotPredictionService): void {
  registerEndpoint(app, botLastPredictions, ({ query, viewer }) => service.lastOf(query.ids, viewer))
  registerEndpoint(app, botLastPrediction, ({ params, viewer }) => service.last(params.id, viewer))
  registerEndpoint(app, pollBotPrediction, ({ params, caller }) => service.poll(params.id, caller))
}
