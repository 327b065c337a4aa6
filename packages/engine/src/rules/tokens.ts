import { problemAt } from './problem.ts'

export interface Token {
  readonly kind: 'number' | 'word' | 'symbol' | 'end'
  readonly text: string
  readonly offset: number
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|==|!=|[<>+\-*/%()[\],:]))/y

/** The words, numbers and signs of a text, the end last. Throws RuleProblem at a sign that means nothing. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (found === null) {
      const rest = text.slice(at)
      const sign = rest.trimStart()
      if (sign === '') break
      const [unknown] = sign
      throw problemAt(
        text,
        { offset: at + rest.length - sign.length, length: unknown!.length },
        `‘${unknown}’ means nothing in a rule`,
        unknown === '=' ? '==' : null,
      )
    }
    const [whole, number, word, symbol] = found
    const value = number ?? word ?? symbol!
    tokens.push({
      kind: number !== undefined ? 'number' : word !== undefined ? 'word' : 'symbol',
      text: value,
      offset: at + whole.length - value.length,
    })
  }
  return [...tokens, { kind: 'end', text: '', offset: text.length }]
}
