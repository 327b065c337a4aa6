/** Done in whole percent, 0 to 100; 0 while the total is not known. */
export const progressPct = (current: number, total: number): number =>
  total > 0 ? Math.round(Math.min(1, Math.max(0, current / total)) * 100) : 0
