import type { BacktestRunSummary, JudgedReturn } from '@shapecast/contracts/backtest'

type Named = Pick<BacktestRunSummary, 'symbol' | 'name'> & {
  params: Pick<BacktestRunSummary['params'], 'botName' | 'mlModelVersion'>
}

/** What a run is called: the name that it was given, its bot, `v3 model only` where a model was tested by its version, or else its symbol. */
export function runName({ name, params: { botName, mlModelVersion }, symbol }: Named): string {
  if (name) return name
  if (botName === '') return symbol
  return botName === mlModelVersion ? `${botName} model only` : botName
}

const WORDS: Readonly<Record<JudgedReturn['by'], string>> = {
  unseen: 'Return of the unseen part',
  whole_range: 'Return of the whole range',
  all_seen: 'The model had seen all of this range: nothing to judge by',
  not_traded: 'Nothing was traded in the unseen part: nothing to judge by',
}

/** What the return to judge a run by is of, or why there is none. */
export const judgedWords = ({ by }: JudgedReturn): string => WORDS[by]
