import type { StudiedPublishedRule } from './rule-study.ts'

const pct = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(0)}%`
const WORDS = { too_few_trades: 'too few trades', better_than_random: 'better', cannot_tell: 'cannot tell' }

/** What the library did, as a table of Markdown. */
export function libraryTable(studied: readonly StudiedPublishedRule[]): string {
  const rows = studied.map(({ rule, totalReturnPct, maxDrawdownPct, trades, investedPct, verdict: { code, p } }) => {
    const against = `${WORDS[code]}${p === null ? '' : `, p = ${p.toFixed(3)}`}`
    const figures = [pct(totalReturnPct), pct(-maxDrawdownPct), trades, `${investedPct.toFixed(0)}%`, against]
    return `| ${[rule.name, ...figures].join(' | ')} |`
  })
  return [
    '| rule | return | worst drawdown | trades | invested | against random entries |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
