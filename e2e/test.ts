import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { cancelFirstModel, type SignedIn, signedIn, trainModel } from './people.ts'
import { type Installation, install } from './server.ts'

export { expect, type Page }

interface Fixtures {
  /** What the browser says in errors and warnings, each followed by the address that it is about. */
  consoleWords: { listenTo(context: BrowserContext): void; allow(words: RegExp): void }
  /** Lets the console say what matches: the words of a call that the test makes fail. */
  allowInConsole: (words: RegExp) => void
  /** A page of somebody else, in a browser context of its own. */
  secondPage: Page
}

/**
 * An installation on a simulated market, without a first model, for all specs without settings of their own. Each brings its
 * own users, who have no bots but theirs; what is public it takes away again.
 */
interface SharedHome extends Installation {
  /** Its first account, an admin. */
  readonly boss: SignedIn
}

/** Made when the first test of a worker asks for it. */
interface Shared {
  shared: SharedHome
  /** A model that is trained there, and predicts BTCUSDT 1h. */
  sharedModel: 'v3'
}

/** Every test fails of an error or a warning in the console, and of whatever a page throws. */
export const test = base.extend<Fixtures, Shared>({
  shared: [
    async ({ browserName: _ }, use) => {
      const home = await install({ MARKET: 'simulated' })
      await home.start()
      const boss = await signedIn(home.address, 'boss')
      await cancelFirstModel(boss.call)
      await use({ ...home, boss })
      await home.remove()
    },
    { scope: 'worker' },
  ],
  sharedModel: [
    async ({ shared: { boss } }, use) => {
      expect(await trainModel(boss.call, 'v3', 1_500, { epochs: 1 })).toMatchObject({
        status: 'completed',
        error: null,
      })
      await use('v3')
    },
    { scope: 'worker' },
  ],
  consoleWords: async ({ browserName: _ }, use) => {
    const said: string[] = []
    const allowed: RegExp[] = []
    await use({
      listenTo(context) {
        context.on('console', (message) => {
          if (['error', 'warning'].includes(message.type())) said.push(`${message.text()} ${message.location().url}`)
        })
        context.on('weberror', (thrown) => said.push(thrown.error().message))
      },
      allow: (words) => allowed.push(words),
    })
    const unexpected = said.filter((words) => !allowed.some((pattern) => pattern.test(words)))
    expect(unexpected, 'errors and warnings in the console').toEqual([])
  },
  allowInConsole: async ({ consoleWords }, use) => use(consoleWords.allow),
  context: async ({ context, consoleWords }, use) => {
    consoleWords.listenTo(context)
    await use(context)
  },
  secondPage: async ({ browser, consoleWords }, use) => {
    const context = await browser.newContext()
    consoleWords.listenTo(context)
    await use(await context.newPage())
    await context.close()
  },
})
