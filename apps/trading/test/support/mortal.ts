import type { Database } from '@shapecast/platform/database/database'
import type { LiveTrading } from '@shapecast/venues/live-trading'

/**
 * Every third of the steps at which something is broken off, others by SHAPECAST_SEED=2 and 3; all of them where RUNS
 * asks for more cases.
 */
export const someSteps = <Step>(steps: readonly Step[]): Step[] =>
  steps.filter((_, i) => process.env.RUNS !== undefined || i % 3 === Number(process.env.SHAPECAST_SEED ?? 1) % 3)

class Killed extends Error {
  override readonly name = 'Killed'
}
export const isKilled = (error: unknown): boolean => error instanceof Killed

/** A process that may end between any two of its steps: from then on nothing of it happens any more. */
export class Life {
  #left = Number.POSITIVE_INFINITY

  /** It ends before its next step but so many. */
  endAfter(steps: number): void {
    this.#left = steps
  }

  get isOver(): boolean {
    return this.#left < 0
  }

  step(): void {
    this.#left--
    if (this.isOver) throw new Killed('This process has been killed.')
  }
}

/** A database whose transactions are steps: killed before the commit, nothing of them is there; after it, all of it. */
export function mortalDatabase(db: Database, life: Life): Database {
  const transaction: Database['orm']['transaction'] = async (work, settings) => {
    life.step()
    const made = await db.orm.transaction(async (tx) => {
      const result = await work(tx)
      life.step()
      return result
    }, settings)
    life.step()
    return made
  }
  const orm = new Proxy(db.orm, {
    get(target, name) {
      if (name === 'transaction') return transaction
      if (life.isOver) life.step()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...db, orm }
}

/** An account at an exchange whose calls are steps: killed before one, it was not made; after it, nobody heard. */
export const mortalTrading = (trading: LiveTrading, life: Life): LiveTrading =>
  new Proxy(trading, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'close') return value
      return async (...given: unknown[]) => {
        life.step()
        const said: unknown = await value.apply(target, given)
        life.step()
        return said
      }
    },
  })
