import type { TrainingJob } from '@shapecast/contracts/trainings'
import { describe, expect, it } from 'vitest'
import { lossWords, outcomeWords, shownJobs, trainingPct, trainingWords } from './training-words.ts'

const progress: TrainingJob['progress'] = {
  current: 6,
  total: 20,
  phase: 'networks: lstm',
  epoch: 6,
  trainLoss: 0.43124,
  validationLoss: 0.44,
  secondsLeft: 130,
}

describe('a training in words', () => {
  it('says phase, epoch and the time left', () =>
    expect(trainingWords({ status: 'running', progress, error: null })).toBe('LSTM, epoch 6, about 2 min 10 s left'))
  it('says what comes after the networks, without their epoch', () =>
    expect(
      trainingWords({
        status: 'running',
        progress: { ...progress, phase: 'comparing', secondsLeft: null },
        error: null,
      }),
    ).toBe('Comparing it with the one before'))
  it('leaves out what is not known', () =>
    expect(
      trainingWords({
        status: 'running',
        progress: { ...progress, phase: '', epoch: null, secondsLeft: null },
        error: null,
      }),
    ).toBe('Running'))
  it('says the reason of a failure', () =>
    expect(trainingWords({ status: 'failed', progress, error: 'Too few candles' })).toBe('Too few candles'))
  it('has both losses to 4 decimals, none before the first epoch', () => {
    expect(lossWords(progress)).toBe('Loss 0.4312 · validation 0.4400')
    expect(lossWords({ ...progress, trainLoss: null })).toBeNull()
  })
  it('says of the artifact whether it took over, and what predicts now', () => {
    const words = (decision: 'first' | 'took_over' | 'old_stays' | 'waits', predicts: boolean) =>
      outcomeWords({ decision, predicts, verdict: null })
    expect(words('first', true)).toBe('it predicts now')
    expect(words('took_over', true)).toBe('it predicts now, in place of the one before')
    expect(words('took_over', false)).toBe('replaced by a newer one since')
    expect(words('old_stays', false)).toBe('the one before it stays')
    expect(words('old_stays', true)).toBe('promoted by a manager: it predicts now')
    expect(words('waits', false)).toBe("waits for the version's owner or a manager")
    expect(words('waits', true)).toBe('promoted: it predicts now')
  })
  it('is never at 100 % before it is completed', () => {
    expect(trainingPct({ status: 'running', progress, error: null })).toBe(30)
    expect(trainingPct({ status: 'running', progress: { ...progress, current: 20 }, error: null })).toBe(99)
    expect(trainingPct({ status: 'completed', progress, error: null })).toBe(100)
  })
})

describe('the trainings shown', () => {
  const job = (status: TrainingJob['status'], createdAt: number) => ({ status, createdAt })
  it('are those that run, those that wait with the next one first, then the newest others', () =>
    expect(
      shownJobs(
        [
          job('completed', 1),
          job('queued', 5),
          job('queued', 2),
          job('failed', 3),
          job('completed', 4),
          job('running', 0),
        ],
        4,
      ),
    ).toEqual([job('running', 0), job('queued', 2), job('queued', 5), job('completed', 4)]))
  it('are never fewer than those under way', () =>
    expect(shownJobs([job('running', 1), job('queued', 2)], 1)).toHaveLength(2))
})

it('says of a training on a market that does not run that it predicts nothing now', () => {
  const outcome = { decision: 'first', predicts: true } as Parameters<typeof outcomeWords>[0]
  expect(outcomeWords(outcome, true)).toBe('it predicts when that market runs again')
})
