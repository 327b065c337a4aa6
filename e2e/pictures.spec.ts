import { join, resolve } from 'node:path'
import { openScreen } from './pictures/open-screen.ts'
import { type ReplayServer, startReplay } from './pictures/replay-server.ts'
import { COMPARED_IN_TESTS, SCREENS, THEMES, WIDTHS } from './pictures/screens.ts'
import { expect, test } from './test.ts'

/**
 * Pictures of screens, on stored replies at a fixed moment, are those that were taken before: a dozen beside the stored
 * replies, or with PICTURES all in that folder (npm run pictures). PICTURES_CLIENT: another build of the client.
 */
test.describe.configure({ mode: 'parallel' })

const CLIENT = process.env.PICTURES_CLIENT ?? join(resolve(import.meta.dirname, '..'), 'apps/web/dist')
const takesAll = process.env.PICTURES !== undefined

let replay: ReplayServer
test.beforeAll(async () => {
  replay = await startReplay(CLIENT)
})
test.afterAll(() => replay.close())

for (const screen of SCREENS)
  for (const width of WIDTHS)
    for (const theme of THEMES) {
      const name = `${screen.name}-${width}-${theme}`
      if (takesAll || COMPARED_IN_TESTS.has(name))
        test(`${screen.name} at ${width} px, ${theme}, looks as before`, async ({ page }) => {
          const token = screen.as === 'nobody' ? '' : screen.as
          await openScreen(page, { origin: replay.origin, screen, width, theme, token, ...replay.about })
          await expect(page).toHaveScreenshot(`${name}.png`)
        })
    }
