/** The chart itself with its library: a file of its own, which comes after what stands around the chart. */
export const loadPriceChart = () => import('./price-chart.tsx')
