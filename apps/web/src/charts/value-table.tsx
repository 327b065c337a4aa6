import layout from '#kit/ui/layout.module.css'

export interface ValueRow {
  readonly key: number
  /** The first cell is the row's head. */
  readonly cells: readonly [string, ...string[]]
}

/** A chart in figures, for those who cannot see it. */
export function ValueTable({
  caption,
  heads,
  rows,
}: {
  caption: string
  heads: readonly string[]
  rows: readonly ValueRow[]
}) {
  return (
    <div className={layout.visuallyHidden}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [head, ...figures] }) => (
            <tr key={key}>
              <th scope="row">{head}</th>
              {figures.map((figure, i) => (
                <td key={heads[i + 1]}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
