import type { BacktestRunSummary } from './backtest.ts'

type Named = Pick<BacktestRunSummary, 'symbol' | 'name'> & {
  params: Pick<BacktestRunSummary['params'], 'botName' | 'mlModelVersion'>
}

/** What a run is called: the name that it was given, its bot, `v3 model only` where a model was tested by its version, or else its symbol. */
export function runName({ name, params: { botName, mlModelVersion }, symbol }: Named): string {
  if (name) return name
  if (botName === '') return symbol
  return botName === mlModelVersion ? `${botName} model only` : botName
}
