import { chartLines, keepChartLines, keepWatchlist, watchlist } from '@shapecast/contracts/charts'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ChartService } from './chart-service.ts'

/** What users keep of charts. */
export function chartRoutes(app: ServiceApp, service: ChartService): void {
  registerEndpoint(app, watchlist, ({ caller }) => service.watchlist(caller.userId))
  registerEndpoint(app, keepWatchlist, ({ body, caller }) => service.keepWatchlist(caller.userId, body.series))
  registerEndpoint(app, chartLines, ({ params, caller }) => service.lines(caller.userId, params.symbol))
  registerEndpoint(app, keepChartLines, ({ params, body, caller }) =>
    service.keepLines(caller.userId, params.symbol, body.lines),
  )
}
