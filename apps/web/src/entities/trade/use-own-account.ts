import { balance, orders, positions } from '@shapecast/contracts/accounts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const asked = (isVirtual: boolean) => ({ query: { isVirtual: isVirtual ? ('true' as const) : ('false' as const) } })
const often = { refetchInterval: REFRESH_MS }

/** The money of the own account: the virtual one, or an admin's at the exchange. */
export const useOwnBalance = (isVirtual: boolean) => useEndpointQuery(balance, asked(isVirtual), often)

/** What it holds. */
export const useOwnPositions = (isVirtual: boolean) => useEndpointQuery(positions, asked(isVirtual), often)

/** Its orders that wait for their price or are being sent, the newest first. */
export const useOpenOrders = (isVirtual: boolean) =>
  useEndpointQuery(orders, { query: { ...asked(isVirtual).query, state: 'open', limit: 1000 } }, often)

/** Its newest `limit` orders that have ended. */
export const useEndedOrders = (isVirtual: boolean, limit: number) =>
  useEndpointQuery(
    orders,
    { query: { ...asked(isVirtual).query, state: 'ended', limit } },
    { ...often, placeholderData: (before) => before },
  )
