import {
  autoTrade,
  balance,
  cancelOrder,
  cancelOrders,
  changeGuards,
  exportOrders,
  exportPositions,
  MOST_OPEN_ORDERS,
  orders,
  placeOrder,
  positions,
} from '@shapecast/contracts/accounts'
import { changeTradingLimits, deleteKeys, keptKeys, putKeys, tradingLimits } from '@shapecast/contracts/exchange-keys'
import { changeRealBotsLimits, realBotsLimits } from '@shapecast/contracts/real-bots'
import { keyedRequest } from '@shapecast/platform/http/keyed-request'
import { type Call, registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { Exchange } from '../exchange/exchange.ts'
import { isReal } from './brokers.ts'
import { positionsFile } from './order-csv.ts'
import type { Asked } from './order-service.ts'
import type { Orders } from './orders.ts'

/** A person's own account: what it has, its orders, and trading on a prediction. */
export function accountRoutes(
  app: ServiceApp,
  room: Pick<Orders, 'account' | 'orders' | 'autoTrades' | 'changeGuards'> &
    Pick<Exchange, 'realAccount' | 'keys' | 'limits' | 'installationLimits'>,
): void {
  const { account, realAccount, keys, limits, installationLimits, autoTrades } = room
  registerEndpoint(app, putKeys, ({ caller, body }) => keys.put(body, caller))
  registerEndpoint(app, keptKeys, ({ caller }) => keys.list(caller.userId))
  registerEndpoint(app, deleteKeys, ({ caller }) => keys.remove(caller))
  registerEndpoint(app, tradingLimits, ({ caller }) => limits.read(caller.userId))
  registerEndpoint(app, changeTradingLimits, ({ caller, body, prove }) => limits.change(body, caller, prove))
  registerEndpoint(app, realBotsLimits, () => installationLimits.read())
  registerEndpoint(app, changeRealBotsLimits, ({ caller, body, prove }) =>
    installationLimits.change(body, caller, prove),
  )
  registerEndpoint(app, balance, ({ caller, query }) =>
    (isReal(query.isVirtual, caller) ? realAccount : account).balance(caller.userId),
  )
  const heldBy = (caller: Caller, isVirtual: boolean) =>
    (isReal(isVirtual, caller) ? realAccount : account).positions(caller.userId)
  registerEndpoint(app, positions, ({ caller, query }) => heldBy(caller, query.isVirtual))
  registerEndpoint(app, exportPositions, async ({ caller, query }) => {
    const asked = { isVirtual: !isReal(query.isVirtual, caller), state: 'open' as const, limit: MOST_OPEN_ORDERS }
    return positionsFile(
      ...(await Promise.all([heldBy(caller, query.isVirtual), room.orders.list(caller.userId, asked)])),
    )
  })
  registerEndpoint(app, orders, ({ caller, query }) => room.orders.list(caller.userId, query))
  registerEndpoint(app, exportOrders, ({ caller, query }) =>
    room.orders.csv(caller.userId, !isReal(query.isVirtual, caller)),
  )
  registerEndpoint(app, placeOrder, async (call) => room.orders.place(call.body, await askedBy(call, 'order')))
  registerEndpoint(app, cancelOrder, ({ caller, params }) => room.orders.cancel(params.id, caller))
  registerEndpoint(app, cancelOrders, ({ caller, query }) => room.orders.cancelAll(query.isVirtual, caller))
  registerEndpoint(app, changeGuards, ({ caller, body }) => room.changeGuards(body, caller))
  registerEndpoint(app, autoTrade, async (call) => autoTrades.trade(call.body, await askedBy(call, 'auto-trade')))
}

/** Who asks for an order; for a real one they have to prove it. */
async function askedBy(
  { caller, body, request, prove }: Call<typeof placeOrder> | Call<typeof autoTrade>,
  call: 'order' | 'auto-trade',
): Promise<Asked> {
  const real = isReal(body.isVirtual, caller)
  if (real) await prove()
  const asked = { call, ...body, isVirtual: !real }
  return { member: caller, request: keyedRequest(request.headers['idempotency-key'], asked) }
}
