import { z } from 'zod'

/** A number with a unit: a plain number fits each, but one unit does not fit another without a named conversion. */
type Quantity<Unit extends string> = number & { readonly unit?: Unit }

/** Percent: 5 is five hundredths. */
export type Pct = Quantity<'percent'>
/** Share of a whole: 0.05 is five hundredths. */
export type Ratio = Quantity<'ratio'>
/** Basis points: 5 is five ten-thousandths. */
export type Bps = Quantity<'bps'>
/** A quantity of the base asset. */
export type Base = Quantity<'base'>

const of = <Unit extends string>() =>
  z.number() as z.ZodNumber & { readonly _zod: { readonly output: Quantity<Unit>; readonly input: Quantity<Unit> } }

export const pct = of<'percent'>
export const ratio = of<'ratio'>
export const bps = of<'bps'>
/** A moment: milliseconds since 1970-01-01 UTC. */
export const epochMs = of<'epoch ms'>
export const base = of<'base'>
/** An amount of the quote asset: money. */
export const quote = of<'quote'>

export const ratioOfPct = (percent: Pct): Ratio => percent / 100
export const ratioOfBps = (points: Bps): Ratio => points / 10_000
