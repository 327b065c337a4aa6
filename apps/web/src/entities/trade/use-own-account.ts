import { balance, orders, positions } from '@shapecast/contracts/accounts'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const asked = (isVirtual: boolean) => ({ query: { isVirtual: isVirtual ? ('true' as const) : ('false' as const) } })
const often = { refetchInterval: REFRESH_MS }

/** The money of the own account: the virtual one, or an admin's at the exchange. */
export const useOwnBalance = (isVirtual: boolean) => useEndpointQuery(balance, asked(isVirtual), often)

/** What it holds. */
export const useOwnPositions = (isVirtual: boolean) => useEndpointQuery(positions, asked(isVirtual), often)

/** Its orders, the newest first. */
export const useOwnOrders = (isVirtual: boolean) =>
  useEndpointQuery(
    orders,
    { query: { limit: 200 } },
    { ...often, select: (all) => all.filter((order) => order.isVirtual === isVirtual) },
  )
