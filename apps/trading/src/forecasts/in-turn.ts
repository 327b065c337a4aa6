/** Runs works one after the other, in the order they come; one that fails holds up none. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
export type InTurn = ReturnType<typeof createTurns>
