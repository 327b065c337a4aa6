import {
  backtestJob,
  backtestRun,
  backtestRuns,
  changeBacktestRun,
  createBacktestJob,
  deleteBacktestRun,
  exportBacktestRun,
  modelBacktest,
  runBacktest,
} from '@shapecast/contracts/backtest'
import { previewBot } from '@shapecast/contracts/bot-preview'
import { checkRule, previewRule, ruleLibrary } from '@shapecast/contracts/rules'
import { compareBacktestRuns, exportRunComparison } from '@shapecast/contracts/run-comparison'
import { LIBRARY_STRETCH, RULE_LIBRARY } from '@shapecast/engine/rules/library'
import { CheckedJson, registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Viewer } from '../ground/ownership.ts'
import type { BacktestService } from './backtest-service.ts'
import type { PreviewService } from './preview-service.ts'
import { checkedRule } from './rule-service.ts'

/**
 * Backtest jobs and saved runs, which are megabytes of plain numbers that this program itself has made: what they are is
 * held by a test, not number by number. The public twins show the runs of public bots, and to a caller also their own.
 */
export function backtestRoutes(app: ServiceApp, service: BacktestService): void {
  registerEndpoint(app, createBacktestJob, async ({ body, caller }) => ({ jobId: await service.request(body, caller) }))
  registerEndpoint(app, modelBacktest, async ({ body, caller }) => ({
    jobId: await service.request({ ...body, mode: 'model' }, caller),
  }))
  registerEndpoint(app, runBacktest, async ({ body, caller, reply }) => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    return new CheckedJson(await service.runNow(body, caller, gone.signal))
  })
  registerEndpoint(app, backtestJob, ({ params, caller }) => service.read(params.id, caller))
  registerEndpoint(app, backtestRuns, ({ query, ...from }) => service.list(askerOf(from), query))
  registerEndpoint(app, compareBacktestRuns, ({ query, ...from }) => service.compare(query.ids, askerOf(from)))
  registerEndpoint(app, exportRunComparison, ({ query, ...from }) =>
    service.exportComparison(query.ids, query.format, askerOf(from)),
  )
  registerEndpoint(app, exportBacktestRun, ({ params, query, ...from }) =>
    service.exportRun(params.id, query, askerOf(from)),
  )
  registerEndpoint(app, changeBacktestRun, ({ params, body, caller }) => service.changeRun(params.id, body, caller))
  registerEndpoint(app, deleteBacktestRun, ({ params, caller }) => service.deleteRun(params.id, caller))
  registerEndpoint(
    app,
    backtestRun,
    async ({ params, ...from }) => new CheckedJson(await service.readRun(params.id, askerOf(from))),
  )
}

/** At the public twin an admin sees no more than anybody else: the runs of public bots and their own. */
const askerOf = ({ caller, viaPublicPath }: { caller: Viewer; viaPublicPath: boolean }): Viewer =>
  caller !== null && viaPublicPath ? { userId: caller.userId, role: 'user' } : caller

/** What a new bot's settings, or a rule, would have done. */
export function previewRoutes(app: ServiceApp, service: PreviewService): void {
  registerEndpoint(app, previewBot, ({ body, caller }) => service.preview(body, caller.userId))
  registerEndpoint(app, previewRule, ({ body, caller }) => service.previewRule(body, caller.userId))
  registerEndpoint(app, checkRule, ({ body }) => checkedRule(body))
  registerEndpoint(app, ruleLibrary, () => ({
    stretch: LIBRARY_STRETCH,
    rules: RULE_LIBRARY.map(({ text, ...rest }) => ({ ...rest, rule: text })),
  }))
}
