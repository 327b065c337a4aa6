import { autoTrade, balance, cancelOrder, orders, placeOrder, positions } from '@shapecast/contracts/accounts'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { AccountDesk } from './account-desk.ts'
import type { AutoTradeDesk } from './auto-trade-desk.ts'
import { keyedRequest } from './keyed-replies.ts'
import type { OrderDesk } from './order-desk.ts'

/** A person's own account: what it has, its orders, and trading on a prediction. */
export function accountRoutes(
  app: ServiceApp,
  { account, orderDesk, autoTrades }: { account: AccountDesk; orderDesk: OrderDesk; autoTrades: AutoTradeDesk },
): void {
  registerEndpoint(app, balance, ({ caller }) => account.balance(caller.userId))
  registerEndpoint(app, positions, ({ caller }) => account.positions(caller.userId))
  registerEndpoint(app, orders, ({ caller, query }) => orderDesk.list(caller.userId, query))
  registerEndpoint(app, placeOrder, ({ caller, body, request }) =>
    orderDesk.place(body, {
      member: caller,
      address: request.ip,
      request: keyedRequest(request.headers['idempotency-key'], { call: 'order', ...body }),
    }),
  )
  registerEndpoint(app, cancelOrder, ({ caller, params, request }) => orderDesk.cancel(params.id, caller, request.ip))
  registerEndpoint(app, autoTrade, ({ caller, body, request }) =>
    autoTrades.trade(body, {
      member: caller,
      address: request.ip,
      request: keyedRequest(request.headers['idempotency-key'], { call: 'auto-trade', ...body }),
    }),
  )
}
