import { describe, expect, it } from 'vitest'
import { NAVIGATION, pageTitle } from './navigation-entries.tsx'

describe('the navigation', () => {
  it('has the four labels and their addresses', () =>
    expect(NAVIGATION.map(({ label, path }) => `${label} ${path}`)).toEqual([
      'Dash /dashboard',
      'Bots /trading',
      'Lern /ml-analysis',
      'Test /backtest',
    ]))
  it('names the window after the page', () =>
    expect([
      pageTitle('/backtest'),
      pageTitle('/settings/users'),
      pageTitle('/settingsx'),
      pageTitle('/bots/b1'),
    ]).toEqual(['Backtest', 'Settings', 'Shapecast', 'Bots']))
})
