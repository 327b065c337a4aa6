/** An answer of the exchange that refuses: Binance's `{ code, msg }` under an HTTP status. */
export class VenueError extends Error {
  readonly code: number
  readonly status: number

  constructor(code: number, msg: string, status = 400) {
    super(msg)
    this.name = 'VenueError'
    this.code = code
    this.status = status
  }
}

/** The codes that this exchange answers with (developers.binance.com, "Error codes"). */
export const refusals = {
  missing: (name: string) =>
    new VenueError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`),
  timestamp: () => new VenueError(-1021, 'Timestamp for this request is outside of the recvWindow.'),
  timestampAhead: () => new VenueError(-1021, "Timestamp for this request was 1000ms ahead of the server's time."),
  signature: () => new VenueError(-1022, 'Signature for this request is not valid.'),
  badKey: () => new VenueError(-2015, 'Invalid API-key, IP, or permissions for action.', 401),
  badSymbol: () => new VenueError(-1121, 'Invalid symbol.'),
  badInterval: () => new VenueError(-1120, 'Invalid interval.'),
  noSuchOrder: () => new VenueError(-2013, 'Order does not exist.'),
  unknownOrder: () => new VenueError(-2011, 'Unknown order sent.'),
  duplicateOrder: () => new VenueError(-2010, 'Duplicate order sent.'),
  duplicateFuturesOrder: () => new VenueError(-4116, 'ClientOrderId is duplicated.'),
  noFunds: () => new VenueError(-2010, 'Account has insufficient balance for requested action.'),
  wouldTake: () => new VenueError(-2010, 'Order would immediately match and take.'),
  triggersAtOnce: () => new VenueError(-2010, 'Stop price would trigger immediately.'),
  priceRelation: () => new VenueError(-2010, 'The relationship of the prices for the orders is not correct.'),
  noMargin: () => new VenueError(-2019, 'Margin is insufficient.'),
  reduceOnly: () => new VenueError(-2022, 'ReduceOnly Order is rejected.'),
  filter: (name: string) => new VenueError(-1013, `Filter failure: ${name}`),
  precision: () => new VenueError(-1111, 'Precision is over the maximum defined for this asset.'),
  minNotional: (value: number) =>
    new VenueError(-4164, `Order's notional must be no smaller than ${value} (unless you choose reduce only).`),
  stopAtOnce: () => new VenueError(-2021, 'Order would immediately trigger.'),
  tooManyOpen: () => new VenueError(-2025, 'Reach max open order limit.'),
  tooManyStops: () => new VenueError(-4045, 'Reach max stop order limit.'),
  algoOnly: () =>
    new VenueError(
      -4120,
      'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.',
    ),
  marginWithOrders: () => new VenueError(-4047, 'Margin type cannot be changed if there exists open orders.'),
  sameMargin: () => new VenueError(-4046, 'No need to change margin type.'),
  marginWithPosition: () => new VenueError(-4048, 'Margin type cannot be changed if there exists position.'),
  leverage: (value: number) => new VenueError(-4028, `Leverage ${value} is not valid`),
  tooMuch: (limit: number) =>
    new VenueError(
      -1003,
      `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`,
      429,
    ),
  banned: (untilMs: number) =>
    new VenueError(
      -1003,
      `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket Streams for live updates to avoid bans.`,
      418,
    ),
  noPath: () => new VenueError(-1000, 'An unknown error occurred while processing the request.', 404),
}
