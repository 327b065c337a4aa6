import { estimateSlippage, type OrderLoad, type SlippedFill } from '@shapecast/engine/models/slippage-estimate'
import { createRandom } from '@shapecast/engine/random'
import { afterEach, expect, it } from 'vitest'
import { closeAccount, openAccount } from '../testing/open-local-account.ts'

afterEach(() => closeAccount())

/** A market that moves by 50 bps and trades 2 BTC in the time before an order. */
const loadOf = (quantity: number): OrderLoad => ({ volatilityBps: 50, volumeRatio: quantity / 2 })
/** 2 bps, and 0.8 σ √(quantity / volume) more. */
const planted = (quantity: number): number => 2 + 0.8 * 50 * Math.sqrt(quantity / 2)

it('slippage that the local exchange takes is found within 1 bp after 200 fills, of small orders and of large ones', async () => {
  const { exchange, trading, price } = await openAccount('spot')
  const random = createRandom(11)
  const { book } = exchange.spot
  const place = book.place.bind(book)
  book.place = (wanted, last) => {
    const slips = (planted(wanted.qty) + 3 * random.normal()) / 10_000
    return place(wanted, last * (1 + (wanted.side === 'BUY' ? slips : -slips)))
  }
  const fills: SlippedFill[] = []
  for (let k = 0; k < 200; k++) {
    const side = k % 2 === 0 ? 'buy' : 'sell'
    const quantity = (1 + random.below(40)) / 1000
    const order = { symbol: 'BTCUSDT', side, type: 'market', quantity, clientOrderId: `planted-${k}` } as const
    const { average } = await trading.createOrder(order)
    fills.push({ ...loadOf(quantity), slippageBps: 10_000 * (side === 'buy' ? 1 : -1) * (average! / price - 1) })
  }
  for (const quantity of [0.002, 0.02, 0.04]) {
    const { expectedBps, intervalBps } = estimateSlippage(fills, loadOf(quantity))!
    expect(Math.abs(expectedBps - planted(quantity))).toBeLessThan(1)
    expect(intervalBps[0]).toBeLessThan(expectedBps)
  }
})
