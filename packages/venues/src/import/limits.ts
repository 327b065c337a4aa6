/** What an import may cost at most. Files come from people and from the web, so every one of these is a wall. */
export interface ImportLimits {
  /** A longer line is no CSV of candles: the file is refused. */
  readonly maxLineBytes: number
  /** Bytes of text after decompression, all files of an archive together. */
  readonly maxTextBytes: number
  /** Text bytes for each compressed byte, once `ratioFromBytes` of text have been read. Candles compress about 3 to 20 times. */
  readonly maxRatio: number
  readonly ratioFromBytes: number
  readonly maxRows: number
  /** Reading stops where so many rows have been read and none of them was a candle. */
  readonly maxRowsWithoutCandle: number
}

export const IMPORT_LIMITS: ImportLimits = {
  maxLineBytes: 8_192,
  maxTextBytes: 4 * 1024 ** 3,
  maxRatio: 200,
  ratioFromBytes: 16 * 1024 ** 2,
  maxRows: 20_000_000,
  maxRowsWithoutCandle: 10_000,
}

/** How many of each kind a report quotes; the counts beside them are of all. */
export const REPORT_LIMITS = { gaps: 1000, refused: 100, problems: 20, textChars: 160 } as const
