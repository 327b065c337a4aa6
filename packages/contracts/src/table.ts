import * as accounts from './accounts.ts'
import * as activities from './activities.ts'
import * as alerts from './alerts.ts'
import * as auth from './auth.ts'
import * as backtest from './backtest.ts'
import * as batch from './batch.ts'
import * as botChanges from './bot-changes.ts'
import * as botDecisions from './bot-decisions.ts'
import * as botEvidence from './bot-evidence.ts'
import * as botPreview from './bot-preview.ts'
import * as botRebalances from './bot-rebalances.ts'
import * as botResults from './bot-results.ts'
import * as botTrading from './bot-trading.ts'
import * as botWeights from './bot-weights.ts'
import * as bots from './bots.ts'
import * as charts from './charts.ts'
import * as datasets from './datasets.ts'
import * as drift from './drift.ts'
import type { AnyEndpoint, Service } from './endpoint.ts'
import * as exchangeKeys from './exchange-keys.ts'
import * as firstModel from './first-model.ts'
import * as funding from './funding.ts'
import * as importance from './importance.ts'
import * as indicators from './indicators.ts'
import * as jobs from './jobs.ts'
import * as market from './market.ts'
import * as ml from './ml.ts'
import * as modelComparison from './model-comparison.ts'
import * as notifications from './notifications.ts'
import * as openai from './openai.ts'
import * as outlets from './outlets.ts'
import * as ownAccount from './own-account.ts'
import * as ownSlippage from './own-slippage.ts'
import * as portfolio from './portfolio.ts'
import * as predictionColumns from './prediction-columns.ts'
import * as predictions from './predictions.ts'
import * as realBots from './real-bots.ts'
import * as retraining from './retraining.ts'
import * as rules from './rules.ts'
import * as runComparison from './run-comparison.ts'
import * as search from './search.ts'
import * as storedRules from './stored-rules.ts'
import * as stream from './stream.ts'
import * as tasks from './tasks.ts'
import * as trackRecord from './track-record.ts'
import * as trainings from './trainings.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
import * as votes from './votes.ts'
import * as walkForward from './walk-forward.ts'

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'service' in value && 'method' in value && 'path' in value

/** Every endpoint of both services by its name. The servers, the client and OpenAPI all derive from it. */
export const ENDPOINTS: ReadonlyMap<string, AnyEndpoint> = new Map(
  [
    alerts,
    auth,
    outlets,
    ownAccount,
    users,
    tasks,
    votes,
    activities,
    notifications,
    accounts,
    exchangeKeys,
    market,
    charts,
    funding,
    ml,
    modelComparison,
    trainings,
    retraining,
    indicators,
    firstModel,
    importance,
    jobs,
    uploads,
    predictionColumns,
    predictions,
    datasets,
    trackRecord,
    drift,
    bots,
    botPreview,
    botChanges,
    botTrading,
    botDecisions,
    botEvidence,
    botRebalances,
    botWeights,
    botResults,
    ownSlippage,
    portfolio,
    realBots,
    openai,
    backtest,
    rules,
    storedRules,
    search,
    walkForward,
    batch,
    runComparison,
    stream,
  ].flatMap((subject) =>
    Object.entries(subject).filter((entry): entry is [string, AnyEndpoint] => isEndpoint(entry[1])),
  ),
)

/** The endpoints of a service with their names, in the order of the table. */
export const endpointsOf = (service: Service): [name: string, endpoint: AnyEndpoint][] =>
  [...ENDPOINTS].filter(([, endpoint]) => endpoint.service === service)
