/**
 * Waits for what is under way, but not longer than a second: a call to a venue that hangs must not keep the lead from
 * going over. Whatever it writes later, it writes the same as its successor.
 */
export async function withinASecond(work: Promise<unknown> | null): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const second = new Promise((resolve) => {
    timer = setTimeout(resolve, 1_000)
  })
  await Promise.race([work, second])
  clearTimeout(timer)
}
