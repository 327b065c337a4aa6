import { expect, it } from 'vitest'
import { firstSteps } from './backtest-start.tsx'

const ready = {
  hasCandles: true,
  hasTrainedModel: true,
  hasBot: true,
  isSignedIn: true,
  mayRun: true,
  hasRuns: false,
}

it('candles come before models, models before runs', () => {
  expect(firstSteps({ ...ready, hasCandles: false, hasTrainedModel: false }).action?.words).toBe('Import candles')
  expect(firstSteps({ ...ready, hasTrainedModel: false }).action?.words).toBe('Train a model')
  expect(firstSteps(ready).text).toContain('Run Backtest')
})

it('nothing is called missing before it is known to be', () => {
  expect(firstSteps({ ...ready, hasCandles: undefined, hasTrainedModel: undefined }).title).toBe('No run open')
})

it('those who may not run are led to saved runs', () => {
  expect(firstSteps({ ...ready, mayRun: false, hasRuns: true }).text).toContain('Press Open')
})

it('nobody is sent to a button that is off while signed out', () => {
  const { title, text } = firstSteps({ ...ready, isSignedIn: false, mayRun: false, hasRuns: true })
  expect(title).toBe('Sign in to see a run')
  expect(text).not.toContain('Press')
})
