import type { LocalBybit } from '@shapecast/venues/testing/local-exchange/bybit/local-bybit'
import { describe, expect, it } from 'vitest'
import { realOrderCases } from './support/real-order-cases.ts'
import { bench, fault, keys, later, only, openRealScene, order, sent } from './support/real-scene.ts'

openRealScene('bybit')
realOrderCases('bybit')

const bybit = () => bench.exchange as unknown as LocalBybit

describe('a real order at Bybit alone', () => {
  it('is found, not given up, when Bybit took it and does not know it for a while', async () => {
    fault(/POST .*create$/, { kind: 'lose-reply' })
    expect((await order()).body).toMatchObject({ status: 'sending' })
    bybit().hidden.looks = 1_000
    await later(2_000)
    expect(await only()).toMatchObject({ status: 'sending' })
    bybit().hidden.looks = 0
    await later(5_000)
    expect(await only()).toMatchObject({ status: 'filled' })
    expect(sent()).toHaveLength(1)
  })

  it('is none on futures, which bots are told before they start', async () => {
    await keys()
    const bot = {
      id: crypto.randomUUID(),
      userId: bench.users.admin.userId,
      marketType: 'futures',
      leverage: 5,
    } as const
    await expect(bench.room.botOrders.requireReady(bot)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'Real orders on futures go to Binance, not to Bybit: nothing was sent to an exchange.',
    })
  })

  it('is not sent with a key that may withdraw: such a key is not kept', async () => {
    bybit().permissions.Wallet = ['AccountTransfer', 'Withdraw']
    expect((await keys()).body).toMatchObject({
      code: 'unprocessable',
      error: expect.stringMatching(/may withdraw money from Bybit.*Assets: Withdrawal/),
    })
    delete bybit().permissions.Wallet
    expect((await keys()).status).toBe(200)
  })
})
