import type { Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { Caller } from '@shapecast/platform/sessions'
import { type AccountKey, realOf, virtualOf } from '../ledger/account-store.ts'
import type { Broker } from '../ledger/broker.ts'

/** Others than admins trade virtually, whatever they ask for, as their bots do. */
export const isReal = (isVirtual: boolean, member: Pick<Caller, 'role'>): boolean =>
  !isVirtual && member.role === 'admin'

/** The broker of each account: `paper` of virtual ones, the `exchange` of real ones on the network in use. */
export const createBrokers = (deps: {
  paper: (userId: string) => Broker
  exchange: (userId: string) => Promise<Broker>
  network: Network
}) => ({
  /** The account that a person's order is for. */
  keyOf: (isVirtual: boolean, member: Pick<Caller, 'userId' | 'role'>): AccountKey =>
    isReal(isVirtual, member) ? realOf(member.userId, deps.network) : virtualOf(member.userId),

  /** Throws `conflict` for an account on the other network, and what opening one at the exchange throws. */
  async of({ ownerId, kind, network }: AccountKey): Promise<Broker> {
    if (kind === 'virtual') return deps.paper(ownerId)
    if (network !== deps.network)
      throw new AppError('conflict', `This order is on the ${network}; TESTNET has to be set to that network.`)
    return deps.exchange(ownerId)
  },
})
export type Brokers = ReturnType<typeof createBrokers>
