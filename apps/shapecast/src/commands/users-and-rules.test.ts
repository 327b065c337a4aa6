import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@shapecast/platform/database/database'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { createRuleService } from '@shapecast/trading/rules/rule-service'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { MIGRATIONS } from '../server/installation.ts'
import { addRetraining } from './retraining.ts'
import { ruleNamed } from './rule-file.ts'
import { addRules } from './rules.ts'
import { addTrials } from './trials.ts'
import { addUsers } from './users.ts'

const folder = mkdtempSync(join(tmpdir(), 'shapecast-users-'))
let db: Database
beforeAll(async () => {
  db = await createTestDatabase(MIGRATIONS.slice(1))
  vi.stubEnv('DATABASE_URL', db.url)
  vi.stubEnv('DATA_DIR', folder)
  vi.stubEnv('SECRET_KEY', 'k'.repeat(40))
  vi.stubEnv('MARKET', 'simulated')
  await db.pool.query(
    `insert into social.users (username, email, role, password_hash, created_at_ms)
     values ('Ann', 'ann@example.org', 'admin', '', 0), ('Bob', 'bob@example.org', 'user', '', 0)`,
  )
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What `shapecast users …` prints, or another command. */
const users = (...words: string[]) => printed(addUsers, words)
async function printed(add: (command: Command) => void, words: readonly string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const command = new Command()
    add(command)
    await command.parseAsync(words, { from: 'user' })
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}
const one = async (sql: string) => (await db.pool.query(sql)).rows[0]

it('lists, disables and enables accounts, and keeps the last admin', async () => {
  expect(await users('list')).toMatch(/^name +email .*\nAnn +ann@example.org +admin +active +off +-\nBob /)
  expect(JSON.parse(await users('list', '--json'))).toMatchObject([{ username: 'Ann' }, { username: 'Bob' }])
  expect(await users('disable', 'bob@example.org')).toBe('Bob (bob@example.org) is disabled.\n')
  expect(await one("select disabled_at is null as able from social.users where username = 'Bob'")).toEqual({
    able: false,
  })
  expect(await users('enable', 'bob@example.org')).toBe('Bob (bob@example.org) may sign in again.\n')
  await expect(users('disable', 'ann@example.org')).rejects.toMatchObject({ code: 'last_admin' })
  await expect(users('disable', 'nobody@example.org')).rejects.toThrow('No account has the email address')
})

it('`shapecast users` ends sessions and makes codes for a password and a registration, audited as done at the machine', async () => {
  expect(await users('sign-out', 'bob@example.org')).toContain('is signed out everywhere')
  expect(await users('reset-code', 'bob@example.org')).toMatch(
    /^Bob sets a new password with (\w{4}-){3}\w{4}, until .* UTC\.\n$/,
  )
  expect(await users('invite', 'Svea@example.org')).toMatch(/^svea@example.org registers with (\w{4}-){3}\w{4}, until /)
  await expect(users('invite', 'bob@example.org')).rejects.toMatchObject({ code: 'email_taken' })
  expect(await one('select count(*)::int as n, count(actor_id)::int as by_people from platform.audit')).toEqual({
    n: 5,
    by_people: 0,
  })
})

it('`shapecast users registration` sets who may register', async () => {
  expect(await users('registration', 'invitation')).toBe('Registration: invitation.\n')
  expect(await one("select value->>'registration' as mode from platform.installation where key = 'policy'")).toEqual({
    mode: 'invitation',
  })
})

it('pauses bots with real money of anyone who is no active admin any more, and only those', async () => {
  await db.pool.query(
    `insert into social.users (username, email, role, password_hash, created_at_ms)
     values ('Carl', 'carl@example.org', 'admin', '', 0)`,
  )
  await db.pool.query(
    `insert into trading.bots (user_id, venue, name, description, strategy, status, visibility, is_virtual, trading_pairs,
       position_size, max_drawdown, risk_level, market_type, leverage, take_profit_pct, stop_loss_pct, initial_balance, temporary,
       created_at_ms)
     select id, 'binance', kind, '', 'ml', 'active', 'private', kind <> 'real', '{BTCUSDT}', 100, 20, 'medium', 'spot', 1, 0, 0, 10, false, 0
     from social.users, (values ('real'), ('virtual')) as kinds (kind) where username in ('Ann', 'Carl')`,
  )
  await users('disable', 'carl@example.org')
  const { rows } = await db.pool.query(
    `select username, name, status from trading.bots join social.users on users.id = user_id order by 1, 2`,
  )
  expect(rows.map(({ username, name, status }) => `${username} ${name} ${status}`)).toEqual([
    'Ann real active',
    'Ann virtual active',
    'Carl real paused',
    'Carl virtual active',
  ])
})

it('saves rules of a user as versions, lists and shows them, and gives one by its name to a search', async () => {
  const rules = (...words: string[]) => printed(addRules, words)
  const text = 'enter: ema(10) > ema(50)\nexit: ema(10) < ema(50)'
  const owned = ['--name', 'Cross', '--owner', 'bob@example.org']
  expect(await rules('save', text, ...owned)).toBe('Cross, version 1\n')
  expect(await rules('save', text.replaceAll('50', '90'), ...owned)).toBe('Cross, version 2\n')
  expect(await rules('list')).toMatch(/^name +version .*\nCross +2 +private /)
  expect(await rules('show', 'Cross@1')).toBe(`${text}\n`)
  expect(JSON.parse(await rules('show', 'Cross', '--json'))).toMatchObject({ version: 2, versions: [{}, {}] })
  await expect(rules('show', 'Cross@3')).rejects.toThrow('Cross has no version 3.')
  await expect(rules('show', 'Coss')).rejects.toThrow('no stored rule is called Coss')
  const service = createRuleService({ db, now: Date.now })
  expect(await ruleNamed(service, 'Cross@1', [{ name: 'ema_50' }])).toEqual({
    rule: text.replaceAll('50', '{ema_50}'),
    ruleOrigin: { id: expect.any(String), version: 1, name: 'Cross' },
  })
  await rules('save', text, '--name', 'Cross', '--owner', 'ann@example.org', '--public')
  await expect(ruleNamed(service, 'Cross')).rejects.toThrow('2 rules are called Cross. Give the id: ')
})

it('`shapecast trials` lists what a user tried, the most tried series first', async () => {
  await db.pool.query(
    `insert into trading.trials (user_id, venue, symbol, timeframe, kind, hash, count)
     select id, 'simulated', symbol, '1h', kind, hash, count from social.users,
       (values ('BTCUSDT', 'backtest', 'a', 1), ('ETHUSDT', 'search', 'b', 900), ('ETHUSDT', 'training', 'c', 2))
         as tried (symbol, kind, hash, count) where username = 'Bob'`,
  )
  const trials = (...words: string[]) => printed(addTrials, words)
  expect(
    (await trials('bob@example.org'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['series', 'tries', 'backtest', 'preview', 'search', 'training'],
    ['ETHUSDT 1h simulated', '902', '0', '0', '900', '2'],
    ['BTCUSDT 1h simulated', '1', '1', '0', '0', '0'],
  ])
  expect(JSON.parse(await trials('ann@example.org', '--json'))).toEqual([])
  await expect(trials('nobody@example.org')).rejects.toThrow('No account has the email address nobody@example.org.')
})

it('lists what is trained again by itself, ends it, and refuses what cannot be trained so', async () => {
  const retraining = (...words: string[]) => printed(addRetraining, words)
  const set = (...words: string[]) =>
    retraining('set', '--model', 'v3', '--symbol', 'BTCUSDT', '--owner', 'ann@example.org', ...words)
  await expect(set()).rejects.toThrow('everyDays: must be set, or drift chosen.')
  await expect(set('--every-days', '366')).rejects.toThrow('everyDays: must be at most 365.')
  await expect(set('--every-days', '7')).rejects.toMatchObject({ code: 'not_found' })
  await db.pool.query("insert into trading.models (version, stage, created_at_ms) values ('v3', 'production', 0)")
  await expect(set('--every-days', '7')).rejects.toMatchObject({ code: 'model_not_trained' })
  const { id } = await one(
    `insert into trading.retrainings (version, venue, symbol, timeframe, every_days, on_drift, mode, user_id, by_manager,
       counts_from_ms, tries_at_ms)
     select 'v3', 'simulated', 'BTCUSDT', '1h', 7, true, 'offer', id, true, 0, 0 from social.users where username = 'Ann'
     returning id`,
  )
  expect(await retraining('list')).toMatch(
    new RegExp(`^model .*\nv3 BTCUSDT 1h +every 7 days, on drift +offer +- +1970-01-08 +${id}\n$`),
  )
  await expect(retraining('end', id, '--owner', 'bob@example.org')).rejects.toMatchObject({ code: 'forbidden' })
  expect(await retraining('end', id, '--owner', 'ann@example.org')).toBe('It is not trained by itself any more.\n')
  expect(JSON.parse(await retraining('list', '--json'))).toEqual([])
})
