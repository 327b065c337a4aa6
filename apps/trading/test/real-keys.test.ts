import { randomUUID } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { audit } from '@shapecast/platform/tables'
import { describe, expect, it } from 'vitest'
import { type Reply, WIDE_LIMITS } from './support/real-bench.ts'
import { admin, bench, fault, keys, later, limit, openRealScene, order, price, sent } from './support/real-scene.ts'
import type { Person } from './support/service-bench.ts'

openRealScene()

describe('a key', () => {
  const secrets = () => Object.values(bench.exchange.credentials)

  it('is tried before it is kept, and shows only its end', async () => {
    const wrong = await keys({ secret: 'not the secret' })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'venue_auth_failed'])
    expect(JSON.stringify(wrong)).not.toContain('not the secret')
    const { body } = await bench.ask('GET', '/api/accounts/keys', undefined, admin)
    expect(body).toEqual([
      {
        venue: 'binance',
        network: 'testnet',
        lastFour: '-key',
        savedAt: expect.any(Number),
        readable: true,
        limits: { network: 'testnet', currency: 'USDT', ...WIDE_LIMITS, usedNotional: 0 },
      },
    ])
    expect(sent()).toEqual([])
  })

  it('is refused in our words; while the exchange cannot be asked the old key stays', async () => {
    const given = async (over: object) => {
      const { status, body } = await keys(over)
      return [status, body.code, /refuses this key.*Nothing was kept/.test(body.error)]
    }
    expect(await given({ apiKey: 'somebody else' })).toEqual([422, 'venue_auth_failed', true])
    fault(/GET .*account/, { kind: 'drop' })
    expect(await given({ apiKey: 'yet another' })).toEqual([503, 'venue_unreachable', false])
    fault(/GET .*account/, { kind: 'status', status: 200, body: '{}' })
    expect(await given({ apiKey: 'and another' })).toEqual([503, 'venue_unreachable', false])
    expect((await bench.ask('GET', '/api/accounts/keys', undefined, admin)).body).toMatchObject([{ lastFour: '-key' }])
    const elsewhere = bench.roomWith({ market: { ...bench.market, venue: 'bybit' } })
    expect(await elsewhere.keys.list(admin.userId)).toEqual([])
    const remove = async () => (await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)).status
    expect([await remove(), await remove()]).toEqual([200, 404])
    const audited = (await bench.db.orm.select().from(audit).orderBy(audit.id)).filter(
      ({ actorId }) => actorId === admin.userId,
    )
    expect(audited.map(({ action }) => action)).toEqual([
      'exchange_keys.saved',
      'trading_limits.changed',
      'exchange_keys.deleted',
    ])
  })

  it('refuses a key that may withdraw or may not trade, and keeps one that may trade', async () => {
    const room = bench.roomWith({ testnet: false })
    const give = () => room.keys.put(bench.exchange.credentials, admin)
    bench.exchange.keyRights.enableWithdrawals = true
    await expect(give()).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(/may withdraw money from Binance.*Enable Withdrawals.*Nothing was kept/),
    })
    Object.assign(bench.exchange.keyRights, {
      enableWithdrawals: false,
      enableSpotAndMarginTrading: false,
      enableFutures: false,
    })
    await expect(give()).rejects.toMatchObject({ message: expect.stringContaining('Enable Spot & Margin Trading') })
    expect(await room.keys.list(admin.userId)).toMatchObject([{ network: 'testnet' }])
    Object.assign(bench.exchange.keyRights, { enableSpotAndMarginTrading: true })
    expect(await give()).toMatchObject({ network: 'mainnet' })
  })

  it('stands nowhere: not in the database, not in the audit, not in replies', async () => {
    const replies: Reply[] = [
      await keys(),
      await order(),
      await bench.ask('GET', '/api/accounts/keys', undefined, admin),
    ]
    const body = '{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}'
    fault(/POST .*order/, { kind: 'status', status: 401, body })
    replies.push(await order())
    fault(/POST .*order/, { kind: 'drop' })
    replies.push(await order(), await keys({ apiKey: 'one that is wrong' }))
    fault(/GET .*order/, { kind: 'drop' }, 3)
    await later(2_000)
    await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)
    await keys()
    expect(bench.logged.join('\n')).toContain('it is not known what became of an order')
    const tables = ['exchange_keys', 'orders', 'order_events', 'fills', 'keyed_replies']
    const dumps = await Promise.all(
      tables.map((name) => bench.db.pool.query(`select to_jsonb(t)::text as text from trading.${name} t`)),
    )
    const all = [
      JSON.stringify(replies),
      ...bench.logged,
      JSON.stringify(await bench.db.orm.select().from(audit)),
      ...dumps.flatMap(({ rows }) => rows.map(({ text }) => text as string)),
    ].join('\n')
    expect(all).toContain('exchange_keys.saved')
    for (const secret of secrets()) expect(all).not.toContain(secret)
  })

  it('says that a key sealed under another SECRET_KEY is unreadable', async () => {
    const other = bench.roomWith({ secretKey: 'another secret key that is long enough' })
    const asked = { member: admin, request: null }
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false } as const
    await expect(other.orders.place(draft, asked)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('SECRET_KEY'),
    })
    expect(await other.keys.list(admin.userId)).toMatchObject([{ readable: false }])
    await other.reconcileOrders()
    expect(sent()).toEqual([])
  })

  it('does not use a testnet key on the mainnet', async () => {
    const other = bench.roomWith({ testnet: false })
    const asked = { member: admin, request: null }
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false } as const
    await expect(other.orders.place(draft, asked)).rejects.toMatchObject({
      message: expect.stringContaining('(mainnet)'),
    })
    expect(sent()).toEqual([])
  })

  it('is not asked for where the market is no exchange, or one that is not known well enough', async () => {
    for (const [venue, kind, words] of [
      ['simulated', 'simulated', 'is none'],
      ['kraken', 'live', 'Binance and Bybit, not to Kraken'],
    ] as const) {
      const room = bench.roomWith({ market: { ...bench.market, venue, kind } })
      await expect(room.keys.put(bench.exchange.credentials, admin)).rejects.toMatchObject({
        code: 'unprocessable',
        message: expect.stringContaining(words),
      })
    }
  })
})

describe('an account at the exchange', () => {
  it('is opened once, and again where its key was given again; the one before is closed', async () => {
    let opened = 0
    const closed: number[] = []
    bench.between.wrap = (trading) => {
      const nth = opened++
      const close = () => {
        closed.push(nth)
        return trading.close()
      }
      return { ...trading, close }
    }
    await keys()
    for (let i = 0; i < 3; i++) expect((await order()).status).toBe(200)
    // The first was opened to try the key.
    expect([opened, closed]).toEqual([2, [0]])
    bench.clock.aheadMs += 1_000
    await keys()
    expect((await order()).status).toBe(200)
    expect([opened, closed]).toEqual([4, [0, 2, 1]])
    await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)
    expect((await order()).status).toBe(422)
    expect([opened, closed]).toEqual([4, [0, 2, 1, 3]])
  })

  it('tries a key again that could not be opened', async () => {
    let times = 0
    bench.clock.aheadMs += 1_000
    await keys()
    bench.between.wrap = (trading) => {
      if (times++ === 0) throw new AppError('venue_unreachable', 'Not now.')
      return trading
    }
    expect((await order()).body.code).toBe('venue_unreachable')
    expect((await order()).body.status).toBe('filled')
    expect(sent()).toHaveLength(1)
  })

  it('is closed with the room', async () => {
    const room = bench.roomWith({})
    let closed = 0
    bench.between.wrap = (trading) => {
      const close = () => {
        closed++
        return trading.close()
      }
      return { ...trading, close }
    }
    await room.realAccount.balance(admin.userId)
    await room.close()
    await room.close()
    expect(closed).toBe(1)
  })
})

describe('limits', () => {
  const limits = async (as = admin) => (await bench.ask('GET', '/api/accounts/limits', undefined, as)).body
  const stranger = (): Promise<Person> => bench.signIn(randomUUID(), 'admin')

  it('are 100 USDT an order and 500 in 24 hours where nothing else is set, and are told with the key', async () => {
    const alone = await stranger()
    expect((await keys({}, alone)).body.limits).toEqual({
      network: 'testnet',
      currency: 'USDT',
      maxOrderNotional: 100,
      maxDayNotional: 500,
      usedNotional: 0,
    })
    const refused = await order({}, undefined, alone)
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([422, 'over_limit', 'amount'])
    expect(refused.body.error).toMatch(
      /is worth \d+.* limited to 100 USDT each\. Nothing was sent\..*change the limit in Settings/,
    )
    bench.said = { signal: 'BUY' }
    const trade = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, enableStopLoss: false }
    expect((await bench.ask('POST', '/api/ml/auto-trade', trade, alone)).body.code).toBe('over_limit')
    expect((await order({ isVirtual: true }, undefined, alone)).status).toBe(200)
    expect(sent()).toEqual([])
    const amount = Math.floor(99 / price() / 0.00001) * 0.00001
    const bought = await bench.ask('POST', '/api/ml/auto-trade', { ...trade, amount }, alone, 'small')
    expect(bought.body).toMatchObject({ action: 'bought' })
    expect(bought.body.notice).toContain('at most 100 USDT an order and 500 USDT in 24 hours')
    expect((await limits(alone)).usedNotional).toBeCloseTo(amount * price(), 4)
  })

  it('of a day hold for simultaneous orders, count what was filled, and restart after 24 hours', async () => {
    const worth = 0.01 * price()
    await limit({ maxDayNotional: 2.5 * worth })
    const replies = await Promise.all(Array.from({ length: 6 }, () => order()))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422])
    expect(replies.find(({ status }) => status === 422)!.body.error).toContain('in 24 hours')
    expect(sent()).toHaveLength(2)
    const waiting = (await order({ type: 'limit', amount: 0.01, price: Math.floor(price() / 4) })).body
    expect(waiting.status).toBe('open')
    expect((await limits()).usedNotional).toBeCloseTo(2.25 * worth, 1)
    await bench.ask('DELETE', `/api/orders/${waiting.id}`, undefined, admin)
    expect((await limits()).usedNotional).toBeCloseTo(2 * worth, 4)
    bench.clock.aheadMs = 24 * 3_600_000 + 1_000
    expect((await limits()).usedNotional).toBe(0)
  })

  it('does not apply limits of one network and exchange to another', async () => {
    expect((await order()).body.status).toBe('filled')
    expect((await limits()).maxOrderNotional).toBe(1e9)
    expect((await limits()).usedNotional).toBeGreaterThan(0)
    for (const room of [
      bench.roomWith({ testnet: false }),
      bench.roomWith({ market: { ...bench.market, venue: 'bybit' } }),
    ])
      expect(await room.limits.read(admin.userId)).toMatchObject({
        maxOrderNotional: 100,
        maxDayNotional: 500,
        usedNotional: 0,
      })
  })

  it('never keep anybody from selling what was bought here, and count other coins', async () => {
    bench.said = { signal: 'BUY', stopLoss: Math.floor(price() * 0.97) }
    const trade = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false }
    await bench.ask('POST', '/api/ml/auto-trade', trade, admin)
    expect(sent().map((o) => o.type)).toEqual(['MARKET', 'STOP_LOSS'])
    await order({ amount: 0.01 })
    await limit({ maxOrderNotional: 0, maxDayNotional: 0 })
    expect((await order({ amount: 0.001 })).body.code).toBe('over_limit')
    // 0.00999 are free, the stop has the others: one lot more is of other coins.
    expect((await order({ side: 'sell', amount: 0.01 })).body.code).toBe('over_limit')
    expect((await order({ side: 'sell', amount: 0.00999 })).body).toMatchObject({ status: 'filled' })
    bench.said = { signal: 'SELL' }
    expect((await bench.ask('POST', '/api/ml/auto-trade', trade, admin)).body).toMatchObject({ action: 'sold' })
  })

  it('are changed by admins for themselves, one by one, within reason, and written down', async () => {
    expect((await limit({ maxOrderNotional: 20 })).body).toMatchObject({ maxOrderNotional: 20, maxDayNotional: 1e9 })
    for (const [wrong, field] of [
      [{}, 'maxOrderNotional'],
      [{ maxOrderNotional: -1 }, 'maxOrderNotional'],
      [{ maxDayNotional: 'all' }, 'maxDayNotional'],
      [{ maxDayNotional: 1e10 }, 'maxDayNotional'],
    ] as const) {
      const reply = await limit(wrong)
      expect([reply.status, reply.body.field]).toEqual([400, field])
    }
    expect(await limits()).toMatchObject({ maxOrderNotional: 20 })
    for (const who of ['owner', 'manager'] as const) {
      expect((await limit({ maxOrderNotional: 1e6 }, bench.users[who])).status).toBe(403)
      expect((await bench.ask('GET', '/api/accounts/limits', undefined, bench.users[who])).status).toBe(403)
    }
    const entries = (await bench.db.orm.select().from(audit).orderBy(audit.id)).filter(
      ({ actorId, action }) => actorId === admin.userId && action === 'trading_limits.changed',
    )
    expect(entries.at(-1)).toMatchObject({ before: { maxOrderNotional: 1e9 }, after: { maxOrderNotional: 20 } })
  })
})

describe('the real account', () => {
  it('has what the exchange says', async () => {
    await order({ type: 'limit', price: 10_000, amount: 0.1 })
    const { body } = await bench.ask('GET', '/api/balance?isVirtual=false', undefined, admin)
    expect(body).toMatchObject({
      isVirtual: false,
      network: 'testnet',
      balance: 100_000,
      reserved: 1_000,
      available: 99_000,
      startingBalance: null,
      assets: expect.arrayContaining([{ asset: 'BTC', free: 1, used: 0, total: 1 }]),
    })
    const positions = (await bench.ask('GET', '/api/positions?isVirtual=false', undefined, admin)).body
    expect(positions).toMatchObject([
      { isVirtual: false, network: 'testnet', symbol: 'BTCUSDT', quantity: 1, lastPrice: price(), entryPrice: null },
    ])
    // The order that waits is no stop-loss.
    expect(positions[0].stopLoss).toBeNull()
    expect((await bench.ask('GET', '/api/balance?isVirtual=maybe', undefined, admin)).status).toBe(400)
  })
})
