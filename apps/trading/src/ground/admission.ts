import { AppError } from '@shapecast/contracts/errors'

/**
 * Lets so many works of a user, and of all, be under way at once in this process. One more throws `too_many_requests` with
 * the words for whichever are too many.
 */
export function createAdmission(
  most: { user: number; all: number },
  words: { user: string; all: string; retryAfterS: number },
) {
  const ofUsers = new Map<string, number>()
  let present = 0
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const own = ofUsers.get(userId) ?? 0
    const tooMany = own >= most.user ? words.user : present >= most.all ? words.all : null
    if (tooMany !== null) throw new AppError('too_many_requests', tooMany, { retryAfterS: words.retryAfterS })
    ofUsers.set(userId, own + 1)
    present++
    try {
      return await work()
    } finally {
      present--
      const left = ofUsers.get(userId)! - 1
      if (left === 0) ofUsers.delete(userId)
      else ofUsers.set(userId, left)
    }
  }
}
