import { codeOf } from '#kit/ui/lazily.tsx'

/** The chart itself with its library: a file of its own, which comes after what stands around the chart. */
export const priceChartCode = codeOf(async () => (await import('./price-chart.tsx')).PriceChart)
