import type { VenueOrder } from '../live-trading.ts'
import type { OnState, Unsubscribe } from '../live-venue.ts'
import type { AccountConnection } from './account-connection.ts'
import { venueOrderOf } from './account-replies.ts'
import type { ConnectionMonitor } from './connection-monitor.ts'
import { Listeners } from './listeners.ts'
import { WatchGroup, type WatchSettings } from './watch-group.ts'

/** News of an account's orders. An account at rest says nothing, so the connection itself counts as connected. */
export class OrderStream {
  readonly #listeners = new Listeners<[VenueOrder]>()
  readonly #group: WatchGroup<'orders'>
  readonly #monitor: ConnectionMonitor

  constructor(deps: { connection: AccountConnection; monitor: ConnectionMonitor; settings: WatchSettings }) {
    const { connection, monitor, settings } = deps
    this.#monitor = monitor
    this.#group = new WatchGroup<'orders'>(
      {
        many: null,
        async one() {
          await connection.prepare()
          for (const order of await connection.exchange.watchOrders())
            if (order.symbol !== undefined) tell(venueOrderOf(order, connection.ourSymbol(order.symbol)))
        },
        onDown: () => this.#listeners.state('disconnected'),
      },
      settings,
    )
    const tell = (order: VenueOrder) => this.#listeners.tell(order)
    monitor.onUp(() => this.#listeners.state('connected'))
    monitor.onDown(() => this.#listeners.state('disconnected'))
  }

  /** News of all orders from now on, and whether the connection stands. */
  subscribe(onOrder: (order: VenueOrder) => void, onState?: OnState): Unsubscribe {
    const end = this.#listeners.add(onOrder, onState, () => this.#group.remove('orders'))
    this.#group.add('orders')
    if (this.#monitor.open) this.#listeners.state('connected')
    return end
  }

  /** Ends the connection. */
  close(): void {
    this.#group.close()
  }
}
