import type { SpotRefusals } from '../spot-account.ts'
import { VenueError } from '../venue-error.ts'

/** Bybit refuses with HTTP 200 and a `retCode` (bybit-exchange.github.io/docs/v5/error). */
const refusal = (retCode: number, text: string) => new VenueError(retCode, text, 200)

export const refusals = {
  badParam: (name: string) => refusal(10001, `params error: ${name} invalid`),
  timestamp: () => refusal(10002, 'invalid request, please check your server timestamp or recv_window param.'),
  badKey: () => refusal(10003, 'API key is invalid.'),
  signature: () => refusal(10004, 'error sign! please check your signature generation algorithm.'),
  tooMany: () => refusal(10006, 'Too many visits. Exceeded the API Rate Limit.'),
  unsure: () => refusal(10016, 'System error. Please try again later.'),
  badSymbol: () => refusal(10001, 'Not supported symbols'),
  noFunds: () => refusal(170131, 'Balance insufficient'),
  price: () => refusal(170134, 'Order price decimal too long.'),
  quantity: () => refusal(170137, 'Order volume decimal too long.'),
  tooSmall: () => refusal(170140, 'Order value exceeded lower limit.'),
  duplicate: () => refusal(170141, 'Duplicate clientOrderId.'),
  crosses: () => null,
  notOpen: () => refusal(170142, 'Order has been canceled.'),
  stopPassed: () => refusal(170193, 'Trigger price has been passed.'),
  noSuchOrder: () => refusal(170213, 'Order does not exist.'),
  tooManyWaiting: () => refusal(170810, 'Cannot exceed maximum of 500 conditional, TP/SL and active orders.'),
  tooManyOrders: () => refusal(170810, 'Cannot exceed maximum of 500 conditional, TP/SL and active orders.'),
  noPath: () => new VenueError(10404, 'op type is not found', 404),
} satisfies SpotRefusals & Record<string, (...args: never[]) => VenueError | null>
