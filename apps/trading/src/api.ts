import { firstModel } from '@shapecast/contracts/first-model'
import { buildService } from '@shapecast/platform/http/build-service'
import { registerEndpoint } from '@shapecast/platform/http/register-endpoint'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { alertRoutes } from './alerts/routes.ts'
import { backtestRoutes, previewRoutes } from './backtests/routes.ts'
import {
  botEvidenceRoutes,
  botPredictionRoutes,
  botResultRoutes,
  botRoutes,
  botTradingRoutes,
  botWeightRoutes,
  killSwitchRoutes,
  ownSlippageRoutes,
  portfolioRoutes,
  rebalanceRoutes,
} from './bots/routes.ts'
import { driftRoutes, openaiRoutes, predictionRoutes, recordRoutes } from './forecasts/routes.ts'
import { jobRoutes } from './ground/jobs/routes.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { labRoutes } from './lab/routes.ts'
import { chartRoutes } from './market/charts/routes.ts'
import { datasetRoutes } from './market/datasets/routes.ts'
import { createEventHub, type EventHub } from './market/feed/event-hub.ts'
import { registerStream } from './market/feed/routes.ts'
import { createSeriesUse } from './market/feed/series-use.ts'
import { fundingRoutes } from './market/funding/routes.ts'
import { registerMarketRoutes } from './market/routes.ts'
import { firstModelState } from './models/first-model.ts'
import { importanceRoutes } from './models/importance/routes.ts'
import { retrainingRoutes } from './models/retraining/routes.ts'
import { mlRoutes } from './models/routes.ts'
import { uploadRoutes } from './models/uploads/routes.ts'
import { accountRoutes } from './orders/routes.ts'
import type { Parts } from './parts.ts'
import { ruleRoutes } from './rules/routes.ts'
import { searchRoutes } from './search/routes.ts'

export interface ApiOptions {
  sessions: Sessions
  /** Where live updates come in; without it there are none. */
  hub?: EventHub | undefined
  /** Whether orders go to the venue's test network. */
  testnet: boolean
}

/** The trading service as a Fastify plugin, to be mounted at /bot or to stand alone. */
export function tradingApi(parts: Parts, { sessions, testnet, ...options }: ApiOptions): FastifyPluginAsync {
  const { db, venue, market, log, now } = parts
  const hub = options.hub ?? createEventHub({ venue: venue.name, now })
  const looks = createSeriesUse({ orm: db.orm, venue: venue.name, log, now })
  const feed = { status: hub.status, use: looks.touch, onClosed: hub.onClosed }
  return buildService('trading', { sessions }, async (app) => {
    const { models, modelStore, trainings, importances, predictors } = parts.models()
    const { predictions, record, drift, openai } = parts.forecasts()
    const { exchange, orders } = parts.accounts()
    const { realBots } = parts.running()
    const { bots, control, parity, reading, reads, evidence, rebalances, portfolio, botPredictions } = parts.bots()
    const previews = parts.previews()
    app.fastify.addHook('onListen', async () => predictors.warmUp())
    app.fastify.addHook('onClose', () => Promise.all([predictors.close(), previews.close(), exchange.close()]))
    registerMarketRoutes(app, { db, venue, now, testnet, feed, downloads: parts.downloads() })
    registerStream(app, { hub, now, requireSymbol: market.requireSymbol, use: looks.touchTopics })
    mlRoutes(app, models, trainings)
    retrainingRoutes(app, parts.retraining())
    registerEndpoint(app, firstModel, () => firstModelState(db.orm, modelStore, market))
    alertRoutes(app, parts.alerts())
    importanceRoutes(app, importances)
    jobRoutes(app, { db, jobs: parts.jobs, kinds: JOB_KINDS, now })
    uploadRoutes(app, parts.uploads(), modelStore)
    predictionRoutes(app, predictions)
    recordRoutes(app, record)
    driftRoutes(app, drift)
    datasetRoutes(app, parts.datasets())
    chartRoutes(app, parts.charts())
    fundingRoutes(app, parts)
    accountRoutes(app, { ...exchange, ...orders })
    botRoutes(app, bots)
    botTradingRoutes(app, { control, parity, reads })
    botResultRoutes(app, reading)
    ownSlippageRoutes(app, reading)
    botEvidenceRoutes(app, evidence)
    botWeightRoutes(app, reading)
    rebalanceRoutes(app, rebalances)
    portfolioRoutes(app, portfolio)
    killSwitchRoutes(app, realBots.killSwitch)
    botPredictionRoutes(app, botPredictions)
    openaiRoutes(app, openai, bots.read)
    backtestRoutes(app, parts.backtests())
    previewRoutes(app, previews)
    ruleRoutes(app, parts.rules())
    searchRoutes(app, parts.searches())
    labRoutes(app, parts.lab())
  })
}
