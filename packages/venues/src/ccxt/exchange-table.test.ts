import { EXCHANGES, exchangeName, exchangeOf, exchangesInWords } from '@shapecast/contracts/exchanges'
import { describe, expect, it } from 'vitest'
import type { AccountCalls } from './calls/account-calls.ts'
import { clientOrderId } from './client-order-id.ts'
import { loadExchange } from './load-exchange.ts'

describe('the table of exchanges', () => {
  it.each(EXCHANGES.map(({ id }) => id))(
    'has in %s one that ccxt knows, with all that real orders need',
    async (id) => {
      const can = exchangeOf(id)!
      for (const marketType of ['spot', 'futures'] as const) {
        if (can[marketType] === null) continue
        const exchange = (await loadExchange(id, { marketType, testnet: can[marketType].sandbox })) as AccountCalls & {
          requiredCredentials: { password: boolean }
        }
        for (const call of [
          'createOrder',
          'fetchOrder',
          'cancelOrder',
          'fetchOpenOrders',
          'fetchMyTrades',
          'fetchTime',
        ])
          expect([call, exchange.has[call]]).toEqual([call, true])
        expect(exchange.requiredCredentials.password).toBe(can.passphrase)
        await exchange.close()
      }
      expect(clientOrderId('bot', 1, 'open')).toMatch(can.clientOrderId.form)
      // An order that is not found is given up after 60 s, 45 of which are accounted for with 10 s of these.
      expect(can.signedForMs).toBeLessThanOrEqual(10_000)
    },
  )

  it('says in words where real orders go', () => {
    expect(exchangesInWords()).toBe('Binance and Bybit')
    expect(exchangesInWords('futures')).toBe('Binance')
    expect(exchangeName('binance')).toBe('Binance')
    expect(exchangeName('kraken')).toBe('Kraken')
    expect(exchangeOf('kraken')).toBeUndefined()
  })
})
