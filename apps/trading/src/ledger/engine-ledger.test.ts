import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { CandleRow } from '@shapecast/contracts/market'
import { type Account, createAccount } from '@shapecast/engine/account'
import { type BacktestSettings, backtestSettings } from '@shapecast/engine/backtest-settings'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createRules } from '@shapecast/engine/rules'
import { step } from '@shapecast/engine/step'
import type { Orm } from '@shapecast/platform/database/database'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { botAccountsOn } from '../../test/support/bot-accounts.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import type { OpenBotLedger } from './bot-ledger.ts'
import { EngineLedger, LedgerMismatch } from './engine-ledger.ts'
import { numberOf, unitsOf, unitsOfDecimal } from './money.ts'

const HOUR = 3_600_000
const accounts = botAccountsOn('simulated')
const bench = await createServiceBench()
afterAll(() => bench.close())

const newBot = async (deposit: number): Promise<string> => {
  const id = crypto.randomUUID()
  await bench.db.orm.transaction((tx) => accounts.open(tx, id, deposit, 1))
  return id
}

/** What the tables say of a bot: its sums by the database, and added up again from the rows. */
const ledgerOf = async (botId: string) => {
  const { rows } = await bench.db.pool.query<Record<string, string>>(
    `select a.balance, a.fees,
       (select coalesce(sum(amount), 0) from trading.ledger_entries where account_id = a.id) as ledger,
       (select coalesce(sum(fee), 0) from trading.fills where account_id = a.id) as fill_fees,
       (select coalesce(sum(pnl), 0) from trading.fills where account_id = a.id) as pnl,
       (select coalesce(sum(amount), 0) from trading.ledger_entries where account_id = a.id and kind = 'funding') as funding,
       (select coalesce(sum(case side when 'buy' then quantity else -quantity end), 0) from trading.orders
         where account_id = a.id) as traded,
       (select coalesce(sum(amount), 0) from trading.ledger_entries where account_id = a.id
         and kind in ('purchase', 'sale', 'settlement')) as moved,
       (select coalesce(sum(case side when 'buy' then -notional else notional end), 0) from trading.fills f
         join trading.orders o on o.id = f.order_id where f.account_id = a.id) as notionals,
       coalesce((select sum(quantity) from trading.positions where account_id = a.id), 0) as held,
       coalesce((select sum(cost) from trading.positions where account_id = a.id), 0) as cost
     from trading.accounts a where owner_id = $1`,
    [botId],
  )
  const read = (name: string) => unitsOfDecimal(rows[0]![name]!)
  return { read, count: rows.length }
}

/** Steps a bot over candles, each in a transaction of its own, with its engine kept as JSON in between. */
async function trade(
  botId: string,
  kept: string,
  settings: BacktestSettings,
  rows: CandleRow[],
  decisions: number[],
  rates: number[],
): Promise<string> {
  const funding = {
    ts: Float64Array.from(rows, ([ts]) => ts),
    rate: Float64Array.from(rows, (_, i) => rates[i % rates.length]!),
    mark: new Float64Array(rows.length).fill(Number.NaN),
    known: [],
  }
  const rules = createRules(settings, settings.market === 'futures' ? funding : null)
  const candles = candlesFromRows(rows)
  let json = kept
  for (let i = 0; i < candles.length; i++) {
    const account = JSON.parse(json) as Account
    await bench.db.orm.transaction(async (tx) => {
      const ledger = await openOf(tx, botId, settings.market, account.balance)
      const trader = { account, rules, journal: ledger.engine.journal('BTCUSDT', account) }
      step(trader, candles, i, decisions[i % decisions.length]!)
      await accounts.write(tx, [{ ledger, at: candles.ts[i]! }])
    })
    json = JSON.stringify(account)
  }
  return json
}

async function openOf(tx: Orm, botId: string, market: RealMarket, balance: number): Promise<OpenBotLedger> {
  const ledger = (await accounts.begin(tx, new Map([[botId, { market, balance }]]))).get(botId)!
  if (ledger instanceof Error) throw ledger
  return ledger
}

describe('the ledger of a bot', () => {
  it('after a long of 2 from 100 to 110 at a fee of 0.1 %: 1000 − 0.2 + 20 − 0.22 = 1019.58, and nothing held', async () => {
    const id = await newBot(1000)
    const settings = backtestSettings({
      market: 'spot',
      timeframe: '1h',
      initialBalance: 1000,
      leverage: 1,
      sizing: { kind: 'fixed', quantity: 2 },
      feeRate: 0.001,
    })
    const rows: CandleRow[] = [100, 100, 110].map((price, i) => [i * HOUR, price, price, price, price, 1])
    const engine = await trade(id, JSON.stringify(createAccount(1000)), settings, rows, [0, 1, -1], [0])
    expect(JSON.parse(engine).balance).toBeCloseTo(1019.58, 10)
    const { read } = await ledgerOf(id)
    expect(['balance', 'fees', 'pnl', 'held'].map((name) => numberOf(read(name)))).toEqual([1019.58, 0.42, 20, 0])
    const { rows: fills } = await bench.db.pool.query(
      `select o.side, o.type, o.source, f.exit_reason from trading.fills f join trading.orders o on o.id = f.order_id
       join trading.accounts a on a.id = f.account_id where a.owner_id = $1 order by o.seq`,
      [id],
    )
    expect(fills).toEqual([
      { side: 'buy', type: 'market', source: 'bot', exit_reason: null },
      { side: 'sell', type: 'market', source: 'bot', exit_reason: 'signal' },
    ])
  })

  it('are at cost what its engine has after any decisions, fills, stops, funding, liquidations and restarts', async () => {
    const price = fc.integer({ min: 50, max: 150 })
    const candle = fc.tuple(price, price, price, price)
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          market: fc.constantFrom('spot', 'futures', 'targets'),
          leverage: fc.constantFrom(1, 7, 50),
          feeRate: fc.constantFrom(0, 0.0006, 0.01),
          slippageBps: fc.constantFrom(0, 5),
          takeProfitPct: fc.constantFrom(0, 3),
          stopLossPct: fc.constantFrom(0, 2),
          lotSize: fc.constantFrom(0, 0.001),
          sizing: fc.constantFrom(
            { kind: 'fixed', quantity: 0.123_456_789 } as const,
            { kind: 'percent_of_equity', pct: 37 } as const,
          ),
          initialBalance: fc.constantFrom(10, 1234.567, 1e7),
        }),
        fc.array(candle, { minLength: 3, maxLength: 12 }),
        fc.array(fc.constantFrom(-1, 0, 1, 2), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom(0, 0.0001, -0.003), { minLength: 1, maxLength: 3 }),
        async (given, prices, decisions, rates) => {
          const toTargets = given.market === 'targets'
          const market: RealMarket = given.market === 'futures' ? 'futures' : 'spot'
          const band = toTargets ? { targetBand: 0 } : {}
          const settings = backtestSettings({ timeframe: '1h', ...given, market, ...band })
          const codes = toTargets ? decisions.map((code) => (code + 1) / 3.3) : decisions
          const id = await newBot(given.initialBalance)
          const rows = prices.map((of, i): CandleRow => [i * HOUR, of[0], Math.max(...of), Math.min(...of), of[3], 1])
          const json = await trade(
            id,
            JSON.stringify(createAccount(given.initialBalance)),
            settings,
            rows,
            codes,
            rates,
          )
          const engine = JSON.parse(json) as Account
          const { read } = await ledgerOf(id)
          const onSpot = market === 'spot'
          const atCost = read('balance') + (onSpot ? read('cost') : 0n)
          expect(atCost).toBe(unitsOf(engine.balance))
          expect(read('ledger')).toBe(read('balance'))
          expect(read('fees')).toBe(read('fill_fees'))
          // Until entries became money, the sum of these was what a bot had booked.
          expect(atCost).toBe(unitsOf(given.initialBalance) + read('pnl') - read('fees') + read('funding'))
          const shown = (await accounts.of(bench.db.orm, [{ id, marketType: market }])).get(id)!
          expect([shown.balance, shown.fees]).toEqual([atCost, read('fees')].map(numberOf))
          const cost = engine.size === 0 ? 0n : unitsOf(Math.abs(engine.size) * engine.entryPrice)
          expect([read('held'), read('cost')]).toEqual([unitsOf(engine.size), cost])
          const rounded = prices.length * 3 * (2 + given.initialBalance * 1e-7)
          if (onSpot) expect(Math.abs(Number(read('moved') - read('notionals')))).toBeLessThanOrEqual(rounded)
          else expect(read('moved')).toBe(read('pnl'))
          // Without lots a quantity is rounded to 10⁻⁸ with each order.
          expect(Math.abs(Number(read('traded') - read('held')))).toBeLessThanOrEqual(prices.length * 3)
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 15) },
    )
  })

  it('have after a reset the money that it gives, whatever was held', async () => {
    for (const market of ['spot', 'futures'] as const) {
      const id = await newBot(1000)
      await bench.db.orm.transaction(async (tx) => {
        const account = { balance: 999, size: 2, entryPrice: 100 }
        const ledger = await openOf(tx, id, market, 1000)
        const fill = { kind: 'entry', side: 'long', time: 1, price: 100, rawPrice: 100, quantity: 2, fee: 1 } as const
        ledger.engine.journal('BTCUSDT', account).fill({ ...fill, pnl: 0, exitReason: null })
        await accounts.write(tx, [{ ledger, at: 7 }])
      })
      const bots = [{ id, marketType: market }]
      expect((await accounts.of(bench.db.orm, bots)).get(id)).toMatchObject({ balance: 999, fees: 1 })
      await bench.db.orm.transaction((tx) => accounts.reset(tx, id, 500, 2))
      expect((await accounts.of(bench.db.orm, bots)).get(id)).toMatchObject({ balance: 500, fees: 0, held: [] })
    }
  })

  it('refuse an engine that has another balance, and an event that changes it by what it does not say', async () => {
    const id = await newBot(1000)
    const begin = (balance: number) => bench.db.orm.transaction((tx) => openOf(tx, id, 'spot', balance))
    await begin(1000.000_000_01)
    await expect(begin(1000.000_000_05)).rejects.toThrow(LedgerMismatch)

    const account = { balance: 1000, size: 0, entryPrice: 0 }
    const ledger = { cash: unitsOf(1000), held: new Map() }
    const journal = new EngineLedger('futures', ledger, 1000).journal('BTCUSDT', account)
    account.balance = 1000.5
    expect(() => journal.funding(0.4, 1)).toThrow(LedgerMismatch)
  })

  it('refuse the same step twice', async () => {
    const id = await newBot(1000)
    const once = () =>
      bench.db.orm.transaction(async (tx) => {
        const account = { balance: 1000, size: 1, entryPrice: 10 }
        const ledger = await openOf(tx, id, 'spot', 1000)
        const fill = { kind: 'entry', side: 'long', time: 1, price: 10, rawPrice: 10, quantity: 1, fee: 0 } as const
        ledger.engine.journal('BTCUSDT', account).fill({ ...fill, pnl: 0, exitReason: null })
        await accounts.write(tx, [{ ledger, at: 7 }])
      })
    await once()
    await expect(once()).rejects.toMatchObject({ cause: expect.objectContaining({ constraint: expect.any(String) }) })
  })
})
