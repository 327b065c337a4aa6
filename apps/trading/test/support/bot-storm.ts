import { createRandom } from '@shapecast/engine/random'
import type { RestFault } from '@shapecast/venues/testing/local-exchange/faults'
import type { RealBotsProcess } from './assemble-real-bots.ts'
import { Life } from './mortal.ts'
import type { RealBotsBench } from './real-bots-bench.ts'

/** Two workers over a bench of bots with real money, through faults of the exchange and ends at any point of their work. */
export function createBotStorm(bench: RealBotsBench, { seed, faults }: { seed: number; faults: readonly RestFault[] }) {
  const { exchange, clock } = bench
  const { next: random } = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const start = () => {
    const life = new Life()
    return { life, process: bench.startProcess(life) }
  }
  let workers = [start(), start()]
  const ended: RealBotsProcess[] = []

  return {
    random,
    pick,
    kills: () => ended.length,

    /** `market` lets a candle close; then both look, and who was killed meanwhile is replaced. */
    async step(market: () => void): Promise<void> {
      exchange.faults.clear()
      for (let k = Math.floor(random() * 3); k > 0; k--) exchange.faults.rest(pick(faults))
      if (random() < 0.15) exchange.faults.partialFills.push(0.5)
      for (const { life } of workers) if (random() < 0.35) life.endAfter(Math.floor(random() * 40))
      market()
      for (const { process } of workers) {
        // A process that was killed does nothing any more; whatever else fails is told by its end.
        await process.rooms.advance().catch(() => undefined)
        clock.aheadMs += pick([1_000, 20_000, 61_000])
        await process.room.reconcileOrders().catch(() => undefined)
      }
      workers = workers.map((worker) => {
        if (!worker.life.isOver) return worker
        ended.push(worker.process)
        return start()
      })
    },

    /** No faults from now on, and nothing new is bought. */
    calm(): void {
      exchange.faults.clear()
      bench.script.signal = 'HOLD'
    },

    close: () => Promise.all([...workers.map(({ process }) => process), ...ended].map(({ room }) => room.close())),
  }
}
