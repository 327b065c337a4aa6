import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../logging.ts'
import { eventually } from '../testing/eventually.ts'
import { standStill } from '../testing/stand-still.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { waitingForLocks } from '../testing/waiting-for-locks.ts'
import { connect, type Database } from './database.ts'
import { lockUntilCommit, type Turn, TurnLost } from './locks.ts'
import { isUnreachable } from './unreachable.ts'

let db: Database
const others: Database[] = []
const children: ChildProcess[] = []
beforeEach(async () => {
  db = await createTestDatabase()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(others.splice(0).map((one) => one.close()))
  await db.close()
})

/** As another process of the installation. */
async function another(options: { max?: number } = {}): Promise<Database> {
  const opened = await connect(db.url, silentLogger(), options)
  others.push(opened)
  return opened
}

/** A turn that lasts until `end` is called; throws where another has it. */
async function begin(of: Database, name = 'work', longestMs?: number) {
  const begun = Promise.withResolvers<Turn>()
  const held = Promise.withResolvers<void>()
  const done = of.locks.alone(
    name,
    (turn) => {
      begun.resolve(turn)
      return held.promise
    },
    longestMs,
  )
  await Promise.race([begun.promise, done.then(() => expect.unreachable('another has it'))])
  const end = () => {
    held.resolve()
    return done
  }
  return { turn: await begun.promise, end }
}

const runsIn = (of: Database, name = 'work') => of.locks.alone(name, async () => {})
const endConnectionOfLocks = () =>
  db.pool.query(
    "select pg_terminate_backend(pid, 60000) from pg_stat_activity where application_name = 'shapecast-locks' and datname = current_database()",
  )

describe('a turn', () => {
  it('is had by one process at a time, and by one caller within it', async () => {
    const other = await another()
    const first = await begin(db)
    expect([await runsIn(other), await runsIn(db)]).toEqual([false, false])
    expect([await runsIn(other, 'other work'), await runsIn(db, 'other work')]).toEqual([true, true])
    first.turn.require()
    expect(await first.end()).toBe(true)
    expect([await runsIn(other), await runsIn(db)]).toEqual([true, true])
  })

  it('is free again after work that failed', async () => {
    const failing = db.locks.alone('work', () => Promise.reject(new Error('no luck')))
    await expect(failing).rejects.toThrow('no luck')
    expect(await runsIn(await another())).toBe(true)
  })

  it('holds no connection of the pool and no transaction, however many there are', async () => {
    const small = await another({ max: 1 })
    const turns = await Promise.all(['a', 'b', 'c'].map((name) => begin(small, name)))
    const { rows } = await small.pool.query(
      "select application_name, state from pg_stat_activity where datname = current_database() and state <> 'active' and pid <> pg_backend_pid() order by 1",
    )
    expect(rows.filter(({ application_name: name }) => name === 'shapecast-locks')).toHaveLength(1)
    expect(rows.every(({ state }) => state === 'idle')).toBe(true)
    await Promise.all(turns.map((turn) => turn.end()))
  })

  it('lets no two of four processes work at once that all want it all the time', async () => {
    await db.pool.query('create table counted as select 0 as n')
    const four = await Promise.all([1, 2, 3, 4].map(() => another({ max: 2 })))
    const ran = await Promise.all(
      four.map(async ({ locks, pool }) => {
        let turns = 0
        while (turns < 3) {
          const had = await locks.alone('count', async () => {
            const { rows } = await pool.query<{ n: number }>('select n from counted')
            await wait(1)
            await pool.query('update counted set n = $1', [rows[0]!.n + 1])
          })
          if (had) turns++
          else await wait(1)
        }
        return turns
      }),
    )
    expect(ran).toEqual([3, 3, 3, 3])
    expect((await db.pool.query('select n from counted')).rows).toEqual([{ n: 12 }])
  })

  it('is lost with its connection: its work can know, another process has it, and this one again once the work ends', async () => {
    const other = await another()
    const first = await begin(db)
    await endConnectionOfLocks()
    await eventually(() => expect(first.turn.lost.aborted).toBe(true))
    expect(() => first.turn.require()).toThrow(TurnLost)
    const second = await begin(other)
    expect(await runsIn(db)).toBe(false)
    await second.end()
    await first.end()
    expect(await runsIn(db)).toBe(true)
  })

  it('is lost where the server does not answer', async () => {
    const first = await begin(db)
    const goOn = await standStill(db)
    try {
      await eventually(() => expect(() => first.turn.require()).toThrow(TurnLost))
    } finally {
      goOn()
    }
    await first.end()
    expect(await eventually(() => runsIn(db))).toBe(true)
  })

  it('is lost when it takes too long, and blocks others no longer', async () => {
    const other = await another()
    const first = await begin(db, 'work', 20)
    await eventually(async () => expect(await runsIn(other)).toBe(true))
    expect(() => first.turn.require()).toThrow(TurnLost)
    await first.end()
  })

  it('ends with the database connection that is closed', async () => {
    const other = await another()
    const first = await begin(other)
    await other.close()
    expect(first.turn.lost.aborted).toBe(true)
    expect(await eventually(() => runsIn(db))).toBe(true)
    await first.end()
  })

  it('is a failure of the database, not of the work, when it is lost', () => {
    expect(isUnreachable(new TurnLost('gone'))).toBe(true)
    expect(isUnreachable(new Error('work', { cause: new TurnLost('gone') }))).toBe(true)
  })
})

describe('a process that has the turn', () => {
  async function start() {
    const child = fork(join(import.meta.dirname, '../testing/hold-turn.ts'), [db.url], { stdio: 'ignore' })
    children.push(child)
    expect(await once(child, 'message')).toEqual(['has it', undefined])
    return child
  }

  it('and is killed leaves it free', async () => {
    const child = await start()
    expect(await runsIn(db)).toBe(false)
    child.kill('SIGKILL')
    await eventually(async () => expect(await runsIn(db)).toBe(true))
  })

  it('and stands still loses it, and knows so before it does anything else', async () => {
    const child = await start()
    child.kill('SIGSTOP')
    const second = await eventually(() => begin(db))
    child.send('and now?')
    child.kill('SIGCONT')
    expect(await once(child, 'message')).toEqual(['TurnLost', undefined])
    second.turn.require()
    await second.end()
  })
})

it('a lock of a transaction is held until it ends, and each name is one', async () => {
  const order: string[] = []
  const locked = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const first = db.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, 'one')
    locked.resolve()
    await going.promise
    order.push('first')
  })
  await locked.promise
  await db.orm.transaction((tx) => lockUntilCommit(tx, 'two'))
  const second = db.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, 'one')
    order.push('second')
  })
  await eventually(async () => expect(await waitingForLocks(db.pool, 'advisory')).toHaveLength(1))
  going.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
})
