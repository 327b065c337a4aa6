import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** The words that a screen was promised to say, by the folder that draws it; rules that both sides say stand in contracts. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'apps/web/src/features/auth': [
    'Platform for creating and testing predictions',
    'Signing in...',
    'Login failed. Please check your email and password.',
    'Registration failed. Please try again.',
  ],
  'apps/web/src/features/dashboard': [
    'Data loading error',
    'ML model unavailable or not trained',
    'No public bots available',
    'No backtests found',
    'No tasks yet',
  ],
  'apps/web/src/features/bots': [
    'Failed to load bots list',
    'Failed to create bot',
    'No Trading Bots Yet',
    'Create First Bot',
    'Create Trading Bot',
    'Delete Trading Bot?',
    'This action cannot be undone. All bot data and trade history will be deleted.',
    'Public bot — actions limited to owner.',
    'ML Models (2-5 models)',
    'Select at least 2 models for ensemble',
    'Virtual mode only - test strategies safely without real money',
    'Visible only to you and administrators',
    'Visible to all users (read-only for others)',
  ],
  'apps/web/src/shared': ['Read Only', 'Set Staging', 'Production'],
  'apps/web/src/features/datasets': [
    'Candles by range',
    'last 400 + warmup ≈99 excluded',
    'Download Dataset',
    'Train latest',
    'No data',
  ],
  'apps/web/src/app/data-center': ['Refresh Data'],
  'apps/web/src/features/models': [
    'No saved models',
    'No bots found',
    'Test failed',
    'Indicators unavailable',
    'Indicators unavailable (API keys required)',
  ],
  'apps/web/src/features/backtest': [
    'Bot Configuration',
    'Model Only',
    'Run Backtest',
    'Run disabled for your role',
    'Chart unavailable',
    'Load Data',
    'No saved runs',
    'No OHLCV data available for selected symbol and timeframe',
    'Failed to load OHLCV data',
    'Failed to load bots list',
    'Failed to create virtual bot',
    'Backtest launch error',
    'Backtest failed with error',
    'Task status polling error',
  ],
  'apps/web/src/features/tasks': [
    'Add Task',
    'Create New Task',
    'Drag and drop tasks here',
    'Voting closed',
    'Failed to load tasks',
    'Failed to create task',
    'Failed to delete task',
    'Failed to update task',
    'Failed to vote',
  ],
  'packages/contracts/src': [
    'Selected bot not found.',
    'Username must be at least 3 characters long',
    'Password must be at least 6 characters long',
    'Passwords do not match',
    'Title must be at least 5 characters',
    'Description must be at least 10 characters',
    'Please select at least 2 models for ensemble mode',
    'Please select a bot to test.',
    'Please select a model to test.',
    'Cached ML signal',
  ],
}

const sourcesIn = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n')

it.each(Object.entries(TEXTS))('%s says what was promised, to the letter', (folder, texts) => {
  const source = sourcesIn(folder)
  expect(texts.filter((text) => !source.includes(text))).toEqual([])
})
