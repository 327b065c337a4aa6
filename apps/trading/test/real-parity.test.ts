import type { BotDraft } from '@shapecast/contracts/bots'
import type { Signal } from '@shapecast/contracts/ml'
import { decisionOfSignal } from '@shapecast/engine/decisions'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createParityCheck } from '../src/bots/parity.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'

const MINUTE_MS = 60_000
let bench: RealBotsBench
/** What the model has said, by candle. */
const said = new Map<number, Signal>()
beforeAll(async () => {
  bench = await createRealBotsBench()
})
beforeEach(async () => {
  await bench.fresh()
  said.clear()
})
afterAll(() => bench.end())

/** A minute ends at this price, at which the next one opens; the exchange then fills at `filledAt`. */
async function says(signal: Signal, at: number, filledAt = at): Promise<void> {
  bench.script.signal = signal
  bench.close(at)
  said.set(bench.exchange.clock.now() - MINUTE_MS, signal)
  bench.setPrice(filledAt)
  await bench.tick()
  await bench.settle()
}

/** Against a backtest of what the model said, or says today. */
const parityOf = (id: string, today: (ts: number) => Signal = (ts) => said.get(ts) ?? 'HOLD') =>
  createParityCheck({
    states: bench.stores.trading,
    bots: bench.stores.bots,
    rules: bench.botMarket.rules,
    async decisions(_bot, _plan, symbol, { timeframe, fromMs, toMs }) {
      const limit = (toMs - fromMs) / MINUTE_MS + 1
      const candles = await bench.botMarket.load(symbol, timeframe, { toMs, limit })
      return { candles, decisions: Int8Array.from(candles.ts, (ts) => decisionOfSignal(today(ts))) }
    },
  })(id, bench.owner)

/** Of one round at an open of 20,000 and one of 22,000; the exchange fills as it is told. */
async function oneTrade(draft: Partial<BotDraft>, [bought, sold]: [number, number]): Promise<string> {
  const id = await bench.started(draft)
  await says('BUY', 20_000, bought)
  await says('HOLD', 20_000)
  await says('SELL', 22_000, sold)
  await says('HOLD', 22_000)
  return id
}

describe('parity of a bot with real money', () => {
  it('names the prices of the exchange', async () => {
    const parity = await parityOf(await oneTrade({}, [20_100, 21_900]))
    expect(parity).toMatchObject({ candles: 4, liveTrades: 1, backtestTrades: 1 })
    // A backtest buys at 20,000 and sells at 22,000 with 5 bps of slippage.
    expect(parity.differences).toMatchObject([
      {
        cause: 'price_between_candles',
        note: 'The exchange filled it at 20100 and 21900; a backtest takes the opens with slippage, 20010 and 21989.',
        live: { entryPrice: 20_100, exitPrice: 21_900 },
      },
    ])
  })

  it('names the fee where the exchange filled as a backtest does', async () => {
    const { differences } = await parityOf(await oneTrade({}, [20_010, 21_989]))
    expect(differences).toMatchObject([{ cause: 'fee', live: { quantity: 0.00999 }, backtest: { quantity: 0.01 } }])
    expect(differences[0]!.note).toContain('of 0.00999 sold')
  })

  it('names a candle that was missed', async () => {
    const id = await bench.started()
    bench.close(20_000)
    said.set(bench.exchange.clock.now() - MINUTE_MS, 'BUY')
    await says('HOLD', 20_000)
    await says('SELL', 20_000)
    await says('HOLD', 20_000)
    expect((await parityOf(id)).differences).toMatchObject([{ cause: 'missed_candle', live: null }])
  })

  it('names a candle that came late', async () => {
    const id = await bench.started()
    bench.close(20_000)
    said.set(bench.exchange.clock.now() - MINUTE_MS, 'BUY')
    const late = bench.rows.pop()!
    bench.exchange.clock.advanceTo(bench.exchange.clock.now() + 15_000)
    await bench.tick()
    bench.rows.push(late)
    bench.exchange.clock.advanceTo(bench.exchange.clock.now() + 45_000)
    bench.rows.push([late[0] + MINUTE_MS, 20_000, 20_000, 20_000, 20_000, 1])
    bench.script.signal = 'HOLD'
    await bench.tick()
    await says('SELL', 20_000)
    await says('HOLD', 20_000)
    expect((await parityOf(id)).differences).toMatchObject([{ cause: 'candle_late', live: null }])
  })

  it('replays what models said then, whatever they say today', async () => {
    const id = await oneTrade({}, [20_100, 21_900])
    const today = await parityOf(id, () => 'HOLD')
    expect(today).toEqual(await parityOf(id))
    expect(today).toMatchObject({ backtestTrades: 1, differences: [{ cause: 'price_between_candles' }] })
  })

  it('names settings that are others today, and a person who stopped it', async () => {
    const id = await oneTrade({}, [20_000, 22_000])
    await bench.control.stop(id, bench.owner, 'real money')
    await bench.control.patch(id, { positionSize: 0.02 }, bench.owner)
    expect((await parityOf(id)).differences).toMatchObject([
      { cause: 'settings_changed', live: { quantity: 0.00999 }, backtest: { quantity: 0.02 } },
    ])

    const stopped = await bench.started()
    await says('BUY', 20_000)
    await bench.control.stop(stopped, bench.owner, 'real money')
    await bench.settle()
    await bench.control.start(stopped, bench.owner, 'real money')
    await says('SELL', 20_000)
    await says('HOLD', 20_000)
    expect((await parityOf(stopped)).differences[0]).toMatchObject({
      cause: 'settings_changed',
      note: 'A person stopped it, which closed the position.',
    })
  })

  it('names an order that a limit, or the exchange, has kept from being made', async () => {
    const limits = { maxOrderNotional: 199, maxPositionNotional: 1e6, maxDayLoss: 1e6, maxDayOrders: 10 }
    const id = await oneTrade({ parameters: { limits } }, [20_000, 22_000])
    const { differences } = await parityOf(id)
    expect(differences).toMatchObject([{ cause: 'order_refused', live: null }])
    expect(differences[0]!.note).toContain('an order of this bot may be worth 199')
  })

  it('names prices between closes that reached a stop-loss, a take profit or a limit on losses', async () => {
    const between = async (draft: Partial<BotDraft>, reached: number): Promise<string> => {
      const id = await bench.started(draft)
      await says('BUY', 20_000)
      bench.setPrice(reached)
      await bench.settle()
      await says('HOLD', 20_000)
      await says('SELL', 20_000)
      await says('HOLD', 20_000)
      return id
    }
    const stopped = await between({ stopLossPct: 5 }, 18_900)
    expect((await parityOf(stopped)).differences).toMatchObject([
      { cause: 'price_between_candles', live: { exitReason: 'stop_loss' }, backtest: { exitReason: 'signal' } },
    ])
    const reached = await between({ takeProfitPct: 5 }, 21_100)
    expect((await parityOf(reached)).differences).toMatchObject([
      { cause: 'price_between_candles', live: { exitReason: 'take_profit' }, backtest: { exitReason: 'signal' } },
    ])
    const halted = await between({ initialBalance: 300, maxDrawdown: 10 }, 16_900)
    expect((await parityOf(halted)).differences[0]).toMatchObject({
      cause: 'price_between_candles',
      note: 'A price between two closes reached its drawdown limit or its daily loss; a backtest looks at closes.',
      live: { exitReason: 'max_drawdown' },
    })
  })
})
