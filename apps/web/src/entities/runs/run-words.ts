import type { JudgedReturn } from '@shapecast/contracts/backtest-results'

const WORDS: Readonly<Record<JudgedReturn['by'], string>> = {
  unseen: 'Return of the unseen part',
  whole_range: 'Return of the whole range',
  all_seen: 'The model had seen all of this range: nothing to judge by',
  not_traded: 'Nothing was traded in the unseen part: nothing to judge by',
}

/** What the return to judge a run by is of, or why there is none. */
export const judgedWords = ({ by }: JudgedReturn): string => WORDS[by]
