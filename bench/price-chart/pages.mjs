/**
 * The pages that are measured, chosen by the address: `product` is the price chart with everything on, `bare` the chart
 * library with its candles alone.
 */
import { CandlestickSeries, createChart } from 'lightweight-charts'
import { indicatorLines } from '../../apps/web/src/charts/indicator-lines.ts'
import { createPriceChart } from '../../apps/web/src/charts/price-chart/create-price-chart.ts'
import { predictionColumns, priceModel } from '../../apps/web/src/charts/price-chart/price-model.ts'

const COUNT = 10_000
const STEP_MS = 3_600_000
const START_MS = Date.UTC(2024, 0, 1)

/** mulberry32: the same candles in every run. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = createRandom(1)
const rows = []
const predictions = []
let price = 50_000
for (let i = 0; i < COUNT; i++) {
  const open = price
  price *= 1 + (random() - 0.5) * 0.012
  const high = Math.max(open, price) * (1 + random() * 0.003)
  const low = Math.min(open, price) * (1 - random() * 0.003)
  const t = START_MS + i * STEP_MS
  rows.push([t, open, high, low, price, 100 + 900 * random()])
  const draw = random()
  predictions.push({
    t,
    signal: draw < 0.05 ? 'BUY' : draw > 0.95 ? 'SELL' : 'HOLD',
    confidence: 0.5 + random() / 2,
    origin: i % 2 === 0 ? 'live' : 'backfilled',
    lstm: price * (1 + (random() - 0.5) * 0.004),
    transformer: price * (1 + (random() - 0.5) * 0.004),
  })
}
const model = priceModel(rows, STEP_MS)
const said = predictionColumns(model, predictions)
const steps = Array.from({ length: 8 }, (_, i) => {
  const spread = price * 0.005 * Math.sqrt(i + 1)
  return { q05: price - 2 * spread, q25: price - spread, q50: price, q75: price + spread, q95: price + 2 * spread }
})

const element = document.getElementById('chart')
const PAGES = {
  product() {
    const fan = { t: rows.at(-1)[0], price, steps }
    const scene = { model, lines: indicatorLines(model.close, ['ema']), predictions: said, fan, type: 'candles' }
    const write = (value) => value.toFixed(2)
    const events = { onHover() {}, onView() {} }
    createPriceChart(element, { ...scene, futureLabel: 'Next 6 h' }, COUNT, write, events)
    return null
  },
  bare() {
    const chart = createChart(element, { autoSize: true, timeScale: { minBarSpacing: 0.001 } })
    const candles = chart.addSeries(CandlestickSeries)
    candles.setData(rows.map(([t, open, high, low, close]) => ({ time: t / 1000, open, high, low, close })))
    return chart
  },
}

const library = PAGES[new URLSearchParams(location.search).get('page')]()
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const box = element.getBoundingClientRect()
const middle = { clientX: box.left + 470, clientY: box.top + 120 }
const target = () => document.elementFromPoint(middle.clientX, middle.clientY)
const wheel = (notches) =>
  target().dispatchEvent(
    new WheelEvent('wheel', { ...middle, deltaY: -100 * notches, bubbles: true, cancelable: true }),
  )
function pointer(kind, clientX) {
  const init = { ...middle, clientX, bubbles: true, cancelable: true, button: 0, buttons: 1, pointerId: 1 }
  const on = kind === 'down' ? target() : document.documentElement
  on.dispatchEvent(new PointerEvent(`pointer${kind}`, init))
  on.dispatchEvent(new MouseEvent(`mouse${kind}`, { ...init, detail: 1 }))
}

/** Shows about `candles` of the newest candles, by whatever way the page has. */
async function showNewest(candles) {
  if (library !== null) library.timeScale().setVisibleLogicalRange({ from: COUNT - candles, to: COUNT + 6 })
  else {
    element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
    // At the right edge, so that the newest candle stays where it is.
    const init = { clientX: box.left + 930, clientY: middle.clientY, bubbles: true, cancelable: true }
    const spacingPx = 4.4
    let now = Math.min(COUNT, 930 / spacingPx)
    for (; now > candles * 1.05; now /= 1.1) target().dispatchEvent(new WheelEvent('wheel', { ...init, deltaY: -100 }))
    for (; now < candles / 1.05; now *= 1.1) target().dispatchEvent(new WheelEvent('wheel', { ...init, deltaY: 100 }))
  }
  await frame()
  await frame()
}

/** Times in ms from one frame to the next while `move(i)` changes the view before each. */
async function measure(frames, move) {
  const times = []
  let before = await frame()
  for (let i = 0; i < frames; i++) {
    move(i)
    const now = await frame()
    times.push(now - before)
    before = now
  }
  return times
}

/** Zooms around the pointer, two notches in and out again and again, from `candles` in view. */
globalThis.zoom = async (candles, frames) => {
  await showNewest(candles)
  return measure(frames, (i) => wheel(Math.floor(i / 10) % 2 === 0 ? 0.5 : -0.5))
}

/** Drags to and fro with `candles` in view. */
globalThis.pan = async (candles, frames) => {
  await showNewest(candles)
  let x = middle.clientX
  pointer('down', x)
  const times = await measure(frames, (i) => {
    x += Math.floor(i / 40) % 2 === 0 ? 6 : -6
    pointer('move', x)
  })
  pointer('up', x)
  return times
}
globalThis.isReady = true
