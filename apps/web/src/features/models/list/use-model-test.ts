import { type Prediction, predictMulti } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { useState } from 'react'
import { call } from '#wire/calls/client.ts'
import { errorText } from '#wire/calls/error-text.ts'

const TEST_CANDLES = 300
const TEST_FAILED = 'Test failed'

export type TestState =
  | { readonly kind: 'testing' }
  | { readonly kind: 'said'; readonly prediction: Prediction }
  | { readonly kind: 'failed'; readonly text: string }

export interface TestedSeries {
  readonly symbol: string
  readonly timeframe: Timeframe
}

type Results = Readonly<Record<string, TestState>>

async function ask(versions: readonly string[], series: TestedSeries): Promise<Results> {
  const { results } = await call(predictMulti, { body: { versions: [...versions], ...series, limit: TEST_CANDLES } })
  return Object.fromEntries(
    results.map(({ version, prediction, error }): [string, TestState] => [
      version,
      prediction === null ? { kind: 'failed', text: error ?? TEST_FAILED } : { kind: 'said', prediction },
    ]),
  )
}

/** What versions say at the last candle of a series, asked for by a press. Another series clears the answers. */
export function useModelTest(series: TestedSeries | null) {
  const seriesKey = series === null ? '' : `${series.symbol} ${series.timeframe}`
  const [held, setHeld] = useState<{ seriesKey: string; results: Results }>({ seriesKey, results: {} })
  const results = held.seriesKey === seriesKey ? held.results : {}
  const put = (more: Results) =>
    setHeld((before) => ({
      seriesKey,
      results: before.seriesKey === seriesKey ? { ...before.results, ...more } : more,
    }))
  const all = (versions: readonly string[], state: TestState): Results =>
    Object.fromEntries(versions.map((version) => [version, state]))

  return {
    results,
    /** One version; where it fails, its row says so. */
    testOne: async (version: string) => {
      if (series === null) return
      put(all([version], { kind: 'testing' }))
      const failed = (error: unknown) => all([version], { kind: 'failed', text: errorText(error, TEST_FAILED) })
      put(await ask([version], series).catch(failed))
    },
    /** Several at once; a failure clears the results. */
    testSeveral: async (versions: readonly string[]) => {
      if (series === null || versions.length === 0) return
      put(all(versions, { kind: 'testing' }))
      const answers = await ask(versions, series).catch(() => null)
      if (answers === null) setHeld({ seriesKey, results: {} })
      else put(answers)
    },
    isTesting: Object.values(results).some(({ kind }) => kind === 'testing'),
  }
}
