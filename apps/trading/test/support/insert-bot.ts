import type { Database } from '@shapecast/platform/database/database'
import { bots } from '../../src/bots/tables.ts'

/** A stopped virtual bot as a row alone, without what its creation brings about; `over` has what matters. Returns its id. */
export async function insertBot(
  db: Database,
  userId: string,
  over: Partial<typeof bots.$inferInsert> = {},
): Promise<string> {
  const row: typeof bots.$inferInsert = {
    userId,
    venue: 'simulated',
    name: 'B',
    description: '',
    strategy: 'ml',
    status: 'stopped',
    visibility: 'private',
    isVirtual: true,
    tradingPairs: ['BTCUSDT'],
    positionSize: 1,
    maxDrawdown: 20,
    riskLevel: 'low',
    marketType: 'spot',
    leverage: 1,
    takeProfitPct: 0,
    stopLossPct: 0,
    initialBalance: 1_000,
    temporary: false,
    createdAt: 0,
    ...over,
  }
  const [made] = await db.orm.insert(bots).values(row).returning({ id: bots.id })
  return made!.id
}
