import { z } from 'zod'

/** Milliseconds since 1970-01-01T00:00:00Z. A candle is named by the time at which it opens. */
export const EpochMs = z.number().int().nonnegative().brand<'EpochMs'>()
export type EpochMs = z.infer<typeof EpochMs>

/** A share from 0 to 1 (confidence, accuracy, fee rate). */
export const Ratio = z.number().min(0).max(1).brand<'Ratio'>()
export type Ratio = z.infer<typeof Ratio>

/** A percentage, 0–100 where it is a share, unbounded where it is a return. */
export const Pct = z.number().brand<'Pct'>()
export type Pct = z.infer<typeof Pct>

/** Hundredths of a percent. */
export const Bps = z.number().min(0).max(10_000).brand<'Bps'>()
export type Bps = z.infer<typeof Bps>

/** An amount of the quote currency (USDT). */
export const Quote = z.number().brand<'Quote'>()
export type Quote = z.infer<typeof Quote>

/** An amount of the base asset (BTC). */
export const Base = z.number().brand<'Base'>()
export type Base = z.infer<typeof Base>

/** A price: quote per base. */
export const Price = z.number().positive().brand<'Price'>()
export type Price = z.infer<typeof Price>

export const pctOfRatio = (ratio: number): Pct => (ratio * 100) as Pct
export const ratioOfPct = (pct: number): Ratio => (pct / 100) as Ratio
export const ratioOfBps = (bps: number): Ratio => (bps / 10_000) as Ratio
