/** How often models, bots and indicators are asked for again. */
export const REFRESH_MS = 30_000
