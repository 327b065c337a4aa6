import type { DirectionVerdict } from '@shapecast/contracts/evaluation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageTolerance, modelVerdict } from './model-verdict.ts'

const pnl = (netPct: number) => ({ grossPct: netPct, costsPct: 0, netPct, turnover: 0 })
const evaluation = ({
  coverage = [0.89],
  netPct = 1,
  holdPct = 0,
  tradedNetPct = null,
  skills = [0, 0],
}: {
  coverage?: number[]
  netPct?: number
  holdPct?: number
  tradedNetPct?: [number, number] | null
  skills?: [ewma: number, historical: number]
}) => ({
  fan: coverage.map((coverage90, i) => ({ horizon: i + 1, outcomes: 400, coverage90 })),
  trading: { candles: 400, roundTripCostBps: 22, signal: pnl(netPct), buyAndHold: pnl(holdPct), flat: pnl(0) },
  uncertainty: { pinballSkillOverEwma: null, logLossSkill: null, tradedNetPct, tradedSharpe: null },
  pinballSkillOverEwma: skills[0],
  pinballSkillOverHistorical: skills[1],
})
const direction = (code: DirectionVerdict['code']): DirectionVerdict => ({
  code,
  holdsUp: code === 'better',
  rule: 'reversal',
  ruleRatio: 0.545,
})
const judge = (of: Parameters<typeof evaluation>[0], code: DirectionVerdict['code'] = 'no_better') =>
  modelVerdict(evaluation(of), direction(code))

describe('the 90 % range', () => {
  it('may be off by 3 points one candle ahead and by 6 eight ahead, on a straight line between', () => {
    expect([1, 8, 20].map(coverageTolerance)).toEqual([0.03, 0.06, 0.06])
    expect(coverageTolerance(4.5)).toBeCloseTo(0.045, 12)
  })

  it('kept its promise with 356 of 400 inside', () =>
    expect(judge({}).range).toEqual({ code: 'kept_promise', holdsUp: true, inside: 356, outcomes: 400 }))

  it.each([
    [0.8, 'too_narrow'],
    [0.94, 'too_wide'],
  ])('that holds %d one candle ahead is %s', (share, code) =>
    expect(judge({ coverage: [share] }).range).toMatchObject({ code, holdsUp: false }),
  )

  it('is not judged without outcomes', () =>
    expect(judge({ coverage: [] })).toMatchObject({ range: null, fan: { code: 'not_judged', offHorizons: [] } }))

  it('is judged at every horizon: 84 % is too narrow two candles ahead, and not eight ahead', () => {
    expect(judge({ coverage: [0.9, 0.9, 0.9] }).fan).toEqual({ code: 'kept_promise', offHorizons: [] })
    expect(judge({ coverage: [0.9, 0.84] }).fan).toEqual({ code: 'too_narrow', offHorizons: [2] })
    expect(judge({ coverage: [0.94, 0.9, 0.84] }).fan).toEqual({ code: 'mixed', offHorizons: [1, 3] })
    expect(judge({ coverage: [...Array(7).fill(0.9), 0.845] }).fan.code).toBe('kept_promise')
  })
})

describe('the signal traded plainly', () => {
  it('lies 6.57 points behind when it lost 11.27 % where holding lost 4.7 %', () => {
    const { trading } = judge({ netPct: -11.27, holdPct: -4.7 })
    expect(trading).toMatchObject({ code: 'lost_money', holdsUp: false, isApartFromHold: false })
    expect(trading.aheadPct).toBeCloseTo(-6.57, 12)
  })

  it('may be luck, and is no success, where the interval of its gain reaches 0', () =>
    expect(judge({ netPct: 9, tradedNetPct: [-3.1, 21.4] }).trading).toMatchObject({
      code: 'may_be_luck',
      holdsUp: false,
    }))

  it('made money but does not hold up when it gained less than holding', () =>
    expect(judge({ netPct: 2, holdPct: 5 }).trading).toMatchObject({ code: 'made_money', holdsUp: false }))

  it.each([
    [-2, false],
    [21.4, false],
    [-4.7, true],
    [22, true],
  ])('is apart from holding that gained %d %%: %s, by its interval of −3.1 to 21.4', (holdPct, isApartFromHold) =>
    expect(judge({ netPct: 9, holdPct, tradedNetPct: [-3.1, 21.4] }).trading).toMatchObject({ isApartFromHold }),
  )
})

it.each([
  [[0.1, 0.1], 'both'],
  [[0.1, -0.1], 'ewma'],
  [[0, 0.1], 'historical'],
  [[-0.1, 0], 'neither'],
] as const)('skills of %j over the two simple ranges are sharper than %s', (skills, skill) =>
  expect(judge({ skills: [...skills] }).skill).toBe(skill),
)

describe('what follows', () => {
  it('is a backtest where direction and trading hold up, whatever the range', () =>
    expect(judge({ coverage: [0.5], netPct: 9 }, 'better').next).toBe('backtest'))
  it('is to let it set the size where only its range holds', () => expect(judge({ netPct: -9 }).next).toBe('size_only'))
  it('is another training where nothing holds', () =>
    expect(judge({ coverage: [0.8], netPct: 9 }, 'worse').next).toBe('train_again'))
})

it('never sends what may be luck to a backtest', () =>
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.double({ min: -50, max: 0, noNaN: true }),
      (netPct, low) => {
        const found = judge({ netPct, tradedNetPct: [low, netPct + 1] }, 'better')
        expect([found.trading.code, found.next]).toEqual(['may_be_luck', 'size_only'])
      },
    ),
  ))
