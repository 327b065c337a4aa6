/** A piece of two texts: in both, only in the first, or only in the second. */
export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

const wordsOf = (text: string): string[] => text.match(/[\w.]+|\s+|[^\w\s]/g) ?? []

/** What differs between two texts, word by word, by their longest common subsequence. */
export function diffText(before: string, after: string): DiffPiece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  const width = b.length + 1
  /** Words in common from the i-th of `a` and the j-th of `b` on. */
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const pieces: { kind: DiffPiece['kind']; text: string }[] = []
  const add = (kind: DiffPiece['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i++]!)
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      add('removed', a[i++]!)
    else add('added', b[j++]!)
  }
  return pieces
}
